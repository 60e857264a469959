"""Whatever the delivery does, no answer claims more than is in its aggregates; windows lose their states, too."""

from collections import defaultdict
from decimal import Decimal
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from delivery import Simulator, Source, make_record
from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb.attributes import Item, key_item, n, s
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.dynamodb.writes import Put, Write
from edgewise.freshness import shards as register
from edgewise.freshness.hops import Hop, Hops, ways
from edgewise.freshness.keys import watermark as watermark_key
from edgewise.freshness.shards import NO_PARENT, Heartbeat, Shards, heartbeat_item
from edgewise.freshness.telling import Teller
from edgewise.times import SECOND, Millis
from functions.replay.memory import MemoryTable
from functions.systems.chat.codec import message_item
from functions.systems.chat.entity import Message
from functions.systems.chat.system import ROOM, USER
from functions.systems.graph.codec import edge_item
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.graph.system import DEGREE
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.orders.system import CUSTOMER
from tests.conftest import DUE, KNOWN
from tests.delivery.consuming import Consume, consuming
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.test_windowed import GOOD, of_carrier, reading
from tests.support.http import Context
from tests.support.streams import PRESENT, window_event

NAMES = [f"{number:x}" for number in range(8)]
HUB = NodeId("person", "hub")
_SOURCE = Source()


def source(number: int) -> tuple[Item, list[tuple[AggregateId, str]]]:
    """A new item, and the numbers that it is one of; a user counts rooms, of which each message here has its own."""
    match number % 5:
        case 0:
            order = Order("amy", f"{number}", 7, Decimal(1), None)
            return ORDER.encode(order), [(CUSTOMER("amy"), "Orders")]
        case 1 | 2 | 3:
            edge = GraphEdge(HUB, "KNOWS", NodeId("person", f"{number}"), Decimal(1))
            return edge_item(edge), [(DEGREE(("person", "hub"), "out", "KNOWS"), "Edges")]
        case _:
            message = Message(f"r{number}", 1, "amy", 7, f"m{number}", "hi")
            return message_item(message), [(USER("amy"), "Rooms"), (ROOM(f"r{number}"), "Users")]


def mark(table: MemoryTable) -> tuple[bool, bool, bool]:
    """How far a shard has told it has come: whether all is absorbed until the heartbeat, carried on, and brought."""
    at, *told = KNOWN(table).watermarks["a"].history[-1]
    return tuple(each == at - 1 for each in told)  # type: ignore[return-value]


def test_what_waits_is_neither_carried_nor_brought(consume: Consume) -> None:
    table = MemoryTable()

    def deliver(*records: dict[str, Any], state: Any = None, ends: bool = False) -> Any:
        beat = make_record(_SOURCE, None, heartbeat_item(Heartbeat("x", PRESENT)), 10**21, PRESENT / SECOND, False)
        return consumer(window_event("a", [*records, beat.form], ends=ends) | {"state": state or {}}, Context())

    consumer = consume(table)
    first = deliver(reading(0, GOOD))
    assert mark(table) == (True, False, True)
    deliver(state=first["state"], ends=True)
    assert mark(table) == (True, True, True)
    second = deliver(of_carrier(table, 1), reading(2, GOOD))
    assert mark(table) == (True, False, False)
    deliver(state=second["state"], ends=True)
    assert mark(table) == (True, True, True)


def beaten(times: int = 1) -> dict[str, Any]:
    """The event of a heartbeat, sent so often since the last event."""
    beats = [heartbeat_item(Heartbeat("x", PRESENT - each)) for each in range(times)]
    numbered = enumerate(beats, 10**21)
    return window_event(
        "a", [make_record(_SOURCE, None, beat, number, PRESENT / SECOND, False).form for number, beat in numbered]
    )


def test_the_consumer_goes_on_if_the_table_takes_no_watermark(consume: Consume) -> None:
    class Busy(MemoryTable):
        def write(self, write: Write) -> None:
            if isinstance(write, Put) and write.item["Type"] == s("WATERMARK"):
                raise ThrottledError(())
            super().write(write)

    table = Busy()
    assert consume(table)(beaten(), Context()) == {"state": {}, "batchItemFailures": []}
    assert KNOWN(table).watermarks == {}


def test_a_name_that_comes_often_is_told_once(consume: Consume) -> None:
    """Readers who wait send heartbeats twice a second each, and all of a shard that is behind come together."""
    table = MemoryTable()
    consume(table)(beaten(1000), Context())
    assert KNOWN(table).watermarks["a"].heartbeats == ("x",)


def test_a_watermark_that_another_release_wrote_holds_nobody_up(consume: Consume) -> None:
    table = MemoryTable()
    foreign = {"Type": s("WATERMARK"), "Version": n(3), "Reached": s("something else")}
    table.put_many([key_item(watermark_key("a")) | foreign])
    assert KNOWN(table).watermarks == {}
    consume(table)(beaten(), Context())
    assert KNOWN(table).watermarks["a"].version == 4


class History:
    """A table under hostile delivery, with what was stored when."""

    def __init__(self, random: Random, table: SimulatedMemory, simulator: Simulator) -> None:
        self.random, self.table, self.simulator = random, table, simulator
        self.stored = defaultdict[tuple[AggregateId, str], list[Millis]](list)
        self.claimed, self.count, self.version = 0, 0, 0

    def store(self) -> None:
        item, counted = source(self.count)
        self.count += 1
        self.table.put_many([item])
        for each in counted:
            self.stored[each].append(clock.now())

    def beat(self) -> None:
        self.table.put_many([heartbeat_item(Heartbeat(name, clock.now())) for name in NAMES])

    def survey(self) -> None:
        parents = {_name(each.id): _name(each.parent or NO_PARENT) for each in self.table.stream.open_shards}
        self.version += 1
        self.table.write(register.replacing(Shards(self.version, parents, tuple(NAMES))))

    def deliver(self) -> None:
        self.table.stream.clock.advance(self.random.choice((0, 0.2, 1, 2, 5, 20)))
        for _ in range(self.random.randint(1, 6)):
            self.simulator.step()

    def look(self) -> None:
        """Compare what is claimed with what is there."""
        known = KNOWN(self.table)
        for (about, cell), stored in self.stored.items():
            as_of = known.as_of(_ways(about.kind), clock.now())
            if as_of is not None:
                cells = aggregate(about, self.table.get(keys.of(about))).cells
                found = cells[cell].count if cell in cells else 0
                assert found >= sum(at <= as_of for at in stored), (about, as_of, clock.now())
                self.claimed += sum(at <= as_of for at in stored)


def _ways(kind: Kind) -> list[Hops]:
    """The ways to a kind where no change entails a follow-up: nobody reads the stream for these here."""
    return [tuple(hop for hop in way if hop is not Hop.FOLLOWED) for way in ways(kind)]


def _name(shard: str) -> str:
    return shard.removeprefix("shardId-")


def run(seed: int, *, also_without: bool) -> History:
    random, table = Random(seed), SimulatedMemory(shards=3)
    with consuming() as consume, patch.object(Teller, "is_due", DUE if also_without else lambda *_: False):
        history = History(random, table, table.delivered_to(consume(table), random))
        history.survey()
        deeds = [history.store, history.store, history.beat, history.deliver, history.deliver, history.look]
        for _ in range(120):
            random.choice([*deeds, history.survey] if random.random() < 0.3 else deeds)()
        return history


@pytest.mark.parametrize("also_without", [False, True])
def test_what_is_claimed_is_there(also_without: bool) -> None:
    claimed = [run(seed, also_without=also_without).claimed for seed in range(40)]
    assert sum(each > 0 for each in claimed) > 20  # or it would hold for nothing
