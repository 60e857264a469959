"""Nodes with thousands of edges: deleted with all of them; read page by page while edges go."""

from collections.abc import Iterator
from decimal import Decimal
from itertools import chain
from typing import cast

import pytest

from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from functions.systems.graph import cleanup as graph_cleanup
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph import store as graph
from functions.systems.graph.entity import Direction, GraphEdge, Node, NodeId
from tests.conftest import fresh_table, local_client
from tests.delivery.stories.graph import STORY, facts
from tests.support.streams import Recording
from tests.systems.graph.test_contract import settle

HUB, NOW = NodeId("person", "hub"), 1_535_544_000_000
SPOKES = 3_000


def spoke(number: int) -> NodeId:
    return NodeId("person", f"{number:04d}")


def edge(source: NodeId, target: NodeId, weight: int = 1) -> GraphEdge:
    return GraphEdge(source, "KNOWS", target, Decimal(weight))


def spokes(count: int) -> list[GraphEdge]:
    """Every second one leaves the hub, the others point at it."""
    return [edge(HUB, spoke(n), n) if n % 2 else edge(spoke(n), HUB, n) for n in range(count)]


BESIDE = [edge(spoke(n), spoke(n + 1), n) for n in range(5)]


def with_mirrors(edges: list[GraphEdge]) -> list[Item]:
    return list(chain.from_iterable(map(graph_codec.edge_items, edges)))


def store_hub(table: Table) -> None:
    graph.put_node(table, HUB, [], NOW)
    table.put_many([graph_codec.node_item(Node(spoke(number), 1)) for number in range(SPOKES)])
    table.put_many(with_mirrors([*spokes(SPOKES), *BESIDE]))


@pytest.fixture
def unrecorded(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table on the reference engine; recording would read each edge before its removal."""
    made = fresh_table(local_client(dynamodb_local))
    yield Table(made.name, made.client)
    made.client.delete_table(TableName=made.name)


def edges_left(table: Table) -> list[GraphEdge]:
    pages = table.client.get_paginator("scan").paginate(TableName=table.name)
    return [
        graph_codec.edge(cast(Item, item))
        for page in pages
        for item in page["Items"]
        if item["Type"] == {"S": graph_codec.EDGE}
    ]


def test_a_hub_goes_with_all_its_edges(unrecorded: Table) -> None:
    """One call removes some, the stream's next pass the others, and the last lets the mark expire: it found nothing."""
    store_hub(unrecorded)
    assert not graph_cleanup.delete_node(unrecorded, HUB)
    assert SPOKES // 2 < len(edges_left(unrecorded)) < SPOKES
    passes = 0
    while pending := graph_cleanup.pending(unrecorded.get(graph_keys.NODE_ITEM(HUB)) or {}, None):
        graph_cleanup.finish(unrecorded, pending)
        passes += 1
    assert passes == 4
    assert set(edges_left(unrecorded)) == set(BESIDE)


@pytest.mark.parametrize("engine", ["memory"], indirect=True)
def test_so_do_they_in_what_is_counted(engine: Recording) -> None:
    store_hub(engine)
    settle(engine)
    graph_cleanup.delete_node(engine, HUB)
    settle(engine)
    left = [(one.source.id, one.label, one.target.id, one.weight) for one in BESIDE]
    assert STORY.actual(engine.all_items()) == STORY.recount(facts(left))


@pytest.mark.parametrize("direction", ["out", "in"])
@pytest.mark.parametrize("gone", [2, 3], ids=["the last one given out", "the next one"])
def test_pages_go_on_where_an_edge_at_their_border_is_gone(engine: Recording, direction: Direction, gone: int) -> None:
    """A cursor names the edge that it follows; that need not be there any more."""
    graph.put_node(engine, HUB, [], NOW)
    whole = [edge(HUB, spoke(n)) if direction == "out" else edge(spoke(n), HUB) for n in range(8)]
    engine.put_many(with_mirrors(whole))
    query = graph_patterns.edges(HUB, direction)
    found, after = pages.listed(engine, query, 3, None, graph_codec.edge)
    graph.delete_edge(engine, whole[gone].source, whole[gone].label, whole[gone].target)
    while after is not None:
        page, after = pages.listed(engine, query, 3, after, graph_codec.edge)
        found += page
    assert found == [each for number, each in enumerate(whole) if number != gone or gone < 3]
