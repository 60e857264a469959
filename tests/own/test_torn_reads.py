"""A read is no snapshot: each of its items may be of another moment. What it claims is true of one moment all the same.

The engine writes one item after the other, whatever readers do, so its history is a row of tables. A reader is walked
through every way to get its items from these, each from the same table as the one before it, or from a later one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest

from delivery import Source, make_record
from delivery.context import Context
from edgewise import clock, surroundings
from edgewise.aggregates import doubts
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.usage import Usage
from edgewise.dynamodb.writes import Action, Write
from edgewise.freshness.telling import Teller
from edgewise.own import looking
from edgewise.stream import redrive
from edgewise.stream.dialect import Dialect
from edgewise.stream.follow_ups import FollowUps
from edgewise.stream.invocation import absorb
from edgewise.stream.register import register
from edgewise.times import DAY, SECOND
from edgewise.views import Items, Number, Text, View, group_by, sum_of, top
from edgewise.views import count as counting
from edgewise.views.view import kept
from functions.replay.memory import MemoryTable
from tests.own.orders import OWN, PAID
from tests.own.releases import StrictText
from tests.support.streams import PRESENT

SHARD = "1"
Content = dict[Key, Item]


def of(strict: bool) -> tuple[Any, Any]:
    """One shard writes these itself, as it has all orders of a customer: their rows, and who is first of them.

    A `strict` release can't read orders without a state.
    """

    class Order(Items, table=OWN):
        customer, euros, state = Text(), Number(), StrictText() if strict else Text()

    class Customers(View, of=Order, where=(Order.state == "paid") | ~Order.state.exists()):
        customer = group_by(Order.customer)
        orders, euros = counting(), sum_of(Order.euros)

    class Best(View, of=Order, where=(Order.state == "paid") | ~Order.state.exists()):
        euros = sum_of(Order.euros)
        customers = top(Order.customer, by=euros)

    return Customers, Best


CUSTOMERS, BEST = of(strict=False)


class Killed(Exception):
    """The sandbox is gone."""


class History(MemoryTable):
    """Keeps what it was after each write."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[Content] = [{}]
        self.left = 1000

    def write(self, write: Write) -> None:
        self._once(lambda: super(History, self).write(write))

    def transact(self, actions: Sequence[Action]) -> None:
        self._once(lambda: super(History, self).transact(actions))

    def _once(self, do: Callable[[], None]) -> None:
        if not self.left:
            raise Killed
        do()
        self.left -= 1
        self.tables.append(dict(self.items))


class Quiet(Teller):
    """Does not say how far a shard has come: no row asks."""

    def is_due(self, shard: str, now: int) -> bool:
        return False


def order(number: int, euros: int, customer: str = "ann", **more: Any) -> Any:
    item = {"customer": {"S": customer}, "what": {"S": f"order-{number}"}, "euros": {"N": str(euros)}, **more}
    return make_record(Source(keys=["customer", "what"]), None, item, 100 + number, PRESENT / SECOND).form


def deliver(table: Table, strict: bool, *records: Any) -> None:
    event = {"Records": list(records), "shardId": SHARD}
    absorb(_catalog(strict), table, Quiet(), lambda _: SHARD, event, Context(), _dialect(strict))


def apply(table: Table) -> None:
    for shard, names in register(table).shards.items():
        for sequence in sorted(names):
            redrive.redrive(table, FollowUps(_catalog(strict=False), ()), shard, sequence, _dialect(strict=False))


def _catalog(strict: bool) -> Catalog:
    return Catalog(kind for view in of(strict) for kind in kept(view.declared).kinds)


def _dialect(strict: bool) -> Dialect:
    table = OWN.existing([kept(view.declared).items for view in of(strict)])
    return Dialect(lambda records: list(map(table.record, records)), table.as_delivered)


@pytest.fixture(autouse=True)
def alone(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with patch.object(surroundings, "threads", surroundings.OneByOne), _at(PRESENT):
        yield


@contextmanager
def _at(now: int) -> Iterator[None]:
    with patch.object(clock, "now", lambda: now):
        yield


class Undecided(Exception):
    """The reader asks for something more."""


class Moments(Table):
    """Reads what is doubted, and all else, each as it was in a table of the history: the numbers say in which."""

    def __init__(self, history: Sequence[Content], moments: Sequence[int], doubts_first: bool) -> None:
        self.usage = Usage()
        self._history, self._left, self._doubts_first = history, iter(moments), doubts_first

    def get(self, key: Key) -> Item | None:
        return self._next().get(key)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        found: dict[Key, Item] = {}
        for of_doubts in (self._doubts_first, not self._doubts_first):
            some = [key for key in wanted if (key == doubts.KEY) is of_doubts]
            table = self._next() if some else {}
            found |= {key: table[key] for key in some if key in table}
        return found

    def _next(self) -> Content:
        moment = next(self._left, None)
        if moment is None:
            raise Undecided
        return self._history[moment]


Read = Callable[[Table], Any]


def reads(history: Sequence[Content], read: Read, doubts_first: bool) -> Iterator[tuple[list[int], Any]]:
    """Every way to read, with the moments of which the items were."""
    ahead = [[moment] for moment in range(len(history))]
    while ahead:
        moments = ahead.pop()
        try:
            yield moments, read(Moments(history, moments, doubts_first))
        except Undecided:
            ahead += ([*moments, later] for later in range(moments[-1], len(history)))


def row(table: Table) -> Any:
    found = CUSTOMERS.get(table, customer="ann")
    return (found.orders, found.euros) if found.complete else None


def best(table: Table) -> Any:
    found = BEST.ranking(table, BEST.customers, 1)
    return tuple((each.member, each.number) for each in found.standings) if found.complete else None


def _relevant(history: Sequence[Content], view: Any) -> list[Content]:
    """The history as readers of a view may see it."""
    own = view.declared.full_name
    shown = [{key: item for key, item in each.items() if key == doubts.KEY or own in key.pk} for each in history]
    return [each for number, each in enumerate(shown) if not number or each != shown[number - 1]]


def untrue(history: Sequence[Content], read: Read) -> list[tuple[list[int], Any]]:
    """What is claimed although it was true at no moment of the read."""
    with _at(PRESENT + DAY):
        true = [read(_resting(each)) for each in history]
    found = (each for doubts_first in (False, True) for each in reads(history, read, doubts_first))
    return [(at, said) for at, said in found if said is not None and said not in true[at[0] : at[-1] + 1]]


def _resting(content: Content) -> MemoryTable:
    table = MemoryTable()
    table.items = dict(content)
    return table


def set_aside_and_applied() -> Sequence[Content]:
    table = History()
    deliver(table, True, order(1, 10, **PAID), order(2, 15, "bob", **PAID))
    deliver(table, True, order(3, 20), order(4, 40, **PAID))
    apply(table)
    return table.tables


def set_aside_alone_and_applied() -> Sequence[Content]:
    """Nothing comes behind it."""
    table = History()
    deliver(table, True, order(1, 10, **PAID), order(2, 15, "bob", **PAID))
    deliver(table, True, order(3, 20))
    apply(table)
    return table.tables


def announced_by_one_that_dies(writes: int) -> Sequence[Content]:
    table = History()
    deliver(table, True, order(1, 10, **PAID), order(2, 15, "bob", **PAID))
    table.left = writes
    with pytest.raises(Killed):
        deliver(table, True, order(3, 20), order(4, 40, **PAID))
    table.left = 1000
    deliver(table, False, order(3, 20), order(4, 40, **PAID))
    return table.tables


HISTORIES: dict[str, Callable[[], Sequence[Content]]] = {
    "set aside and applied": set_aside_and_applied,
    "set aside alone and applied": set_aside_alone_and_applied,
    "announced": lambda: announced_by_one_that_dies(1),
    "announced and passed": lambda: announced_by_one_that_dies(2),
}


@pytest.mark.parametrize(("view", "read"), [(CUSTOMERS, row), (BEST, best)], ids=["row", "best"])
@pytest.mark.parametrize("history", HISTORIES.values(), ids=list(HISTORIES))
def test_what_a_read_claims_was_true_at_one_moment_of_it(
    history: Callable[[], Sequence[Content]], view: Any, read: Read
) -> None:
    shown = _relevant(history(), view)
    assert len(shown) > 4
    assert untrue(shown, read) == []


def test_a_look_that_takes_as_long_as_changes_are_recent_is_not_believed() -> None:
    seconds = iter(range(0, 10**6, doubts.LONGEST_LOOK_SECONDS))
    with patch.object(looking, "monotonic", lambda: next(seconds)):
        assert looking.at_one_moment(lambda: ("found", {}))[1].names == {doubts.EVERYTHING}
    assert looking.at_one_moment(lambda: ("found", {}))[1].names == frozenset()
