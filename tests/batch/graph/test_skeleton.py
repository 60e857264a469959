"""The graph as every process has it."""

import pickle
from decimal import Decimal, localcontext

import pytest

from batch.graph.ends import Ends, ends, together
from batch.graph.skeleton import Graph, Row, Sums, units
from edgewise.aggregates.measures import EXACT
from edgewise.dynamodb.attributes import Item, s
from functions.systems.graph import codec
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from tests.batch.graph.graphs import GRAPHS, Known

AMY, BOB = NodeId("p", "amy"), NodeId("p", "bob")
GREATEST, LEAST = Decimal("9999999999999.999999999999999999"), Decimal("1E-18")


def test_sums_are_exact_whatever_is_added() -> None:
    """A million of the greatest weights at each of some nodes, beside the least there is."""
    sums = Sums()
    with localcontext() as context:
        context.prec = 200
        weights = [GREATEST * 10**6, LEAST, -LEAST, -GREATEST * 10**6, Decimal(0), Decimal("12.5"), GREATEST * 10**12]
        for weight in weights:
            sums.append(units(weight))
        for end in range(len(weights) + 1):
            assert sums.over(range(end)) == sum(weights[:end], Decimal(0))


@pytest.mark.parametrize("pieces", [1, 2, 3, 7, 1_000])
def test_ranges_have_every_node_once(each: Known, pieces: int) -> None:
    graph = each.graph
    cut = graph.cut(pieces)
    assert [node for some in cut for node in some] == list(graph.nodes)
    assert len(cut) <= pieces
    assert all(cut)


def test_ranges_have_about_as_many_edges() -> None:
    """So a hub does not keep one process busy while the others wait."""
    graph = GRAPHS["miserables"].graph
    shares = [sum(graph.edges[node] + 1 for node in some) for some in graph.cut(4)]
    heaviest = max(graph.edges) + 1
    assert max(shares) - min(shares) <= 2 * heaviest


def test_a_graph_is_the_same_in_another_process(each: Known) -> None:
    assert pickle.loads(pickle.dumps(each.graph)) == each.graph


def test_names_are_read_back(each: Known) -> None:
    assert [each.graph.names[node] for node in each.graph.nodes] == sorted(each.expected)


def test_nodes_and_edges_are_found_among_all_items() -> None:
    edge = codec.edge_item(GraphEdge(AMY, "L", BOB, Decimal("-1.5")))
    items: list[Item] = [
        codec.node_item(Node(AMY, 1)),
        codec.node_item(Node(BOB, 2, deleting=True)),
        {"PK": s("ROOM#1"), "SK": s("EDGE#"), "Type": s("ROOM")},
        edge,
        edge | {"Weight": {"N": "1E+99"}},
        edge | {"Weight": {"S": "1"}},
        edge | {"SK": s("EDGE#L")},
        {"PK": s("x")},
    ]
    found = list(ends(items))
    amy, bob = "NODE#p#amy", "NODE#p#bob"
    assert found == [Ends(amy), Ends(amy, bob, -2, 5 * 10**17), Ends(), Ends(), Ends(), Ends()]


@pytest.mark.parametrize("weight", [GREATEST, GREATEST.copy_negate(), LEAST, -LEAST, Decimal(0)])
def test_a_weight_fits_into_two_numbers_of_64_bits(weight: Decimal) -> None:
    (found,) = ends([codec.edge_item(GraphEdge(AMY, "L", BOB, weight))])
    assert found.whole is not None
    assert found.rest is not None
    assert max(abs(found.whole), found.rest) < 2**63
    assert EXACT.scaleb(Decimal(together(found.whole, found.rest)), -18) == weight


def test_an_edge_to_itself_counts_twice() -> None:
    graph = Graph()
    graph.append(Row("NODE#p#amy", [0], [0], 2))
    assert list(graph.edges) == [2]
