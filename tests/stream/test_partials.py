"""Partial aggregates as items, as sources, and as that what keeps items small."""

from collections.abc import Mapping
from decimal import Decimal
from functools import partial
from typing import Any

import pytest

from delivery import Stream
from delivery.records import TIME_TO_LIVE
from functions.aggregates import keys, packed_checkpoints
from functions.aggregates.aggregate import TOO_LATE, Aggregate
from functions.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint
from functions.aggregates.edges import Edge
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell, Observation
from functions.aggregates.partials import MAX_PARTIALS, Partials
from functions.aggregates.stored import aggregate, aggregate_item
from functions.catalog import CATALOG, FOLLOW_UPS
from functions.dynamodb.attributes import key_of
from functions.dynamodb.table import Table
from functions.errors import MalformedRecordError
from functions.stream import changes, incomplete, quarantine, writer
from functions.stream.redrive import redrive
from functions.stream.register import Register, replacement
from functions.stream.verification import repair, verify
from functions.systems.chat import system as chat_system
from functions.systems.games.entity import Played
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import GraphEdge, NodeId
from functions.systems.graph.system import DEGREE
from functions.systems.places import system as places_system
from functions.systems.telemetry.entity import Reading
from functions.times import SECOND
from functions.web.fields import Id, Name
from tests.support.limits import CHARACTERS, assert_keys_fit, longest, longest_place
from tests.support.memory import MemoryTable
from tests.support.streams import PRESENT, StreamedMemory

AMY, BOB, EVE = (NodeId("person", name) for name in ("amy", "bob", "eve"))
ROOM, PLACE = chat_system.ROOM("seattle"), places_system.PLACE(("US", "New York"))
IN = DEGREE(BOB, "in", "KNOWS")
CHECKPOINT = Checkpoint(10**20, 1_535_544_000_000)


def partial_item(of: AggregateId, partial: int, **cells: Cell) -> Any:
    return aggregate_item(Aggregate(of._replace(partial=partial), 1, cells, {"shard": CHECKPOINT}))


def record(old: Any, new: Any, **other: Any) -> dict[str, Any]:
    images = {name: image for name, image in (("OldImage", old), ("NewImage", new)) if image}
    change = {"SequenceNumber": str(10**20), "ApproximateCreationDateTime": 1_535_544_000} | images
    return {"eventName": "MODIFY" if old and new else "REMOVE", "dynamodb": change} | other


def test_a_partial_as_an_item() -> None:
    assert partial_item(IN, 3, Edges=Cell(-2, Decimal("-1.5"))) == {
        "PK": {"S": "PART#NODE#person#bob#DEGREE#in#KNOWS"},
        "SK": {"S": "3#DEGREE#in#KNOWS"},
        "Type": {"S": "PART"},
        "Of": {"L": [{"S": "DEGREE"}, {"L": [{"S": "person"}, {"S": "bob"}]}, {"S": "in"}, {"S": "KNOWS"}]},
        "Version": {"N": "1"},
        "Seqs": {"B": packed_checkpoints.pack({"shard": CHECKPOINT})},
        "Cells": {"M": {"Edges": {"S": "-2 -1.5"}}},
    }


@pytest.mark.parametrize("of", [ROOM, PLACE, IN])
def test_it_comes_back_and_names_what_it_is_of(of: AggregateId) -> None:
    item = partial_item(of, 3, Events=Cell(7))
    assert aggregate(of._replace(partial=3), item).cells == {"Events": Cell(7)}
    assert changes.effects(CATALOG, record(None, item)).keys() == {of}


def test_the_difference_that_a_partial_made_goes_to_its_aggregate() -> None:
    """Also below zero, and a sum that no count stands for: another partial aggregate has the rest."""
    old, new = partial_item(IN, 3, Edges=Cell(1, Decimal(5))), partial_item(IN, 3, Edges=Cell(0, Decimal("-2.5")))
    (effect,) = changes.effects(CATALOG, record(old, new)).values()
    absorbed = Aggregate(IN, cells={"Edges": Cell(4, Decimal(10))}).absorb("shard", [effect], PRESENT)
    assert absorbed is not None
    assert absorbed.aggregate.cells == {"Edges": Cell(3, Decimal("2.5"))}


@pytest.mark.parametrize("other", [{}, {"userIdentity": TIME_TO_LIVE}])
def test_an_emptied_partial_that_leaves_changes_nothing(other: dict[str, Any]) -> None:
    emptied = partial_item(ROOM, 3)
    assert changes.effects(CATALOG, record(emptied, None, **other)) == {}


def test_what_only_its_checkpoints_changed_says_nothing_to_the_aggregate() -> None:
    one, other = (Aggregate(ROOM._replace(partial=1), 1, {"Users": Cell(1)}, {shard: CHECKPOINT}) for shard in "ab")
    assert changes.effects(CATALOG, record(aggregate_item(one), aggregate_item(other))) == {}


@pytest.mark.parametrize("history", ["4", "1,3@2018-08-29T12:00:00Z", "8,1@2018-08-29T12:00:00Z"])
def test_the_partial_follows_from_the_records_own_time(history: str) -> None:
    """The step is at the record's time; a second before it, the number before counts."""
    partials, edge = Partials.parse(history), graph_codec.edge_item(GraphEdge(AMY, "KNOWS", BOB, Decimal(2)))
    for seconds, at in ((0, 1_535_544_000_000), (-1, 1_535_543_999_000)):
        one = record(None, edge)
        one["dynamodb"]["ApproximateCreationDateTime"] += seconds
        number = partials.partial_of("shard", at)
        changed = changes.effects(CATALOG, one, partial(partials.partial_of, "shard"))
        assert (IN if number is None else IN._replace(partial=number)) in changed
        assert DEGREE(AMY, "out", "KNOWS") in changed


class Shards:
    """A table of four shards, and the consumer's work on them."""

    def __init__(self, partials: Partials) -> None:
        self.table, self.partials = StreamedMemory(shards=4), partials
        self.table.write(replacement(Register(1, partials=partials)))
        self.table.start_recording(shards=4)

    def put(self, *edges: GraphEdge) -> None:
        self.table.put_many([graph_codec.edge_item(edge) for edge in edges])
        self.deliver()

    def deliver(self) -> None:
        while any(self.table.shards.values()):
            for shard, records in self.table.shards.items():
                delivered, records[:] = list(records), []
                for one in delivered:
                    changed = changes.effects(CATALOG, one, partial(self.partials.partial_of, shard))
                    writer.apply(self.table, shard, {about: [effect] for about, effect in changed.items()})


def stored(table: Table, of: AggregateId) -> Aggregate:
    return aggregate(of, table.get(keys.of(of)))


def edges(first: int, last: int) -> list[GraphEdge]:
    return [GraphEdge(NodeId("person", str(number)), "KNOWS", BOB, Decimal(number)) for number in range(first, last)]


def test_many_shards_feed_the_partials_and_these_the_aggregate() -> None:
    shards = Shards(Partials.parse("3"))
    shards.put(*edges(0, 40))
    partials = [stored(shards.table, IN._replace(partial=partial)) for partial in range(3)]
    assert sum(partial.cells["Edges"].count for partial in partials) == 40
    assert sum(len(partial.checkpoints) for partial in partials) == 4
    hub = stored(shards.table, IN)
    assert hub.cells == {"Edges": Cell(40, Decimal(sum(range(40))))}
    assert len(hub.checkpoints) <= 3


def test_an_aggregate_with_partials_is_recounted_and_repaired() -> None:
    """What its partial aggregates bring later are differences: they don't undo the repair."""
    shards = Shards(Partials.parse("3"))
    shards.put(*edges(0, 10))
    assert verify(shards.table, IN, lambda: True).equal
    hub = stored(shards.table, IN)
    broken = Aggregate(IN, hub.version + 1, {"Edges": Cell(7)}, hub.checkpoints)
    shards.table.put_version(aggregate_item(broken), replaces=hub.version)
    assert not repair(shards.table, IN, lambda: None, lambda: True).equal
    shards.table.clock = PRESENT / SECOND + 60
    shards.put(*edges(10, 20))
    shards.table.delete(key_of(graph_codec.edge_item(*edges(0, 1))))
    shards.deliver()
    assert stored(shards.table, IN).cells == {"Edges": Cell(19, Decimal(sum(range(20))))}
    assert verify(shards.table, IN, lambda: True).equal


@pytest.mark.parametrize("history", ["3", "1,3@2018-08-29T12:00:00Z,8@2018-08-29T12:00:01Z"])
def test_a_record_that_is_redriven_finds_the_partial_that_has_it(history: str) -> None:
    """As it does when the stream had already brought it to a release that could read it."""
    shards = Shards(Partials.parse(history))
    shards.table.put_many([graph_codec.edge_item(edge) for edge in edges(0, 10)])
    delivered = {shard: list(records) for shard, records in shards.table.shards.items()}
    shards.deliver()
    for shard, records in delivered.items():
        for one in records:
            quarantine.quarantine(shards.table, shard, one, "could not be read by another release")
            redrive(shards.table, FOLLOW_UPS, shard, one["dynamodb"]["SequenceNumber"].zfill(40))
    shards.deliver()
    assert stored(shards.table, IN).cells == {"Edges": Cell(10, Decimal(sum(range(10))))}


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", [1, 2, 8])
def test_the_longest_names_fit_the_keys_of_partials(levels: int, character: str) -> None:
    name, label, place = longest(Id, character), longest(Name, character), longest_place(levels, character)
    node = NodeId(label, name)
    for kind, source in (
        ("POSTED_IN", Edge((name,), (name,), 1)),
        ("EVENT", Reading(name, 0, "e", place, {})),
        ("GRAPH_EDGE", GraphEdge(node, label, node, Decimal(1))),
        ("PLAYED", Played(name, name, 1, 1)),
    ):
        partials = [
            each for each in CATALOG.contributions(kind, source, partial=MAX_PARTIALS - 1) if each.partial is not None
        ]
        assert partials
        for about in partials:
            assert_keys_fit(aggregate_item(Aggregate(about, 1, {}, {"shard": CHECKPOINT})))


def thirty_days(shards: int, partials: Partials) -> tuple[int, int]:
    """The most bytes of checkpoints in a partial aggregate, and in the room; all shards write all the time."""
    stream, in_use = Stream(shards=shards, first_sequence=10**27), dict[AggregateId, Aggregate]()
    hub, sequence, greatest = Aggregate(ROOM), 10**27, 0
    for hour in range(1, 30 * 24 + 1):
        stream.clock.advance(3600)
        at = int(stream.clock.now * 1000)
        for number, one in enumerate(stream.open_shards):
            ended = hour % 4 == number % 4
            shard = (stream.roll_over(one) if ended else one).id.removeprefix("shardId-")
            sequence += 10**9
            about = ROOM._replace(partial=partials.partial_of(shard, at) or 0)
            in_use[about] = absorbed(in_use.get(about, Aggregate(about)), shard, sequence, at)
        shard = stream.open_shards[0].id.removeprefix("shardId-")
        hub = absorbed(hub, shard, sequence, at)
        greatest = max(greatest, *(len(packed_checkpoints.pack(partial.checkpoints)) for partial in in_use.values()))
    return greatest, len(packed_checkpoints.pack(hub.checkpoints))


def absorbed(current: Aggregate, shard: str, sequence: int, at: int) -> Aggregate:
    found = current.absorb(shard, [Effect(Checkpoint(sequence, at), {"Users": Observation()}, {})], at)
    assert found is not None
    return found.aggregate


@pytest.mark.parametrize("shards", [8, 16, 32])
def test_thirty_days_of_roll_overs_leave_less_than_1_kb_of_checkpoints_in_each_partial(shards: int) -> None:
    """With half as many partial aggregates as shards, as docs/operations.md says."""
    partial, hub = thirty_days(shards, Partials.parse(str(shards // 2)))
    assert partial < 1024
    assert hub < 300


def test_without_partials_they_would_be_more() -> None:
    partial, _ = thirty_days(16, Partials.parse("1"))
    assert partial > 3 * 1024


@pytest.mark.parametrize(
    "name",
    [
        {"L": [{"S": "DECLARED_LATER"}, {"S": "x"}]},
        {"L": [{"S": "ROOM"}]},
        {"L": [{"S": "ROOM"}, {"S": "another"}]},
        {"L": [{"S": "DEGREE"}, {"S": "seattle"}]},
        {"L": [{"S": "PLACE"}, {"S": "seattle"}]},
        {"L": []},
        {"S": "ROOM"},
    ],
)
def test_a_partial_of_nothing_that_the_release_knows_is_malformed(name: Any) -> None:
    """It goes into quarantine: were it found out while an aggregate is written, it would block its shard."""
    with pytest.raises(MalformedRecordError):
        changes.effects(CATALOG, record(None, partial_item(ROOM, 3, Users=Cell(1)) | {"Of": name}))


def test_what_a_partial_aggregate_lacks_again_after_a_repair_is_noted_again() -> None:
    """The note names the aggregate that people repair; the repair reaches the partial one too."""
    table, about = MemoryTable(), ROOM._replace(partial=1)
    table.write(replacement(Register(1, {}, Partials.parse("1,3@2018-08-29T12:00:00Z"))))

    def come_late(sequence: int) -> Mapping[AggregateId, str]:
        late = Effect(Checkpoint(sequence, PRESENT - LATEST_DELIVERY - 1), {"Users": Observation()}, {})
        return writer.apply(table, "shard", {about: [late]}).lacking

    def noted() -> list[tuple[str, Any]]:
        return [(each.kind, each.dimensions) for each in incomplete.page(table, 9, None)[0]]

    for sequence in (1, 2):
        assert come_late(sequence) == {about: TOO_LATE}
        assert noted() == [("ROOM", list(ROOM.dimensions))]
        repair(table, ROOM, lambda: None, lambda: True)
        assert noted() == []
