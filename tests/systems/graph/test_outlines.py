"""What a fill has found of nodes stands on the edges of their neighbours, and is written again only if it is news."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise import clock
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.writes import Put
from edgewise.errors import OutOfTimeError
from edgewise.times import DAY, HOUR, Millis
from functions.systems.graph import codec, keys, mirrors, outlines, publishing, states, store
from functions.systems.graph.entity import GraphEdge, NodeId, Outline, State
from functions.systems.graph.summary import KEPT, Generation
from tests.support.http import Client
from tests.support.streams import StreamedTable
from tests.systems.graph.generations import AMY, AT, FIRST, LATER, person, publish

BOB, WEB, HOST = NodeId("person", "bob"), NodeId("service", "web"), NodeId("host", "h")
READER = Client()
NODE_EDGES = "GET /graph/nodes/{type}/{id}/edges"
NAMES, COUNTS = st.text(min_size=1, max_size=9), st.integers(0, 10**9)
SHARES = st.floats(1e-12, 1).map(repr).map(Decimal)
OUTLINES = st.builds(
    Outline, st.integers(0, 10**13), SHARES, st.builds(NodeId, NAMES, NAMES), COUNTS, COUNTS, COUNTS, st.booleans()
)
EDGE = GraphEdge(AMY, "KNOWS", BOB, Decimal(3))


@given(OUTLINES)
def test_it_comes_back(told: Outline) -> None:
    assert codec.edge(codec.edge_item(EDGE) | codec.outlined(told)) == replace(EDGE, outline=told)


@pytest.fixture(autouse=True)
def soon_after() -> Iterator[None]:
    with patch.object(clock, "now", lambda: LATER.at + HOUR):
        yield


@pytest.fixture
def knows(handlers: None, table: StreamedTable) -> StreamedTable:
    """Amy knows Bob."""
    table.put_many(codec.edge_items(EDGE))
    return table


def seen(node: NodeId, direction: str) -> Any:
    """What the only edge of a node tells of its neighbour."""
    query = {"direction": direction}
    (edge,) = READER.call(NODE_EDGES, query, type=node.type, id=node.id).body["edges"]
    return edge["summary"]


def test_each_end_sees_what_was_found_of_the_other(knows: StreamedTable) -> None:
    assert seen(AMY, "out") is None
    publish(knows, FIRST, person("amy", "0.75"), person("bob", "0.25"))
    assert seen(AMY, "out") == {
        "as_of": AT,
        "pagerank": Decimal("0.25"),
        "component": {"type": "person", "id": "amy", "nodes": 4},
        "two": 2,
        "three": 1000,
        "at_least": True,
    }
    assert seen(BOB, "in")["pagerank"] == Decimal("0.75")
    answer = READER.call("GET /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", None, **NAME)
    assert answer.body["summary"] == seen(AMY, "out")


NAME = {"type": "person", "id": "amy", "label": "KNOWS", "target_type": "person", "target_id": "bob"}


@pytest.mark.parametrize(
    ("change", "news"),
    [
        ({}, False),
        ({"pagerank": Decimal("0.27")}, False),
        ({"pagerank": Decimal("0.28")}, True),
        ({"pagerank": Decimal("0.22")}, True),
        ({"component": BOB}, True),
        ({"component_nodes": 5}, True),
        ({"two": replace(person("bob").two, nodes=3)}, True),
        ({"three": replace(person("bob").three, nodes=1100)}, False),
        ({"three": replace(person("bob").three, nodes=800)}, True),
        ({"similar": ()}, False),
    ],
)
def test_only_news_is_written(knows: StreamedTable, change: dict[str, Any], news: bool) -> None:
    publish(knows, FIRST, person("bob"))
    before = knows.get(keys.EDGE(*EDGE.name))
    publish(knows, LATER, replace(person("bob"), **change))
    assert (knows.get(keys.EDGE(*EDGE.name)) != before) == news


def test_what_is_getting_old_is_written_again(knows: StreamedTable) -> None:
    """Long before it would not be shown any more."""
    publish(knows, FIRST, person("bob"))
    for days, expected in ((15, FIRST.at), (16, FIRST.at + 16 * DAY)):
        publish(knows, Generation(f"run{days}", FIRST.at + days * DAY), person("bob"))
        assert told(knows) == expected


def told(table: StreamedTable) -> Millis | None:
    """The instant of what the edge tells."""
    item = table.get(keys.EDGE(*EDGE.name))
    assert item
    known = codec.outline(item)
    return known and known.at


def test_an_earlier_fill_that_ends_later_changes_nothing(knows: StreamedTable) -> None:
    publish(knows, LATER, person("bob", "0.75"))
    publish(knows, FIRST, person("bob", "0.5"))
    assert told(knows) == LATER.at


def test_nothing_is_shown_of_what_is_too_old(knows: StreamedTable) -> None:
    publish(knows, FIRST, person("bob"))
    for now, shown in ((FIRST.at + KEPT - 1, True), (FIRST.at + KEPT, False)):
        with patch.object(clock, "now", lambda now=now: now):
            assert (seen(AMY, "out") is not None) == shown


def test_neither_reader_of_the_stream_has_anything_to_do(knows: StreamedTable, settle: Callable[[], None]) -> None:
    store.put_node(knows, AMY, [], 1)
    store.put_node(knows, BOB, [], 1)
    settle()
    publish(knows, FIRST, person("amy"), person("bob"))
    stored = of_graph(knows)
    settle()
    assert of_graph(knows) == stored


def of_graph(table: StreamedTable) -> list[Item]:
    """All that is stored of nodes, their edges and their numbers."""
    return [item for item in table.all_items() if item["PK"]["S"].startswith("NODE#")]


def test_a_state_and_what_a_fill_has_found_stand_side_by_side(table: StreamedTable) -> None:
    edge = GraphEdge(HOST, "RUNS", WEB, Decimal(1))
    key = keys.mirror(*edge.name)
    item, mirror = codec.edge_items(edge)
    table.put_many([item, states.telling(mirror, State(1, "up"))])
    publish(table, FIRST, replace(person("x"), node=HOST))
    states.fill(table, {key: State(2, "down")})
    publish(table, LATER, replace(person("x", "0.75"), node=HOST))
    states.fill(table, {key: State(3, "up")})
    stored = table.get(key)
    assert stored
    found = codec.edge(stored)
    assert (found.neighbour, found.outline and found.outline.at) == (State(3, "up"), LATER.at)


def test_a_mirror_that_is_put_right_keeps_it(knows: StreamedTable) -> None:
    publish(knows, FIRST, person("amy"), person("bob"))
    edge = knows.get(keys.EDGE(*EDGE.name))
    assert edge
    knows.write(Put({**edge, "Weight": {"N": "4"}}))
    mirrors.make_equal(knows, [EDGE.name])
    mirror = knows.get(keys.mirror(*EDGE.name))
    assert mirror
    found = codec.edge(mirror)
    assert found == replace(EDGE, weight=Decimal(4), outline=outlines.outline(FIRST, person("amy")))


def test_a_fill_without_time_goes_on_where_it_was(knows: StreamedTable) -> None:
    """It is asked after each request; what it has told already stays."""
    looks = iter([False])
    with pytest.raises(OutOfTimeError):
        publishing.publish(knows, FIRST, "part", lambda start: [person("bob")][start:], lambda: next(looks))
    assert publishing.publish(knows, FIRST, "part", lambda start: [person("bob")][start:], lambda: True) == 1
    assert told(knows) == FIRST.at


def test_an_edge_costs_a_unit_at_each_end_and_later_none(table: StreamedTable) -> None:
    """A star of 250: the units that edges take, beside those of the summaries themselves."""
    friends = [NodeId("person", f"p{number:03}") for number in range(250)]
    for friend in friends:
        table.put_many(codec.edge_items(replace(EDGE, target=friend)))
    found = [replace(person("x"), node=node) for node in (AMY, *friends)]

    def spent(of: Generation) -> float:
        table.usage.reset()
        for _ in outlines.tell(table, of, found):
            pass
        return table.usage.write_units

    assert spent(FIRST) == 2 * 250
    assert spent(LATER) == 0
