"""Whatever an input causes is isolated: every record beside it is counted, and the shard goes on."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest

from edgewise import Indexed
from edgewise.aggregates import keys, stored
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.cells import pack
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Delta
from edgewise.aggregates.open_hours.hours import Opening, OpenPart
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.stream import incomplete, verification
from edgewise.stream.register import register
from edgewise.times import HOUR
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.chat.system import POSTED_IN, ROOM, USER
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.graph.system import DEGREE
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import DEVICE, ROLLUP_DAY, ROLLUP_HOUR
from tests.delivery.consuming import Consume
from tests.support.http import Context
from tests.support.parts import with_part
from tests.support.streams import PRESENT, Recording, StreamedMemory, window_event

SEATTLE, AMY = ROOM("seattle"), NodeId("person", "amy")
SHARD = "00000001535544000000-00000001"
NOON = PRESENT - 60_000
# Readings of that time feed hours and days themselves.
PAST = NOON - 24 * HOUR
AS_LONG_AS_MAY_BE = Decimal("9999999999999.999999999999999999")


def message(number: int, user: str = "amy", room: str = "seattle") -> Item:
    return chat_codec.message_item(Message(room, 1, user, PRESENT - 60_000, f"{number}", "hello"))


def unlisted(item: Item) -> Item:
    """The item without its entry in the index by target, whose key would be too long as well."""
    return {name: value for name, value in item.items() if not name.startswith("GSI2")}


def knows(number: int, weight: Decimal) -> Item:
    return graph_codec.edge_item(GraphEdge(AMY, "KNOWS", NodeId("person", f"{number}"), weight))


def reading(number: int, value: int, minute: int = NOON) -> Item:
    return telemetry_codec.event_item(Reading("d", minute + number, "e", (), {"temp": Decimal(value)}))


class Shard:
    """A table with one shard, and the consumer to which all of it is delivered."""

    def __init__(self, table: Recording, consume: Consume) -> None:
        self.table, self._consumer = table, consume(table)

    def deliver(self, *items: Item) -> None:
        self.table.put_many(items)
        self.drain()

    def drain(self) -> None:
        """Until nothing is left of what the consumer itself writes."""
        (shard,) = self.table.shards
        while records := list(self.table.shards[shard]):
            self.table.shards[shard].clear()
            self._consumer(window_event(SHARD, records), Context())

    def counts(self, about: AggregateId) -> dict[str, int]:
        return {name: cell.count for name, cell in self.aggregate(about).cells.items()}

    def aggregate(self, about: AggregateId) -> Any:
        return aggregate(about, self.table.get(keys.of(about)))

    def lacking(self) -> list[tuple[str, Any]]:
        return [(each.kind, each.dimensions) for each in incomplete.page(self.table, 100, None)[0]]


@pytest.fixture
def shard(consume: Consume) -> Shard:
    return Shard(StreamedMemory(), consume)


@pytest.fixture
def unforeseen() -> Iterator[None]:
    """Nothing that eve causes can be written, for a reason that nobody has thought of."""

    def failing(about: AggregateId, cells: Mapping[str, Cell]) -> Item:
        if "eve" in about.dimensions:
            raise RuntimeError("nobody foresaw this")
        return {}

    with with_part(POSTED_IN, Indexed(failing)), with_part(USER, Indexed(failing)):
        yield


def test_a_sum_of_more_digits_than_dynamodb_counts_is_exact(shard: Shard) -> None:
    """The greatest weight is added to a sum that 38 digits can just hold."""
    about = DEGREE(AMY, "out", "KNOWS")
    filled = Decimal(10) ** 20 - 1
    before = Aggregate(about, 1, {"Edges": Cell(7, filled)}, {})
    shard.table.put_version(aggregate_item(before), replaces=0)
    shard.drain()
    shard.deliver(*(knows(number, AS_LONG_AS_MAY_BE) for number in range(200)))
    total = (10**20 - 1) * 10**18 + 200 * (10**31 - 1)
    assert shard.aggregate(about).cells == {"Edges": Cell(207, Decimal(f"{total}e-18"))}
    assert shard.lacking() == []


def test_a_name_too_long_for_a_key_spoils_nothing_else(shard: Shard) -> None:
    """No edge to a room of such a name can be stored; it was put into the table by somebody else."""
    long = "x" * 1100
    shard.deliver(message(1), unlisted(message(2, room=long)), message(3))
    shard.deliver(message(4), unlisted(message(5, room=long)), message(6, user="bob"))
    assert shard.counts(SEATTLE) == {"Messages": 4, "Users": 2}
    assert shard.lacking() == [("POSTED_IN", ["amy", long])]
    assert register(shard.table).count == 0


@pytest.mark.usefixtures("unforeseen")
def test_what_nobody_foresaw_is_noted_once_on_the_aggregate(shard: Shard) -> None:
    for number in range(0, 40, 4):
        shard.deliver(
            message(number), message(number + 1, "eve"), message(number + 2, "eve"), message(number + 3, "bob")
        )
    assert shard.counts(SEATTLE) == {"Messages": 20, "Users": 2}
    assert shard.lacking() == [("POSTED_IN", ["eve", "seattle"])]
    assert register(shard.table).count == 0


def test_of_the_records_of_one_aggregate_only_those_are_left_out_that_it_cannot_take(shard: Shard) -> None:
    def refused(cell: Cell, start: int) -> Any:
        if cell.extremes.high == 13:
            raise ZeroDivisionError("a cell that can't be written")
        return pack(cell, start)

    readings = [reading(number, 13 if number == 5 else number % 10, PAST) for number in range(20)]
    with patch.object(stored, "pack", refused):
        shard.deliver(*readings)
    hour = shard.aggregate(ROLLUP_HOUR("d", PAST))
    assert hour.cells["0.temp"].count == 19
    assert hour.lacks == "ZeroDivisionError: a cell that can't be written"
    assert shard.counts(DEVICE("d")) == {"Events": 20}


def test_what_an_open_hour_passes_over_its_hour_and_its_day_lack_too(shard: Shard) -> None:
    """They say so, each until it is repaired: a repair of the device does not tell them what it lacked."""
    absorbed, at = OpenPart.absorbed, DEVICE("d")

    def refused(part: OpenPart, opening: Opening, deltas: Mapping[str, Delta], *rest: Any) -> OpenPart:
        if any(delta.extremes.high == 13 for delta in deltas.values()):
            raise ZeroDivisionError("a cell that can't be opened")
        return absorbed(part, opening, deltas, *rest)

    with patch.object(OpenPart, "absorbed", refused):
        shard.deliver(*(reading(number, 13 if number == 5 else number % 10) for number in range(20)))
    fed = [ROLLUP_HOUR("d", NOON), ROLLUP_DAY("d", NOON - 12 * HOUR)]
    assert {bool(shard.aggregate(about).lacks) for about in (at, *fed)} == {True}
    verification.repair(shard.table, at, pause=lambda: None, may_go_on=lambda: True)
    assert [bool(shard.aggregate(about).lacks) for about in (at, *fed)] == [False, True, True]
    for about in fed:
        verification.repair(shard.table, about, pause=lambda: None, may_go_on=lambda: True)
        after = verification.verify(shard.table, about, lambda: True)
        assert (after.equal, after.stored.lacks, after.stored.cells["0.temp"].count) == (True, "", 20)
    assert shard.lacking() == []


def test_an_aggregate_that_lacks_something_goes_on_to_count(shard: Shard) -> None:
    with patch.object(stored, "pack", side_effect=RuntimeError("a broken release")):
        shard.deliver(message(1))
    shard.deliver(message(2), message(3))
    edge = shard.aggregate(POSTED_IN("amy", "seattle"))
    assert (edge.cells["Count"].count, bool(edge.lacks)) == (2, True)


def test_passing_faults_are_raised(shard: Shard) -> None:
    """An outage is no reason to leave anything out."""
    shard.table.put_many([message(1)])
    with patch.object(shard.table, "get_many", side_effect=ConnectionError("reset")), pytest.raises(ConnectionError):
        shard.drain()
