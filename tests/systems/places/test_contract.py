"""Where entities live, on every engine: found at every level, and at no other place."""

from dataclasses import replace

import pytest

from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import n, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.stream import changes, writer
from functions.catalog import CATALOG
from functions.place import Place
from functions.systems.chat import rooms
from functions.systems.places import store as residents
from functions.systems.places.entity import Resident
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry.entity import Reading
from tests.support import readings as events
from tests.support.streams import Recording

HOME: dict[str, Place] = {
    "e1": ("US", "Texas", "Houston"),
    "e2": ("US", "Texas"),
    "e3": ("US", "Texas#2", "Houston"),
    "e/4": ("US", "Texas/Houston"),
    "e#5": ("US",),
    "e 6": ("USA", "Texas"),
}


@pytest.fixture
def settled(engine: Recording) -> Recording:
    for entity, place in HOME.items():
        residents.put(engine, Resident("EQUIPMENT", entity, place))
    residents.put(engine, Resident("ROOM", "e1", ("US", "Texas")))
    return engine


def found(table: Table, place: Place, kind: str = "EQUIPMENT") -> dict[str, Place]:
    page, position = residents.residents(table, place, kind, 100, None)
    assert position is None
    assert {resident.kind for resident in page} <= {kind}
    return {resident.id: resident.place for resident in page}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (("US",), {"e1", "e2", "e3", "e/4", "e#5"}),
        (("US", "Texas"), {"e1", "e2"}),
        (("US", "Texas", "Houston"), {"e1"}),
        (("US", "Texas#2"), {"e3"}),
        (("US", "Tex"), set()),
        (("US", "Texas/Houston"), {"e/4"}),
        (("USA",), {"e 6"}),
        (("U",), set()),
    ],
)
def test_they_are_found_at_every_level_and_nowhere_else(settled: Recording, place: Place, expected: set[str]) -> None:
    assert found(settled, place) == {entity: HOME[entity] for entity in expected}


def test_kinds_are_told_apart(settled: Recording) -> None:
    assert found(settled, ("US",), "ROOM") == {"e1": ("US", "Texas")}


def test_who_moves_lives_at_one_place(settled: Recording) -> None:
    residents.put(settled, Resident("EQUIPMENT", "e1", ("FR", "Paris")))
    assert found(settled, ("FR",)) == {"e1": ("FR", "Paris")}
    assert "e1" not in found(settled, ("US",))


def test_who_leaves_is_found_nowhere(settled: Recording) -> None:
    for _ in range(2):
        residents.delete(settled, "EQUIPMENT", "e1")
    assert found(settled, ("US", "Texas")) == {"e2": ("US", "Texas")}


def test_pages_go_place_by_place_also_among_neighbours(settled: Recording) -> None:
    neighbours = {f"n{number}" for number in range(5)}
    for entity in neighbours:
        residents.put(settled, Resident("EQUIPMENT", entity, ("US", "Texas")))
    found, position = residents.residents(settled, ("US",), "EQUIPMENT", 2, None)
    while position:
        page, position = residents.residents(settled, ("US",), "EQUIPMENT", 2, position)
        found += page
    assert sorted(each.id for each in found) == sorted((HOME.keys() - {"e 6"}) | neighbours)
    assert [each.place for each in found] == sorted(each.place for each in found)


def test_a_room_that_lives_somewhere_is_read_as_before(engine: Recording) -> None:
    engine.put_many([{"PK": s("ROOM#r"), "SK": s("EDGE#"), "Type": s("ROOM"), "Version": n(1), "Seqs": {"B": b""}}])
    residents.put(engine, Resident("ROOM", "r", ("US",)))
    assert rooms.with_summary(engine, "r") == (None, {})


def absorb(table: Recording) -> None:
    (shard,) = table.shards.values()
    while shard:
        batch: dict[AggregateId, list[Effect]] = {}
        records, shard[:] = list(shard), []
        for record in records:
            for aggregate_id, effect in changes.effects(CATALOG, record).items():
                batch.setdefault(aggregate_id, []).append(effect)
        writer.apply(table, "shard", batch)


def test_devices_live_where_they_report_from_as_long_as_that_counts(engine: Recording) -> None:
    houston = Reading("123", 0, "e1", ("US", "Texas", "Houston"), {})
    dallas = replace(houston, id="e2", place=("US", "Texas", "Dallas"))
    events.write(engine, [houston, dallas])
    absorb(engine)
    page, _ = residents.residents(engine, ("US", "Texas"), "DEVICE", 10, None)
    assert page == [Resident("DEVICE", "123", event.place) for event in (dallas, houston)]
    engine.delete(Key(telemetry_keys.device("123"), telemetry_keys.EVENT("123", 0, "e2").sk))
    absorb(engine)
    assert found(engine, ("US",), "DEVICE") == {"123": houston.place}
