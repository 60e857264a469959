"""The proof: whatever breaks the consumer, no right number is called wrong; and a consumer that is wrong is found."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from delivery import HOSTILE, NONE
from edgewise import Key, clock, rfc_3339
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates import stored
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import key_item
from edgewise.freshness import known
from edgewise.freshness.shards import Heartbeat, heartbeat_item
from edgewise.stream.quarantine import page
from edgewise.stream.redrive import redrive
from edgewise.times import DAY
from functions.catalog import FOLLOW_UPS
from functions.handlers import breakable_aggregator, edge_aggregator
from functions.replay.table import BreakableMemory
from functions.systems.chat.codec import message_item
from functions.systems.chat.entity import Message
from functions.systems.chat.system import POSTED_IN, ROOM
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.orders.system import CUSTOMER
from functions.systems.places.system import PLACE
from functions.systems.proof import looking, store
from functions.systems.proof.entity import Broken, Number
from functions.systems.proof.looking import Left, Look
from functions.systems.telemetry.system import DEVICE
from tests.conftest import KNOWN
from tests.delivery.consuming import Consume, consuming
from tests.delivery.mutants.changes import Edit
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.test_freshness import History
from tests.delivery.test_windowed import GOOD

HISTORIES = 8
NUMBERS = {
    PLACE(("US",)): "Events",
    PLACE(("US", "d")): "Events",
    DEVICE("e"): "Events",
    CUSTOMER("a"): "Orders",
    POSTED_IN("a", "r"): "Count",
    ROOM("r"): "Messages",
}
BROKEN: tuple[Broken, ...] = ("kill", "lose answer", "poison")


class Breakable(BreakableMemory, SimulatedMemory):
    """In memory, delivered by the simulator."""


class Varied(History):
    """Readings at places, which carriers bring, orders, and messages."""

    def store(self) -> None:
        number = self.count = self.count + 1
        match self.random.randrange(4):
            case 0:
                item = ORDER.encode(Order(self.random.choice("ab"), f"{number}", 7, Decimal(1), None))
            case 1:
                item = message_item(Message("r", 1, self.random.choice("ab"), 7, f"m{number}", "hi"))
            case _:
                device = self.random.choice("de")
                at = rfc_3339(clock.now() - self.random.choice((0, 0, DAY)))
                item = key_item(Key(f"DEVICE#{device}", f"EVENT#{at}#{number}")) | {"Type": {"S": "EVENT"}, **GOOD}
                item |= {"Place": {"L": [{"S": "US"}, {"S": device}]}}
        self.table.put_many([item])

    def beat(self) -> None:
        beats = [heartbeat_item(Heartbeat(f"{name}", clock.now())) for name in range(100)]
        in_shards = {self.table.stream.shard_of(each): each for each in beats}
        self.table.put_many(list(in_shards.values()))


@dataclass
class Watcher:
    """Somebody who breaks the consumer, and watches what it counts."""

    history: History
    looks: list[Look] = field(default_factory=list)
    left: str = ""

    def look(self) -> None:
        """Go on watching, and compare."""
        table = self.history.table
        numbers = tuple(Number(json.dumps(about.plain), cell) for about, cell in NUMBERS.items())
        watch = store.watch(table, numbers, plain=True)
        seen = looking.look(table, watch, list(NUMBERS), Left.of(self.left) if self.left else None)
        self.left = seen.left.text
        self.looks.append(seen)

    def compares(self) -> bool:
        """Whether it has come so far that each number is compared."""
        return bool(self.looks) and None not in self.looks[-1].differences

    def break_it(self) -> None:
        """Ask for a fault."""
        store.ask(self.history.table, self.history.random.choice(BROKEN), "", lambda _: None)

    def redrive(self) -> None:
        """Apply what is in quarantine."""
        for each in page(self.history.table, 10, None)[0]:
            redrive(self.history.table, FOLLOW_UPS, each.shard, each.sequence)


@pytest.fixture
def consume(monkeypatch: pytest.MonkeyPatch) -> Iterator[Consume]:
    monkeypatch.setattr(store, "WATCHED", 10**12)
    monkeypatch.setattr(known, "read", KNOWN)
    with consuming() as on:

        def broken(table: Any) -> Any:
            on(table)
            return breakable_aggregator.handler

        monkeypatch.setattr(breakable_aggregator, "table", lambda: edge_aggregator.table())
        yield broken


def live(seed: int, consume: Consume, steps: int = 150) -> Watcher:
    """Nothing is broken until numbers are compared; then anything is."""
    random, table = Random(seed), Breakable(shards=3)
    history = Varied(random, table, table.delivered_to(consume(table), random))
    history.survey()
    watcher, hostile = Watcher(history), replace(HOSTILE, split=0.001, roll_over=0.001)
    own = [history.store] * 6 + [history.beat] * 4 + [history.deliver] * 8
    history.simulator.faults = NONE
    while not watcher.compares():
        random.choice([*own, watcher.look])()
    history.simulator.faults = hostile
    for _ in range(steps):
        random.choice([*own, *[watcher.look] * 4, watcher.break_it, *[watcher.redrive] * 2, history.survey])()
    return watcher


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_no_right_number_is_called_wrong(seed: int, consume: Consume) -> None:
    looks = live(seed, consume).looks
    assert [look.differences for look in looks if any(look.differences)] == []
    assert sum(None not in look.differences for look in looks) > 10, "they are compared"


def test_a_plain_add_is_wrong_meanwhile_and_what_is_set_aside_is_lacking(consume: Consume) -> None:
    every = [live(seed, consume).looks for seed in range(3)]
    assert all(any(looks[-1].drifts) for looks in every)
    assert any(any(look.lacks) for looks in every for look in looks)


@pytest.mark.parametrize(
    "mutant",
    [
        Edit(Checkpoint.covers, "sequence <= self.sequence", "False"),
        Edit(Aggregate.fresh, "known is None or not known.covers(effect.checkpoint.sequence)", "True"),
    ],
    ids=["checkpoints cover nothing", "nobody looks at checkpoints"],
)
def test_a_consumer_that_is_wrong_is_found(mutant: Edit, consume: Consume) -> None:
    with mutant.made():
        looks = live(1, consume, steps=60).looks
    assert any(any(look.differences) for look in looks)


def test_what_is_counted_twice_shows_at_the_next_look(consume: Consume) -> None:
    watcher = live(1, consume, steps=0)
    table = watcher.history.table
    customer = next(iter(about for about in NUMBERS if about.kind is CUSTOMER))
    key = aggregate_keys.of(customer)
    counted = stored.aggregate(customer, table.get(key))
    cell = counted.cells.get("Orders", Cell())
    twice = replace(cell, count=cell.count + 1)
    table.items[key] = stored.aggregate_item(replace(counted, cells={**counted.cells, "Orders": twice}))
    watcher.look()
    assert watcher.looks[-1].differences == [1 if about is customer else 0 for about in NUMBERS]


def test_what_was_repaired_is_compared_anew(consume: Consume) -> None:
    """No record brought what a repair adds."""
    watcher = live(1, consume, steps=0)
    table = watcher.history.table
    key = aggregate_keys.of(CUSTOMER("a"))
    counted = stored.aggregate(CUSTOMER("a"), table.get(key))
    repaired = {**counted.checkpoints, REPAIRS: Checkpoint(7, clock.now())}
    cells = {**counted.cells, "Orders": Cell(count=1000)}
    table.items[key] = stored.aggregate_item(replace(counted, cells=cells, checkpoints=repaired))
    for expected in (None, 0):
        watcher.look()
        assert watcher.looks[-1].differences[list(NUMBERS).index(CUSTOMER("a"))] == expected
