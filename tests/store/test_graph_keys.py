"""Keys of the graph: reversible, in order, with borders; the longest input fits."""

from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.domain.aggregates import Aggregate, AggregateId, Mark
from functions.domain.catalog import contributions
from functions.domain.graph import EDGES, Attribute, GraphEdge, Node, NodeId
from functions.domain.measures import Cell
from functions.handlers.models.fields import Id, Name
from functions.handlers.models.graph_values import MAX_DATA_BYTES
from functions.store import codec, keys
from functions.store.aggregate_items import aggregate_item
from tests.store.test_keys import names
from tests.store.test_limits import (
    CHARACTERS,
    ITEM_BYTES,
    assert_keys_fit,
    item_size,
    longest,
    longest_place,
)

AMY, BOB = NodeId("person", "amy"), NodeId("person", "b#b")
nodes = st.builds(NodeId, names, names)
values = st.lists(names, min_size=1, max_size=4).map(tuple)
attributes = st.builds(Attribute, st.sampled_from(("date", "name", "place", "skill")), names | st.just(""), values)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (keys.graph.node_item(AMY), ("NODE#person#amy", "NODE")),
        (keys.graph.edge(AMY, "KNOWS", BOB), ("NODE#person#amy", "EDGE#KNOWS#person#b$23b")),
        (keys.graph.degree(AMY, "in", "KNOWS"), ("NODE#person#amy", "DEGREE#in#KNOWS")),
        (keys.graph.strength(AMY, "out", "KNOWS"), ("NODE#person#amy", "STRENGTH#out#KNOWS")),
        (keys.aggregate(AggregateId("DEGREE", (AMY, "in", "A B"))), ("NODE#person#amy", "DEGREE#in#A$20B")),
        (
            keys.graph.attribute(AMY, Attribute("place", "lives in", ("US", "New York"))),
            ("NODE#person#amy", "NODE#place#lives$20in#US#New$20York"),
        ),
    ],
)
def test_keys_read_as_they_are_documented(key: keys.Key, expected: tuple[str, str]) -> None:
    assert key == expected


def test_index_keys_read_as_they_are_documented() -> None:
    edge = codec.graph.edge_item(GraphEdge(AMY, "KNOWS", BOB, Decimal("2.5")))
    assert (edge["GSI2PK"], edge["GSI2SK"]) == ({"S": "NODE#person#b$23b"}, {"S": "KNOWS#person#amy"})
    found = codec.graph.attribute_item(AMY, Attribute("date", "born", ("1971-12-21",)))
    # The digest by `printf person#amy | sha256sum`; the shard by that of the date, modulo four.
    assert (found["GSI1PK"], found["GSI1SK"]) == ({"S": "FIND#date#0"}, {"S": "1971-12-21##born#cf433e9ccc03ab91"})


class TestRoundTrips:
    @given(source=nodes, label=names, target=nodes, data=st.sampled_from(("", '{"a":1}')))
    def test_edge(self, source: NodeId, label: str, target: NodeId, data: str) -> None:
        edge = GraphEdge(source, label, target, Decimal("-0.5"), data)
        assert codec.graph.edge(codec.graph.edge_item(edge)) == edge

    @given(of=nodes, attribute=attributes)
    def test_attribute(self, of: NodeId, attribute: Attribute) -> None:
        assert codec.graph.attribute(codec.graph.attribute_item(of, attribute)) == (of, attribute)

    @given(of=nodes, deleting=st.booleans())
    def test_node(self, of: NodeId, deleting: bool) -> None:
        assert codec.graph.node(codec.graph.node_item(Node(of, 7, deleting))) == Node(of, 7, deleting)

    @given(of=nodes, label=names, direction=st.sampled_from(("out", "in")))
    def test_degree(self, of: NodeId, label: str, direction: Any) -> None:
        assert keys.graph.parse_degree(keys.graph.degree(of, direction, label).sk) == (direction, label)


class TestBorders:
    @given(of=nodes, attribute=attributes, label=names, other=nodes)
    def test_a_node_and_its_attributes_stand_together_and_alone(
        self, of: NodeId, attribute: Attribute, label: str, other: NodeId
    ) -> None:
        assert keys.graph.attribute(of, attribute).sk.startswith(keys.graph.ATTRIBUTES)
        assert keys.graph.ATTRIBUTES.startswith(keys.graph.NODE)
        others = (
            keys.graph.edge(of, label, other),
            keys.graph.degree(of, "in", label),
            keys.graph.strength(of, "in", label),
        )
        assert not [key for key in others if key.sk.startswith(keys.graph.NODE)]

    @given(one=values, other=values, name=names | st.just(""))
    def test_equal_values_and_places_below(self, one: tuple[str, ...], other: tuple[str, ...], name: str) -> None:
        found = keys.graph.found(AMY, Attribute("place", name, one))
        assert found.startswith(keys.graph.values_equal(other)) == (one == other)
        assert found.startswith(keys.graph.values_below(other)) == (one[: len(other)] == other)
        if one[0] == other[0]:
            assert keys.graph.find("place", one) == keys.graph.find("place", other)

    @given(value=values, low=values, high=values, name=names | st.just(""))
    def test_ranges(self, value: Any, low: Any, high: Any, name: str) -> None:
        found = keys.graph.found(AMY, Attribute("place", name, value)).encode()

        def is_between(low: tuple[str, ...], high: tuple[str, ...]) -> bool:
            first, last = keys.graph.values_between(low, high)
            return first.encode() <= found <= last.encode()

        assert is_between(low, ()) == (low <= value)
        assert is_between((), high) == (value < high)
        assert is_between((), ())

    def test_shards_share_the_load(self) -> None:
        shards = [keys.graph.find("skill", (str(number),)) for number in range(4000)]
        assert set(shards) == set(keys.graph.find_all("skill"))
        assert all(800 < shards.count(shard) < 1200 for shard in set(shards))
        ranked = [keys.graph.ranking_shard(NodeId("person", str(number))) for number in range(4000)]
        assert all(800 < ranked.count(shard) < 1200 for shard in range(keys.graph.RANKING_SHARDS))

    def test_nothing_is_shared_by_different_things(self) -> None:
        attributes = [
            Attribute("place", "", ("a", "b")),
            Attribute("place", "a", ("b",)),
            Attribute("place", "", ("a#b",)),
            Attribute("skill", "", ("a",)),
        ]
        for one, other in combinations(attributes, 2):
            assert keys.graph.attribute(AMY, one) != keys.graph.attribute(AMY, other)
            assert keys.graph.found(AMY, one) != keys.graph.found(AMY, other)


@pytest.mark.parametrize(
    ("parse", "key"),
    [
        (keys.graph.parse_node, "NODE#person"),
        (keys.graph.parse_node, "NODE#person#a#b"),
        (keys.graph.parse_node, "ROOM#person#a"),
        (keys.graph.parse_attribute, "NODE"),
        (keys.graph.parse_attribute, "NODE#skill#"),
        (keys.graph.parse_degree, "STRENGTH#in#A"),
        (lambda sk: keys.graph.parse_edge("NODE#person#a", sk), "EDGE#A#person"),
        (lambda sk: keys.graph.parse_edge("NODE#person#a", sk), "EDGE#A#person#b#c"),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Any, key: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(key)


def test_an_edge_feeds_both_ends() -> None:
    edge = GraphEdge(AMY, "KNOWS", BOB, Decimal("2.5"))
    fed = contributions("GRAPH_EDGE", edge)
    assert {(each.kind, *each.parts) for each in fed} == {
        (kind, *about) for kind in ("DEGREE", "STRENGTH") for about in ((AMY, "out", "KNOWS"), (BOB, "in", "KNOWS"))
    }
    assert {(seen.weight, seen.amount, seen.value, seen.at) for cells in fed.values() for seen in cells.values()} == {
        (1, Decimal("2.5"), None, None)
    }


def test_degrees_are_ranked() -> None:
    def ranked(kind: str) -> tuple[Any, Any]:
        cells = {EDGES: Cell(3, Decimal("-7.5"))}
        item = aggregate_item(Aggregate(AggregateId(kind, (AMY, "in", "K N")), 1, cells, {"lane": Mark(1, 1)}))
        return item["GSI3PK"]["S"].rpartition("#")[0], item["GSI3SK"]["N"]

    assert ranked("DEGREE") == ("RANK#K$20N#in#count", "3")
    assert ranked("STRENGTH") == ("RANK#K$20N#in#weight", "-7.5")


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", range(1, 9))
def test_the_longest_ids_names_and_values_fit_every_key(levels: int, character: str) -> None:
    name, text = longest(Name, character), longest(Id, character)
    node = NodeId(name, text)
    edge = GraphEdge(node, name, node, Decimal("-1234567890123.123456789012345678"), "x" * MAX_DATA_BYTES)
    place = Attribute("place", name, longest_place(levels, character))
    skill = Attribute("skill", name, (text,))
    items = [codec.graph.edge_item(edge), *(codec.graph.attribute_item(node, each) for each in (place, skill))]
    for aggregate_id in contributions("GRAPH_EDGE", edge):
        items.append(aggregate_item(Aggregate(aggregate_id, 1, {EDGES: Cell(1)}, {"lane": Mark(1, 1)})))
    for item in items:
        assert_keys_fit(item)
        assert item_size(item) < ITEM_BYTES / 40
