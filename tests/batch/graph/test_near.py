"""What is near a node: its levels and the nodes similar to it, beside plain calculations on the same graphs."""

import math
from array import array
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from batch.graph import reach, similar
from batch.graph.reach import Level, levels
from batch.graph.skeleton import Graph, Lists
from functions.systems.graph.entity import NodeId
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
@pytest.mark.parametrize("most", [8, 30, 1_000_000])
def test_similar_nodes(each: Known, hub: int, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar, "HUB", hub)
    monkeypatch.setattr(similar, "READ", most)
    graph = each.graph
    for node in graph.nodes:
        found = [(graph.names[other], score, common) for other, score, common in similar.similar(graph, node)]
        assert found == expected.similar(each, graph.names[node], hub, most)


@given(st.integers(0, 2**32), st.integers(0, 30), st.lists(st.integers(1, 3), max_size=30))
def test_who_leads_to_nobody_else_takes_nobodys_place(seed: int, most: int, leaves: list[int]) -> None:
    """A node gets more neighbours, each by so many edges to and fro that are all it has: the same are similar to it."""
    plain: nx.Graph[Any] = nx.gnp_random_graph(9, 0.4, seed=seed, directed=True)
    beside = nx.compose(plain, nx.empty_graph(range(9, 9 + len(leaves)), create_using=nx.DiGraph))
    more = [
        (ends[0], str(label), ends[1], "1")
        for leaf, edges in enumerate(leaves, 9)
        for label, ends in zip(range(edges), ((0, leaf), (leaf, 0), (0, leaf)), strict=False)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(similar, "READ", most)
        assert told(known(beside, more), 0) == told(known(plain), 0)


def told(of: Known, node: Any) -> list[tuple[NodeId, float, int]]:
    """The nodes that are similar to a node, by their names."""
    graph = of.graph
    (number,) = (each for each in graph.nodes if graph.names[each].id == str(node))
    return [(graph.names[other], score, common) for other, score, common in similar.similar(graph, number)]


def test_a_hub_is_similar_to_its_twin_however_many_leaves_it_has() -> None:
    """What leads to the twin has more edges than any of the leaves."""
    star: nx.Graph[Any] = nx.star_graph(1_500)
    star.add_edges_from([(0, "bridge"), ("bridge", "twin")])
    assert told(known(star), 0) == [(NodeId("kind 1", "twin"), 1 / math.log(2), 1)]


def test_of_many_neighbours_no_more_is_read_than_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody knows everybody, so each of 50 neighbours has 50 edges; ten of these are asked."""
    graph, read = known(nx.complete_graph(51)).graph, 0
    whole = Graph.around

    def counted(graph: Graph, node: int) -> "array[int]":
        nonlocal read
        found = whole(graph, node)
        read += len(found)
        return found

    monkeypatch.setattr(similar, "READ", 500)
    monkeypatch.setattr(Graph, "around", counted)
    similar.similar(graph, 0)
    assert read == 50 + 500
