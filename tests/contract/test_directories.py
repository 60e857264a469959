"""Directories on the reference engine: what is new costs a write, what changes costs none, what is emptied leaves."""

import pytest

from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.collections import source
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.table import Table
from edgewise.stream import writer
from functions import directory
from functions.systems.audits.system import EQUIPMENT
from functions.systems.games.system import GAME, PLAYER
from functions.systems.orders.system import CUSTOMER
from functions.systems.places.system import PLACE
from functions.systems.telemetry.system import DEVICE
from tests.support.streams import PRESENT, StreamedTable

each = pytest.mark.parametrize("kind", [DEVICE, CUSTOMER, PLAYER, GAME, EQUIPMENT, PLACE], ids=str)
# A key, an id and a prefix of it have characters that are escaped.
NAME, BEGINNING = "a b#c$", "a b#"
SEEN = {"Events": Observation()}


@pytest.fixture(params=[False, True], ids=["puts", "statements"])
def table(request: pytest.FixtureRequest, engine_on_local: StreamedTable) -> Table:
    return Table(engine_on_local.name, engine_on_local.client, statements=request.param)


def summary(kind: Kind, name: str) -> AggregateId:
    """That of an entity; places have paths, of which those of one component are listed."""
    return PLACE((name,)) if kind is PLACE else kind(name)


def added(sequence: int) -> Effect:
    return Effect(Checkpoint(sequence, PRESENT), SEEN, {})


def removed(sequence: int) -> Effect:
    return Effect(Checkpoint(sequence, PRESENT), {}, SEEN)


def absorb(table: Table, *about: AggregateId, effect: Effect) -> float:
    """The units that it takes some aggregates to absorb an effect."""
    table.usage.reset()
    writer.apply(table, "shard", {each: [effect] for each in about})
    return table.usage.write_units


def listed(table: Table, kind: Kind, beginning: str | None = None) -> list[str]:
    return [source(entry) for entry in table.query(directory.entries(kind.partitions, beginning)).items]


@each
def test_an_entity_is_listed_by_its_id_as_long_as_it_counts_something(table: Table, kind: Kind) -> None:
    # Two at once: one alone is never written by a statement.
    both = [summary(kind, NAME), summary(kind, "a b")]
    for step in range(3):
        absorb(table, *both, effect=added(step))
        assert listed(table, kind) == ["a b", NAME]
    assert listed(table, kind, BEGINNING) == [NAME]
    for step in range(3, 6):
        assert listed(table, kind) == ["a b", NAME]
        absorb(table, *both, effect=removed(step))
    assert listed(table, kind) == []


@each
def test_what_changes_costs_no_more_than_without_a_directory(engine_on_local: StreamedTable, kind: Kind) -> None:
    about = summary(kind, NAME)
    assert absorb(engine_on_local, about, effect=added(1)) == 2  # the item and its entry
    assert [absorb(engine_on_local, about, effect=added(step)) for step in range(2, 9)] == [1] * 7


def test_a_place_in_another_one_is_not_listed(table: Table) -> None:
    below = [PLACE((NAME, each)) for each in ("a", "b")]
    absorb(table, *below, effect=added(1))
    assert all(table.get(keys.of(each)) for each in below)
    assert listed(table, PLACE) == []
