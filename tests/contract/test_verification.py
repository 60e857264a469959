"""Every kind of aggregate counted anew from the stored sources is what the stream made of them."""

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from unittest.mock import Mock, patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS
from edgewise.aggregates.continuations import declaration, readers
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import key_of
from edgewise.stream import changes, writer
from edgewise.stream.quarantine import Entry, quarantine
from edgewise.stream.register import register
from edgewise.stream.verification import RepairRefusedError, repair, verify
from functions.catalog import CATALOG
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from functions.systems.audits.system import EQUIPMENT
from functions.systems.chat import messages, rooms
from functions.systems.chat.entity import Message, Room
from functions.systems.chat.system import POSTED_IN, ROOM, USER
from functions.systems.places.system import HOSTS, PLACE
from functions.systems.telemetry import system as telemetry_system
from functions.systems.telemetry.entity import Reading
from functions.systems.telemetry.system import REPORTED_FROM, ROLLUP_DAY, ROLLUP_HOUR
from tests.delivery.consuming import LITTLE_ROOM
from tests.delivery.stories import STORIES
from tests.delivery.stories.story import Story
from tests.support import readings as events
from tests.support.crashes import dying_at
from tests.support.streams import Recording, StreamedMemory

START = 1_535_544_000_000
# Long before it is recorded, so that nothing of it stays open.
PAST = START - 24 * 3_600_000
DEVICE, BLOCK = telemetry_system.DEVICE("d"), ROLLUP_HOUR("d", PAST)


def always() -> bool:
    return True


def nothing() -> None:
    """No pause."""


def absorb(table: Recording) -> set[AggregateId]:
    """Absorb the stream to its end; gives every aggregate that was touched."""
    touched: set[AggregateId] = set()
    while any(table.shards.values()):
        for shard, records in table.shards.items():
            batch: dict[AggregateId, list[Effect]] = {}
            for record in [records.pop(0) for _ in range(len(records))]:
                for aggregate_id, effect in changes.effects(CATALOG, record).items():
                    batch.setdefault(aggregate_id, []).append(effect)
            writer.apply(table, shard, batch)
            touched |= batch.keys()
    return touched


@pytest.mark.parametrize("room", [declaration.ROOM, LITTLE_ROOM])
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_recount_of_every_aggregate_is_the_aggregate(
    story: Story, room: int, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    monkeypatch.setattr(declaration, "ROOM", room)
    table = StreamedMemory()
    table.put_many(story.setting)
    random = data.draw(st.randoms(use_true_random=True))
    kept = [story.source(random) for _ in range(data.draw(st.integers(1, 20)))]
    for source in kept:
        table.put_many([source.item])
    for source in kept[::3]:
        if key_of(source.item) in table.items:
            table.delete(key_of(source.item))
    for aggregate_id in absorb(table):
        assert verify(table, aggregate_id, always).equal, aggregate_id


def miscounted(table: Recording, item: Aggregate, cells: Mapping[str, Cell]) -> Aggregate:
    """The item after it was given other cells, of which nothing in the stream tells."""
    wrong = replace(item, version=item.version + 1, cells=cells)
    table.put_version(aggregate_item(wrong), replaces=item.version)
    return wrong


def many_metrics(table: Recording) -> list[Aggregate]:
    """A block of more metrics than fit into an item; gives all of its items."""
    metrics = {f"m{number}": Decimal(number) for number in range(40)}
    events.write(table, [Reading("d", PAST, "e", (), metrics), Reading("d", PAST + 1, "e", (), metrics)])
    absorb(table)
    return readers.whole(table, BLOCK)


def test_a_repair_puts_every_item_right(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong, lost or added by hand: each cell comes to where readers look for it, and checkpoints stay."""
    monkeypatch.setattr(declaration, "ROOM", LITTLE_ROOM)
    before = many_metrics(engine)
    assert len(before) > 17
    root, *others = before
    for item in others[:3]:
        miscounted(engine, item, dict.fromkeys(item.cells, Cell(7)))
    miscounted(engine, root, {**root.cells, "0.no such": Cell(1)})
    lost = next(item for item in others[3:] if not item.full)
    engine.delete(keys.of(lost.id))
    assert not repair(engine, BLOCK, nothing, always).equal
    assert verify(engine, BLOCK, always).equal
    after = {item.id: item for item in readers.whole(engine, BLOCK)}
    assert all(after[item.id].checkpoints.items() >= item.checkpoints.items() for item in before if item != lost)
    assert all(after[item.id].cells == item.cells for item in others)
    assert {name: cell for name, cell in after[BLOCK].cells.items() if cell.counts} == root.cells


def test_each_item_passes_over_what_a_repair_has_counted(engine: Recording, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is right by chance: it does not know the audit that went, nor that it went. One repair dies."""
    monkeypatch.setattr(declaration, "ROOM", LITTLE_ROOM)
    audits = [audits_items.AUDIT.encode(Audit("e", result, 1, PAST, "amy", result)) for result in ("passed", "failed")]
    engine.put_many(audits)
    absorb(engine)
    first, second = readers.whole(engine, EQUIPMENT("e"))
    engine.delete(key_of(audits[1]))
    miscounted(engine, first, {"Audits": Cell(7), "Result.passed": Cell(7)})
    miscounted(engine, second, {"Result.failed": Cell()})
    with dying_at(engine, 1):
        repair(engine, first.id, nothing, always)
    repair(engine, first.id, nothing, always)
    absorb(engine)
    after = [{name: cell.count for name, cell in item.cells.items()} for item in readers.whole(engine, first.id)]
    assert after == [{"Audits": 1, "Result.passed": 1}, {"Result.failed": 0}]


def reading(number: int, device: str = "d", place: tuple[str, ...] = ("US", "NY")) -> Reading:
    return Reading(device, START + number * 1000, f"e{number}", place, {"t": Decimal(number)})


@pytest.fixture
def stored(engine: Recording) -> Recording:
    events.write(engine, [reading(number, f"d{number % 3}" if number else "d") for number in range(7)])
    rooms.create(engine, Room.starting_with("seattle", 2))
    posts = [("amy", 1, "a"), ("amy", 2, "b"), ("bob", 2, "c")]
    messages.write(engine, [Message("seattle", shard, user, START, text, "hi") for user, shard, text in posts])
    absorb(engine)
    return engine


@pytest.mark.parametrize(
    ("aggregate_id", "sources"),
    [
        (DEVICE, 2),  # an event and an edge
        (REPORTED_FROM("d1", ("US", "NY")), 2),
        (ROLLUP_DAY("d1", START - START % 86_400_000), 2),
        (HOSTS(("US",), "d2"), 1),
        (PLACE(("US",)), 8),  # four devices, an edge of each
        (PLACE(("US", "NY")), 8),
        (POSTED_IN("amy", "seattle"), 2),
        (USER("amy"), 1),
        (ROOM("seattle"), 2),
    ],
)
def test_on_every_engine(stored: Recording, aggregate_id: AggregateId, sources: int) -> None:
    found = verify(stored, aggregate_id, always)
    assert found.equal
    # Items of other kinds in the same collections are read too: summaries, what a place contains.
    assert found.sources >= sources


def broken(table: Recording) -> Aggregate:
    """The device's summary as nobody should have written it."""
    return miscounted(table, aggregate(DEVICE, table.get(keys.of(DEVICE))), {"Events": Cell(7)})


def test_a_repair_keeps_the_checkpoints(stored: Recording) -> None:
    """Or the next delivery of what is in already would be counted."""
    before = verify(stored, DEVICE, always).recounted
    wrong = broken(stored)
    repair(stored, DEVICE, nothing, always)
    after = aggregate(DEVICE, stored.get(keys.of(DEVICE)))
    known = {**wrong.checkpoints, REPAIRS: after.checkpoints[REPAIRS]}
    assert after == replace(wrong, version=wrong.version + 1, cells=before, checkpoints=known)


def test_what_a_repaired_device_has_counted_still_reaches_its_hours(engine: Recording) -> None:
    """The third reading is stored and not delivered when the device is repaired; its hour learns of it later."""
    events.write(engine, [reading(0), reading(1)])
    absorb(engine)
    events.write(engine, [reading(2)])
    repair(engine, DEVICE, nothing, always)
    now = clock.now()
    with patch.object(clock, "now", lambda: now + 60_000):
        absorb(engine)
    hour = ROLLUP_HOUR("d", START)
    assert {each: verify(engine, each, always).equal for each in (DEVICE, hour)} == {DEVICE: True, hour: True}
    assert verify(engine, DEVICE, always).recounted["Events"].count == 3


def test_a_repair_of_what_is_right_writes_nothing(stored: Recording) -> None:
    before = stored.get(keys.of(DEVICE))
    assert repair(stored, DEVICE, nothing, always).equal
    assert stored.get(keys.of(DEVICE)) == before


def test_a_source_that_changes_meanwhile_stops_the_repair(stored: Recording) -> None:
    broken(stored)
    with pytest.raises(RepairRefusedError, match="being changed"):
        repair(stored, DEVICE, lambda: events.write(stored, [reading(9)]), always)


def test_an_aggregate_that_changes_meanwhile_stops_the_repair(stored: Recording) -> None:
    broken(stored)
    with pytest.raises(RepairRefusedError, match="being changed"):
        repair(stored, DEVICE, lambda: bump(stored), always)


def bump(table: Recording) -> None:
    now = aggregate(DEVICE, table.get(keys.of(DEVICE)))
    table.put_version(aggregate_item(replace(now, version=now.version + 1)), replaces=now.version)


def test_a_repair_needs_an_empty_quarantine(stored: Recording) -> None:
    """What is in quarantine is stored, but not counted yet: after the repair its redrive would count it twice."""
    wrong = broken(stored)
    quarantine(stored, "shard", Entry({"eventID": "abc"}, "error"))
    with pytest.raises(RepairRefusedError, match="redrive them first"):
        repair(stored, DEVICE, nothing, always)
    assert register(stored).count == 1
    assert aggregate(DEVICE, stored.get(keys.of(DEVICE))) == wrong


def test_a_recount_that_runs_out_of_time_repairs_nothing(stored: Recording) -> None:
    wrong = broken(stored)
    assert not verify(stored, DEVICE, iter([True, False]).__next__).complete
    asked = Mock(return_value=True)
    verify(stored, DEVICE, asked)
    # The first recount has time for everything, the second one for half of it.
    times = [True] * (asked.call_count * 3 // 2) + [False]
    with pytest.raises(RepairRefusedError, match="no time"):
        repair(stored, DEVICE, nothing, iter(times).__next__)
    assert aggregate(DEVICE, stored.get(keys.of(DEVICE))) == wrong
