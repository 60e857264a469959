"""Whatever is planted in a table is found, and nothing else: drift of each kind, in each kind of aggregate."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from random import Random

import pytest

from batch.comparing import FOLLOWS, UNREADABLE, WRONG
from batch.folders import Folder
from batch.reconcile import Check, Declared, reconciled
from edgewise.aggregates.cells import pack, unpack
from edgewise.aggregates.measures import Cell, Extremes
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.systems.graph import codec, states
from functions.systems.graph.entity import GraphEdge, NodeId, State
from tests.batch.exporting import exported
from tests.delivery.consuming import consuming, released
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.stories.story import EMPTIED
from tests.delivery.world import World

Drift = Callable[[Cell], Cell]
HAPPENINGS = (World.store, World.store, World.store_many, World.remove, World.deliver)


@pytest.fixture(scope="module")
def table() -> list[Item]:
    """A table of all systems, after some history."""
    with consuming() as consume, released() as releases:
        memory, random = SimulatedMemory(2), Random(7)
        world = World(random, memory, consume, releases)
        for _ in range(60):
            random.choice(HAPPENINGS)(world)
        outcome = world.outcome()
        assert outcome.found == outcome.expected
        memory.put_many([*run_by_hosts(), *bought()])
        world.settle()
    return memory.all_items()


def run_by_hosts() -> Iterator[Item]:
    """Edges that tell the states of three hosts."""
    for number, name in enumerate(("up", "up", "down")):
        edge = GraphEdge(NodeId("host", f"h{number}"), "RUNS", NodeId("service", "web"), Decimal(1))
        yield codec.edge_item(edge)
        yield states.telling(codec.mirror_item(edge), State(1, name, (("load", Decimal(number)),)))


def bought() -> Sequence[Item]:
    """An edge of a day."""
    ends = NodeId("person", "amy"), "BOUGHT", NodeId("product", "tea")
    return codec.edge_items(GraphEdge(*ends, Decimal(2), '{"on":"2018-08-29"}'))


def check(items: Sequence[Item], folder: Path) -> Check:
    return reconciled(Declared(), exported(Folder(folder), items), None, lambda _: None)


def causes(found: Check) -> list[Key]:
    return [each.key for each in found.wrong if each.why == WRONG]


def of(kind: str, items: Sequence[Item]) -> Item:
    """An aggregate of a kind, that counts something."""
    of_kind = (item for item in items if item["Type"]["S"] == kind and "Cells" in item)
    return next(item for item in of_kind if any(cell != EMPTIED for cell in item["Cells"]["M"].values()))


def changed(item: Item, change: Drift, has: Callable[[Cell], bool] = lambda cell: cell.counts) -> Item:
    """The item with one cell changed, the first that counts, or has something else."""
    name, packed = next((name, cell) for name, cell in item["Cells"]["M"].items() if has(unpack(cell, 0)))
    return item | {"Cells": {"M": item["Cells"]["M"] | {name: pack(change(unpack(packed, 0)), 0)}}}


def replaced(items: Sequence[Item], planted: Item) -> list[Item]:
    return [planted if key_of(item) == key_of(planted) else item for item in items]


def test_of_a_table_that_is_right_nothing_differs(table: list[Item], tmp_path: Path) -> None:
    """What is derived has tests of its own: stories store copies without what they are copies of."""
    found = check(table, tmp_path)
    assert (found.differing, found.plan, found.wrong) == ([], [], [])
    assert found.aggregates > 100


KINDS = sorted(CATALOG.kinds)


def one_more(cell: Cell) -> Cell:
    return replace(cell, count=cell.count + 1)


def a_little_more(cell: Cell) -> Cell:
    return replace(cell, total=cell.total + Decimal("0.01"))


# Their cells say how many and when, and have no sums.
OF_INSTANTS = {"DEVICE", "POSTED_IN", "REPORTED_FROM"}
PLANTED = [
    *(pytest.param(kind, one_more, id=f"{kind} count") for kind in KINDS),
    *(pytest.param(kind, a_little_more, id=f"{kind} sum") for kind in KINDS if kind not in OF_INSTANTS),
]


@pytest.mark.parametrize(("kind", "drift"), PLANTED)
def test_a_wrong_number_is_found(table: list[Item], kind: str, drift: Drift, tmp_path: Path) -> None:
    """In the aggregate itself; those above it are right, although they no longer agree with it."""
    planted = changed(of(kind, table), drift)
    found = check(replaced(table, planted), tmp_path)
    assert [(each.key, each.why) for each in found.differing] == [(key_of(planted), WRONG)]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if CATALOG.kinds[kind].extremes])
def test_a_wrong_extreme_is_found(table: list[Item], kind: str, tmp_path: Path) -> None:
    def later(cell: Cell) -> Cell:
        last, high = cell.extremes.last, cell.extremes.high
        if last is None:
            return replace(cell, extremes=replace(cell.extremes, high=high and high + 1))
        return replace(cell, extremes=replace(cell.extremes, last=last._replace(at=last.at + 1)))

    planted = changed(of(kind, table), later, lambda cell: cell.extremes != Extremes())
    found = check(replaced(table, planted), tmp_path)
    assert causes(found) == [key_of(planted)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_aggregate_is_found(table: list[Item], kind: str, tmp_path: Path) -> None:
    lost = of(kind, table)
    found = check([item for item in table if item is not lost], tmp_path)
    assert key_of(lost) in causes(found)


@pytest.mark.parametrize("kind", KINDS)
def test_an_aggregate_of_nothing_is_found(table: list[Item], kind: str, tmp_path: Path) -> None:
    surplus = of(kind, table)
    surplus = surplus | {"PK": {"S": surplus["PK"]["S"].rpartition("#")[0] + "#nobody"}}
    found = check([*table, surplus], tmp_path)
    assert key_of(surplus) in causes(found)


def test_what_a_lost_record_left_out_is_told_once_and_the_rest_follows(table: list[Item], tmp_path: Path) -> None:
    """The edge of a message that is not stored counts it; room and user agree with the edge."""
    message = next(item for item in table if item["Type"]["S"] == "MESSAGE")
    found = check([item for item in table if item is not message], tmp_path)
    kinds = {(each.kind, each.why) for each in found.differing}
    assert kinds == {("POSTED_IN", WRONG), ("ROOM", FOLLOWS), ("USER", FOLLOWS)}


def test_a_source_that_cannot_be_read_is_named(table: list[Item], tmp_path: Path) -> None:
    event = next(item for item in table if item["Type"]["S"] == "EVENT")
    found = check(replaced(table, event | {"Metrics": {"S": "?"}}), tmp_path)
    assert [each.key for each in found.differing if each.why == UNREADABLE] == [key_of(event)]
    assert not found.good
