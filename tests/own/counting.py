"""What a shop's views may say, by a plain count of what its stream tells of its orders: no engine is asked.

An answer may be of any moment since an instant, of one order more than of another: whatever was stored before that
instant is in it. So each order gives all that it may count as, and an answer is right if it is a sum of these.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from delivery import Stream
from edgewise.times import EARLIEST, SECOND, Millis

# From so many euros on an order is dear.
DEAR = 50
# More sums than this are not told apart: then each number is held against its bounds.
MOST_SUMS = 3000


class Order(NamedTuple):
    """An order as the shop stored it; `euros` are None if it has none, and not `readable` if nobody can add them up."""

    group: str
    product: str
    buyer: str | None
    status: str | None
    euros: int | None
    readable: bool


class State(NamedTuple):
    """What an order was from an instant on, by the record that tells so; None: it was not there."""

    at: Millis
    shard: str
    sequence: int
    order: Order | None


class Counted(NamedTuple):
    """What an order counts as in a row that it is in."""

    euros: int | None
    buyer: str | None


class Question(NamedTuple):
    """Which row is asked for: that of a set, of the orders that have these values, by attributes of orders.

    `by`: empty if all orders of the set are in one row.
    """

    of_set: str
    by: Sequence[str]
    values: Sequence[str]


class Numbers(NamedTuple):
    """The numbers of a row; by default, of one that is not there."""

    orders: int = 0
    summed: int = 0
    euros: int = 0


# What one order may count as; None: as nothing.
May = frozenset[Counted | None]
NEVER = State(EARLIEST, "", 0, None)
SETS: dict[str, Callable[[Order], bool]] = {
    "all": lambda _: True,
    "open": lambda order: order.status == "open",
    # Nobody can tell whether one is dear whose amount can't be read.
    "dear": lambda order: not order.readable or (order.euros is not None and order.euros >= DEAR),
}


class Orders:
    """The states of all orders that a stream has told of so far."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._read: dict[str, int] = defaultdict(int)
        self._states: dict[str, list[State]] = defaultdict(lambda: [NEVER])

    def follow(self) -> None:
        """Take on what the stream has had since the last call."""
        for shard in self._stream.shards:
            for record in shard.records[self._read[shard.id] :]:
                change = record.form["dynamodb"]
                if _is_order(change.get("NewImage") or change["OldImage"]):
                    new = change.get("NewImage")
                    state = State(int(record.at * SECOND), shard.id, record.sequence, new and _order(new))
                    self._states[record.item].append(state)
            self._read[shard.id] = len(shard.records)

    @property
    def last(self) -> int:
        """The number of the last record."""
        return max(states[-1].sequence for states in self._states.values()) if self._states else 0

    def may(self, question: Question, has: Callable[[State], bool], *, by_buyer: bool = False) -> list[May]:
        """What each order may count as for whoever has all states of which `has` says so, and perhaps later ones.

        `by_buyer`: each buyer's part of a row comes by an edge of its own. So an order whose buyer changes may count as
        both for a while, or as none.
        """
        found = (
            frozenset(each for state in _since(states, has) for each in _counted(state.order, question))
            for states in self._states.values()
        )
        each_alone = chain.from_iterable(map(_of_each_buyer, found)) if by_buyer else found
        return [may for may in each_alone if may != {None}]


def _of_each_buyer(may: May) -> Iterator[May]:
    """What an order may count as of each buyer that it has had."""
    buyers = {counted.buyer for counted in may if counted}
    if len(buyers) < 2:
        yield may
        return
    for buyer in buyers:
        yield frozenset(counted if counted and counted.buyer == buyer else None for counted in may)


def _since(states: Sequence[State], has: Callable[[State], bool]) -> Sequence[State]:
    last = max(place for place, state in enumerate(states) if state is NEVER or has(state))
    return states[last:]


def _counted(order: Order | None, question: Question) -> Iterator[Counted | None]:
    """What an order counts as; nothing at all if nobody can read it, since no row is complete then."""
    if order is None or not SETS[question.of_set](order) or not _is_in(order, question):
        yield None
    elif order.readable:
        yield Counted(order.euros, order.buyer)


def _is_in(order: Order, question: Question) -> bool:
    return all(getattr(order, name) == value for name, value in zip(question.by, question.values, strict=True))


def faults(may: Sequence[May], found: Any, *, extremes: bool, distinct: bool) -> Iterator[str]:
    """What of a row can't be, told in words."""
    if not all(may):
        yield "an order that it counts can't be read"
        return
    numbers = (found.orders, found.summed, int(found.euros))
    if not _is_sum(may, numbers):
        yield f"count, summed and sum {numbers} are none of {_told(may)}"
    if extremes:
        yield from _extreme_faults(may, found.least, "least", -1)
        yield from _extreme_faults(may, found.greatest, "greatest", 1)
    if distinct:
        certain, possible = _buyers(may)
        if not len(certain) <= found.buyers <= len(possible):
            yield f"{found.buyers} buyers are not from {len(certain)} to {len(possible)}"


def buyers_faults(may: Sequence[May], found: Sequence[str]) -> Iterator[str]:
    """What of a list of a row's buyers can't be."""
    certain, possible = _buyers(may)
    if not all(may):
        yield "an order that it counts can't be read"
    elif not certain <= {*found} <= possible or list(found) != sorted({*found}):
        yield f"{found} are not {sorted(certain)}, and perhaps {sorted(possible - certain)}"


def ranking_faults(may: Mapping[str, Sequence[May]], numbers: Mapping[str, int]) -> Iterator[str]:
    """What of a ranking can't be: of all whom it may name, what they may count; and those whom it names, in order."""
    if list(numbers.values()) != sorted(numbers.values(), reverse=True):
        yield f"{numbers} are not in order"
    for member, orders in may.items():
        if not all(orders):
            yield f"an order of {member} can't be read"
        elif member in numbers:
            low, high = (sum(bound(_numbers(each)[2] for each in one) for one in orders) for bound in (min, max))
            if not low <= numbers[member] <= high:
                yield f"{member} {numbers[member]} is none of {_told(orders)}"
        elif any(None not in one for one in orders):
            yield f"{member} is not named: {_told(orders)}"


def _is_order(image: Any) -> bool:
    return "group" in image


def _order(image: Any) -> Order:
    euros = image.get("euros", {})
    amount = int(euros["N"]) if "N" in euros else None
    buyer, status = (image[name]["S"] if name in image else None for name in ("buyer", "status"))
    return Order(image["group"]["S"], image["product"]["S"], buyer, status, amount, "S" not in euros)


def _numbers(counted: Counted | None) -> tuple[int, int, int]:
    if counted is None:
        return 0, 0, 0
    return 1, int(counted.euros is not None), counted.euros or 0


def _is_sum(may: Sequence[May], numbers: tuple[int, int, int]) -> bool:
    found = {(0, 0, 0)}
    for each in sorted(may, key=len):
        adds = {_numbers(counted) for counted in each}
        found = {(a + d, b + e, c + f) for a, b, c in found for d, e, f in adds}
        if len(found) > MOST_SUMS:
            return _is_within(may, numbers)
    return numbers in found


def _is_within(may: Sequence[May], numbers: tuple[int, int, int]) -> bool:
    each = [list(zip(*map(_numbers, one), strict=True)) for one in may]
    bounds = [(sum(min(one[place]) for one in each), sum(max(one[place]) for one in each)) for place in range(3)]
    return all(low <= number <= high for number, (low, high) in zip(numbers, bounds, strict=True))


def _told(may: Sequence[May]) -> str:
    return "; ".join(" or ".join(str(_numbers(counted)) for counted in each) for each in may) or "nothing"


def _extreme_faults(may: Sequence[May], found: Decimal | None, name: str, sign: int) -> Iterator[str]:
    """Recounts read what is stored, which may be ahead of what is counted: an extreme may be of another moment."""
    amounts = [{counted.euros if counted else None for counted in each} for each in may]
    possible = {amount for each in amounts for amount in each if amount is not None}
    certain = [min(sign * amount for amount in each if amount is not None) for each in amounts if None not in each]
    if found is None:
        if certain:
            yield f"no {name} of {amounts}"
    elif found not in possible or (certain and sign * found < max(certain)):
        yield f"{name} {found} of {amounts}"


def _buyers(may: Sequence[May]) -> tuple[set[str], set[str]]:
    """The buyers whom a row counts in any case, and those whom it may count."""
    certain = {buyer for each in may if (buyer := _only_buyer(each))}
    return certain, {counted.buyer for each in may for counted in each if counted and counted.buyer}


def _only_buyer(may: May) -> str | None:
    """The buyer that an order has in any case."""
    buyers = {counted.buyer if counted else None for counted in may}
    return next(iter(buyers)) if len(buyers) == 1 else None
