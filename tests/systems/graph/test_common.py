"""What two nodes have in common, compared with networkx's multigraphs; and within how many requests."""

import random
from decimal import Decimal
from typing import Any

import networkx as nx
import pytest

from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec, common
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

NODES = [NodeId("person", name) for name in "abcdef"]
AMY, BOB, *_ = NODES


@pytest.fixture(autouse=True)
def nodes(table: StreamedTable, handlers: None) -> None:
    table.put_many([codec.node_item(Node(node, 1)) for node in NODES])


def items(edges: list[GraphEdge]) -> list[Item]:
    return [item for edge in edges for item in codec.edge_items(edge)]


def edge(source: NodeId, label: str, target: NodeId) -> GraphEdge:
    return GraphEdge(source, label, target, Decimal(1))


def ask(one: NodeId, other: NodeId) -> Answer:
    route = "GET /graph/nodes/{type}/{id}/common/{other_type}/{other_id}"
    return Client("bob").call(route, {}, **one._asdict(), other_type=other.type, other_id=other.id)


def ties(graph: Any, of: NodeId, to: NodeId) -> set[tuple[str, str]]:
    """The edges between two nodes as the first sees them."""
    out = {("out", key) for _, end, key in graph.out_edges(of, keys=True) if end == to}
    return out | {("in", key) for end, _, key in graph.in_edges(of, keys=True) if end == to}


def told(listed: Any) -> set[tuple[str, str]]:
    return {(each["direction"], each["label"]) for each in listed}


@pytest.mark.histories(6)
def test_it_is_what_a_multigraph_says(table: StreamedTable, seed: int) -> None:
    dice = random.Random(seed)
    edges = {(dice.choice(NODES), dice.choice("AB"), dice.choice(NODES)) for _ in range(20)}
    table.put_many(items([edge(*each) for each in edges]))
    graph: Any = nx.MultiDiGraph()
    graph.add_nodes_from(NODES)
    graph.add_edges_from((source, target, label) for source, label, target in edges)
    for one in NODES:
        for other in NODES:
            found = ask(one, other).body
            shared = set(nx.all_neighbors(graph, one)) & set(nx.all_neighbors(graph, other)) - {one, other}
            assert told(found["direct"]) == ties(graph, one, other)
            assert [each["id"] for each in found["shared"]] == sorted(node.id for node in shared)
            for each in found["shared"]:
                node = NodeId("person", each["id"])
                assert told(each["edges"]) == ties(graph, one, node)
                assert told(each["edges_of_other"]) == ties(graph, other, node)
            assert found["complete"]


@pytest.mark.parametrize(("of_amy", "requests", "complete"), [(498, 2, True), (500, 3, True), (1_000, 3, False)])
def test_a_hub_is_read_in_part(table: StreamedTable, of_amy: int, requests: int, complete: bool) -> None:
    """With the node itself, 500 items are one request."""
    others = [NodeId("person", f"{number:04}") for number in range(of_amy)]
    table.put_many(items([edge(AMY, "KNOWS", each) for each in others]))
    table.put_many(items([edge(BOB, "KNOWS", each) for each in others[:3]]))
    answer = ask(AMY, BOB)
    assert (len(answer.body["shared"]), answer.body["complete"]) == (3, complete)
    assert table.usage.requests == requests


@pytest.mark.parametrize("gone", [0, 1])
def test_both_must_exist(table: StreamedTable, gone: int) -> None:
    """A node that is being deleted does not, though some of its edges do."""
    pair = [AMY, BOB]
    table.put_many(items([edge(AMY, "KNOWS", BOB)]))
    table.put_many([codec.node_item(Node(pair[gone], 2, deleting=True))])
    answer = ask(*pair)
    assert (answer.status, answer.body["detail"]) == (404, f"there is no node '{pair[gone]}'")
    assert ask(NodeId("person", "nobody"), AMY).status == 404
    assert common.REQUESTS == 2
