"""What is near a node: its levels and the nodes similar to it, beside plain calculations on the same graphs."""

from array import array
from collections.abc import Iterator
from decimal import Decimal

import networkx as nx
import pytest

from batch.graph import reach, similar
from batch.graph.reach import Level, levels
from batch.graph.skeleton import Lists
from tests.batch.graph import expected
from tests.batch.graph.graphs import GRAPHS, Known, known


@pytest.mark.parametrize("most", [1, 3, 8, 1_000])
def test_levels(each: Known, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MOST", most)
    graph = each.graph
    for node in graph.nodes:
        wanted = expected.levels(each, graph.names[node], most)
        for found, (nodes, at_least, edges, weight) in zip(levels(graph, node), wanted, strict=True):
            assert (found.nodes, found.at_least) == (nodes, at_least)
            if edges is not None:
                assert (found.edges, found.weight) == (edges, weight)


def test_of_a_level_with_too_many_nodes_some_are_summed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MOST", 3)
    graph = known(nx.DiGraph([("a", "b"), *(("b", f"c{leaf}") for leaf in range(5)), ("c0", "d")])).graph
    two, three = levels(graph, 0)
    assert (graph.names[0].id, two.nodes, two.at_least) == ("a", 3, True)
    assert 3 <= two.edges <= 4
    assert two.weight == two.edges
    assert three == Level(0, True, 0, Decimal(0))


def test_the_levels_beyond_a_hub_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reach, "MOST", 3)
    graph = GRAPHS["karate"].graph
    hub = max(graph.nodes, key=lambda node: len(graph.out[node]))
    assert all((each.nodes, each.at_least) == (0, True) for each in levels(graph, hub))


def test_of_a_hub_no_more_is_read_than_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """It and 500 others follow each other: each of these would read it as a whole, 250,000 numbers in all."""
    star = nx.star_graph(500).to_directed()
    graph, read = known(star).graph, 0
    whole = Lists.slices

    def counted(lists: Lists, node: int, size: int) -> "Iterator[array[int]]":
        nonlocal read
        for some in whole(lists, node, size):
            read += len(some)
            yield some

    monkeypatch.setattr(reach, "MOST", 10)
    monkeypatch.setattr(Lists, "slices", counted)
    monkeypatch.delattr(Lists, "__getitem__")
    for node in graph.nodes:
        assert levels(graph, node)[0].at_least
    assert read < 501 * 50


@pytest.mark.parametrize("hub", [3, 6, 1_000])
def test_similar_nodes(each: Known, hub: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`hub` is also the most neighbours that are asked; few nodes have more that are no hubs."""
    monkeypatch.setattr(similar, "HUB", hub)
    graph = each.graph
    for node in graph.nodes:
        asked = [other for other in {*graph.around(node)} - {node} if graph.edges[other] <= hub]
        if len(asked) <= hub:
            found = [(graph.names[other], score, common) for other, score, common in similar.similar(graph, node)]
            assert found == expected.similar(each, graph.names[node], hub)


def test_of_many_neighbours_those_with_the_fewest_edges_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a wheel's hub, the two spokes that have no rim: only these have another neighbour."""
    rim = [(f"r{number}", f"r{(number + 1) % 6}") for number in range(6)]
    wheel: nx.Graph[str] = nx.Graph(
        [("hub", "a"), ("hub", "b"), ("a", "far"), ("b", "far"), *(("hub", one) for one, _ in rim), *rim]
    )
    wheel.add_edges_from((one, "rich") for one, _ in rim)
    graph = known(wheel).graph
    names = {graph.names[node].id: node for node in graph.nodes}
    assert [graph.names[found.node].id for found in similar.similar(graph, names["hub"])] == ["rich", "far"]
    monkeypatch.setattr(similar, "HUB", 4)
    assert [found.common for found in similar.similar(graph, names["hub"])] == [2, 2]
