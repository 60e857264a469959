"""Mirrors say what edges say: who died, came late or was overtaken is put right by what the stream tells."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.writes import Delete, Put
from functions.catalog import FOLLOW_UPS
from functions.replay.memory import MemoryTable
from functions.systems.graph import codec, keys, mirrors, store
from functions.systems.graph.entity import GraphEdge, NodeId
from tests.delivery.cascading import LaggingMemory

AMY, BOB = NodeId("person", "amy"), NodeId("person", "bob")
NAME = (AMY, "KNOWS", BOB)
EDGE, MIRROR = keys.EDGE(*NAME), keys.mirror(*NAME)


def items(weight: int) -> tuple[Item, Item]:
    return codec.edge_items(GraphEdge(*NAME, Decimal(weight), '{"since":2018}'))


def shown(new: Item | None, old: Item | None = None) -> Any:
    """The work that a record asks for."""
    images = {"NewImage": new, "OldImage": old}
    return FOLLOW_UPS.pending({"dynamodb": {name: image for name, image in images.items() if image}})


@pytest.fixture
def table() -> MemoryTable:
    """A table with both nodes: no edge dangles."""
    table = MemoryTable()
    for node in (AMY, BOB):
        store.put_node(table, node, [], 1)
    return table


def test_both_say_the_same_of_an_edge() -> None:
    edge, mirror = items(3)
    assert (edge["PK"], edge["SK"]) == ({"S": "NODE#person#amy"}, {"S": "EDGE#KNOWS#person#bob"})
    assert (mirror["PK"], mirror["SK"]) == ({"S": "NODE#person#bob"}, {"S": "FROM#KNOWS#person#amy"})
    apart: dict[str, Any] = dict.fromkeys(("PK", "SK", "Type"))
    assert {**edge, **apart} == {**mirror, **apart}


@pytest.mark.parametrize("stored", [None, 2, 3])
@pytest.mark.parametrize("told", [None, 2, 3])
@pytest.mark.parametrize("record", [0, 1], ids=["of the edge", "of the mirror"])
def test_the_mirror_says_in_the_end_what_the_edge_says(
    table: MemoryTable, record: int, stored: int | None, told: int | None
) -> None:
    """Whatever the stream tells first (None is a removal); then it tells of the mirror as it is."""
    if stored:
        table.write(Put(items(stored)[0]))
    table.write(Put(items(2)[1]))
    FOLLOW_UPS.finish(table, [shown(items(told)[record] if told else None, items(9)[record])])
    if mirror := table.get(MIRROR):
        FOLLOW_UPS.finish(table, [shown(mirror)])
    assert table.get(MIRROR) == (items(stored)[1] if stored else None)


def test_what_is_equal_is_only_read(table: MemoryTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """One item for each record, and all records of a type in one request."""
    table.put_many(items(3))
    asked: list[tuple[list[Key], bool]] = []
    real = table.get_many

    def get_many(wanted: Any, *, consistent: bool = False) -> Any:
        asked.append((list(wanted), consistent))
        return real(wanted, consistent=consistent)

    monkeypatch.setattr(table, "get_many", get_many)
    monkeypatch.setattr(table, "write", None)
    FOLLOW_UPS.finish(table, [shown(item, items(2)[0]) for item in items(3)])
    assert [each for each in asked if each[0]] == [([MIRROR], True), ([EDGE], True)]


def test_an_edge_that_is_as_it_was_once_is_not_taken_for_that() -> None:
    """An eventually consistent read would show the mirror of then."""
    table = LaggingMemory()
    table.put_many(items(1))
    table.catch_up()
    for now, before in ((2, 1), (1, 2)):
        table.write(Put(items(now)[0]))
        FOLLOW_UPS.finish(table, [shown(items(now)[0], items(before)[0])])
        assert table.get(MIRROR) == items(now)[1]


def test_a_mirror_that_somebody_changes_meanwhile_is_left_to_them(table: MemoryTable) -> None:
    table.put_many([items(3)[0], items(2)[1]])
    real = table.write

    def overtaken(write: Any) -> None:
        real(Put(items(4)[1]))
        real(write)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table, "write", overtaken)
        mirrors.make_equal(table, [NAME])
    assert table.get(MIRROR) == items(4)[1]
    FOLLOW_UPS.finish(table, [shown(items(4)[1], items(2)[1])])
    assert table.get(MIRROR) == items(3)[1]


def test_a_repair_makes_or_removes_a_mirror(table: MemoryTable) -> None:
    edge, mirror = items(3)
    assert mirrors.COPIES.told(edge) == mirrors.COPIES.said(mirror) != mirrors.COPIES.said(items(4)[1])
    table.write(Put(edge))
    mirrors.COPIES.put_right(table, MIRROR)
    assert table.get(MIRROR) == mirror
    table.write(Delete(EDGE))
    mirrors.COPIES.put_right(table, MIRROR)
    assert table.get(MIRROR) is None
