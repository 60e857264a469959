"""Keys of the graph: reversible, in order, with borders; the longest input fits."""

from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb import keys
from functions.catalog import CATALOG
from functions.replay.validation import ITEM_BYTES
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import EDGES, Attribute, GraphEdge, Node, NodeId, State
from functions.systems.graph.system import DEGREE
from functions.systems.graph.values import MAX_DATA_BYTES
from functions.web.fields import Id, Name
from tests.support.keys import names
from tests.support.limits import CHARACTERS, assert_keys_fit, item_size, longest, longest_place

AMY, BOB = NodeId("person", "amy"), NodeId("person", "b#b")
nodes = st.builds(NodeId, names, names)
values = st.lists(names, min_size=1, max_size=4).map(tuple)
attributes = st.builds(Attribute, names, values)
measures = st.dictionaries(names, st.integers(-9, 9).map(Decimal), max_size=2).map(
    lambda each: tuple(sorted(each.items()))
)
states = st.builds(State, st.integers(0, 9), st.sampled_from(("", "up")), measures)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (graph_keys.NODE_ITEM(AMY), ("NODE#person#amy", "NODE")),
        (graph_keys.EDGE(AMY, "KNOWS", BOB), ("NODE#person#amy", "EDGE#KNOWS#person#b$23b")),
        (graph_keys.mirror(AMY, "KNOWS", BOB), ("NODE#person#b$23b", "FROM#KNOWS#person#amy")),
        (graph_keys.DEGREE(AMY, "in", "KNOWS"), ("NODE#person#amy", "DEGREE#in#KNOWS")),
        (graph_keys.ADJACENT(AMY, "in", "KNOWS"), ("NODE#person#amy", "ADJACENT#in#KNOWS")),
        (graph_keys.PASSING(AMY, "in", "KNOWS"), ("NODE#person#amy", "PASS#in#KNOWS")),
        (aggregate_keys.of(DEGREE(AMY, "in", "A B")), ("NODE#person#amy", "DEGREE#in#A$20B")),
        (
            graph_keys.ATTRIBUTE(AMY, "lives_in", ("US", "New York")),
            ("NODE#person#amy", "NODE#lives_in#US#New$20York"),
        ),
    ],
)
def test_keys_read_as_they_are_documented(key: keys.Key, expected: tuple[str, str]) -> None:
    assert key == expected


def test_index_keys_read_as_they_are_documented() -> None:
    found = graph_codec.attribute_item(AMY, Attribute("born", ("1971-12-21",)))
    # The digest by `printf person#amy | sha256sum`; the shard by that of the date, modulo four.
    assert (found["GSI1PK"], found["GSI1SK"]) == ({"S": "FIND#born#1"}, {"S": "1971-12-21##cf433e9ccc03ab91"})


class TestRoundTrips:
    @given(source=nodes, label=names, target=nodes, data=st.sampled_from(("", '{"a":1}')))
    def test_edge(self, source: NodeId, label: str, target: NodeId, data: str) -> None:
        edge = GraphEdge(source, label, target, Decimal("-0.5"), data)
        for item in graph_codec.edge_items(edge):
            assert graph_codec.edge(item) == edge
            assert graph_codec.mirrored(graph_codec.mirrored(item)) == item

    @given(of=nodes, attribute=attributes)
    def test_attribute(self, of: NodeId, attribute: Attribute) -> None:
        assert graph_codec.attribute(graph_codec.attribute_item(of, attribute)) == (of, attribute)

    @given(of=nodes, state=states, forgotten=st.none() | st.just(1_535_544_000_000))
    def test_node(self, of: NodeId, state: State, forgotten: int | None) -> None:
        for node in (Node(of, 7, state), Node(of, 7, state, deleting=True, forgotten=forgotten)):
            assert graph_codec.node(graph_codec.node_item(node)) == node

    @given(of=nodes, label=names, direction=st.sampled_from(("out", "in")))
    def test_degree(self, of: NodeId, label: str, direction: Any) -> None:
        assert graph_keys.DEGREE.parse(*graph_keys.DEGREE(of, direction, label)) == (of, direction, label)
        assert graph_keys.ADJACENT.parse(*graph_keys.ADJACENT(of, direction, label)) == (of, direction, label)
        assert graph_keys.PASSING.parse(*graph_keys.PASSING(of, direction, label)) == (of, direction, label)

    @given(of=nodes, label=names, direction=st.sampled_from(("out", "in")))
    def test_ranked_node(self, of: NodeId, label: str, direction: Any) -> None:
        assert graph_keys.degree_of(*graph_keys.ranked(of, direction, label)) == (of, direction, label)


class TestBorders:
    @given(of=nodes, attribute=attributes, label=names, other=nodes)
    def test_a_node_and_its_attributes_stand_together_and_alone(
        self, of: NodeId, attribute: Attribute, label: str, other: NodeId
    ) -> None:
        assert graph_keys.ATTRIBUTE(of, attribute.name, attribute.value).sk.startswith(graph_keys.ATTRIBUTES)
        assert graph_keys.ATTRIBUTES.startswith(graph_keys.NODE)
        others = (
            graph_keys.EDGE(of, label, other),
            graph_keys.DEGREE(of, "in", label),
        )
        assert not [key for key in others if key.sk.startswith(graph_keys.NODE)]

    @given(one=values, other=values)
    def test_equal_values_and_places_below(self, one: tuple[str, ...], other: tuple[str, ...]) -> None:
        found = graph_keys.found(AMY, one)
        assert found.startswith(graph_keys.values_equal(other)) == (one == other)
        assert found.startswith(graph_keys.values_below(other)) == (one[: len(other)] == other)

    @given(value=values, low=values, high=values)
    def test_ranges(self, value: Any, low: Any, high: Any) -> None:
        found = graph_keys.found(AMY, value).encode()

        def is_between(low: tuple[str, ...], high: tuple[str, ...]) -> bool:
            first, last = graph_keys.values_between(low, high)
            return first.encode() <= found <= last.encode()

        assert is_between(low, ()) == (low <= value)
        assert is_between((), high) == (value < high)
        assert is_between((), ())

    def test_nothing_is_shared_by_different_things(self) -> None:
        attributes = [
            Attribute("lives_in", ("a", "b")),
            Attribute("lives_in", ("b",)),
            Attribute("skill", ("a#b",)),
            Attribute("lives_in", ("a#b",)),
            Attribute("skill", ("a",)),
        ]
        for one, other in combinations(attributes, 2):
            keys = [graph_keys.ATTRIBUTE(AMY, each.name, each.value) for each in (one, other)]
            assert keys[0] != keys[1]
            entries = [
                (graph_keys.attributes_of(each.name), graph_keys.found(AMY, each.value)) for each in (one, other)
            ]
            assert entries[0] != entries[1]


@pytest.mark.parametrize(
    ("parse", "key"),
    [
        (graph_keys.parse_node, "NODE#person"),
        (graph_keys.parse_node, "NODE#person#a#b"),
        (graph_keys.parse_node, "ROOM#person#a"),
        (lambda sk: graph_keys.ATTRIBUTE.parse("NODE#person#a", sk), "NODE"),
        (lambda sk: graph_keys.ATTRIBUTE.parse("NODE#person#a", sk), "NODE#skill"),
        (lambda sk: graph_keys.DEGREE.parse("NODE#person#a", sk), "EDGE#in#A"),
        (lambda sk: graph_keys.DEGREE.parse("ROOM#a", sk), "DEGREE#in#A"),
        (lambda sk: graph_keys.parse_edge("NODE#person#a", sk), "EDGE#A#person"),
        (lambda sk: graph_keys.parse_edge("NODE#person#a", sk), "EDGE#A#person#b#c"),
    ],
)
def test_keys_of_another_kind_are_refused(parse: Any, key: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(key)


@pytest.mark.parametrize(
    ("of_type", "about"), [("GRAPH_EDGE", (AMY, "out", "KNOWS")), ("GRAPH_EDGE_IN", (BOB, "in", "KNOWS"))]
)
def test_an_edge_feeds_its_source_and_its_mirror_the_target(of_type: str, about: Any) -> None:
    edge = GraphEdge(AMY, "KNOWS", BOB, Decimal("2.5"))
    ((fed, cells),) = CATALOG.contributions(of_type, edge).items()
    assert (fed.kind.name, fed.dimensions) == ("DEGREE", about)
    assert [(seen.weight, seen.amount, seen.value, seen.at) for seen in cells.values()] == [
        (1, Decimal("2.5"), None, None)
    ]


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize("levels", range(1, 9))
def test_the_longest_ids_names_and_values_fit_every_key(levels: int, character: str) -> None:
    name, text = longest(Name, character), longest(Id, character)
    node = NodeId(name, text)
    edge = GraphEdge(node, name, node, Decimal("-1234567890123.123456789012345678"), "x" * MAX_DATA_BYTES)
    place = Attribute("lives_in", longest_place(levels, character))
    skill = Attribute("skill", (text,))
    items = [*graph_codec.edge_items(edge), *(graph_codec.attribute_item(node, each) for each in (place, skill))]
    fed = [CATALOG.contributions(of_type, edge) for of_type in ("GRAPH_EDGE", "GRAPH_EDGE_IN")]
    for aggregate_id in (*fed[0], *fed[1]):
        items.append(aggregate_item(Aggregate(aggregate_id, 1, {EDGES: Cell(1)}, {"shard": Checkpoint(1, 1)})))
    for item in items:
        assert_keys_fit(item)
        assert item_size(item) < ITEM_BYTES / 40
