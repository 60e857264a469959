"""Zachary's karate club, Les Misérables, Florentine families, Southern women: every number is networkx's own."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

import networkx as nx
import pytest

from tests.systems.walks.conftest import LABEL, PLENTY, READER, Loaded, Node


def name(row: Any) -> Node:
    return row["type"], row["id"]


def exact(numbers: Iterable[tuple[Node, Any]]) -> dict[Node, Decimal]:
    return {node: Decimal(str(number)) for node, number in numbers}


def degrees(loaded: Loaded, field: str) -> dict[Node, Decimal]:
    answers = {node: loaded.read("aggregates", node).body["aggregates"] for node in loaded.graph}
    return {node: sum((Decimal(row[field]) for row in rows), Decimal(0)) for node, rows in answers.items()}


def test_degrees(loaded: Loaded) -> None:
    assert degrees(loaded, "edges") == exact(loaded.graph.degree)


def test_weighted_degrees(loaded: Loaded) -> None:
    assert degrees(loaded, "weight") == exact(loaded.graph.degree(weight="weight"))


def test_neighbours(loaded: Loaded) -> None:
    for node in loaded.graph:
        out = loaded.read("edges", node, direction="out", limit="1000").body["edges"]
        back = loaded.read("edges", node, direction="in", limit="1000").body["edges"]
        found = [name(edge["target"]) for edge in out] + [name(edge["source"]) for edge in back]
        assert sorted(found) == sorted(loaded.graph[node])


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("direction", ["both", "out", "in"])
def test_descendants(loaded: Loaded, direction: str, depth: int) -> None:
    followed: nx.Graph[Node] = loaded.graph
    if direction != "both":
        followed = loaded.directed if direction == "out" else loaded.directed.reverse()
    for node in loaded.graph:
        body = loaded.read("traverse", node, depth=str(depth), direction=direction, **PLENTY).body
        distances = dict(nx.single_source_shortest_path_length(followed, node, cutoff=depth))
        del distances[node]
        assert {name(row): row["depth"] for row in body["nodes"]} == distances
        assert body["reached"] == {
            "nodes": len(distances),
            "types": len({kind for kind, _ in distances}),
            "by_type": Counter(kind for kind, _ in distances),
            "by_depth": {str(away): count for away, count in Counter(distances.values()).items()},
        }
        assert not body["budget"]["exhausted"]
        for row in body["nodes"]:
            path = [node, *map(name, row["path"])]
            assert (len(path), path[-1]) == (row["depth"] + 1, name(row))
            assert nx.is_path(followed, path)


def test_the_edges_of_everything_up_to_two_steps_away(loaded: Loaded) -> None:
    for node in loaded.graph:
        (told,) = loaded.read("traverse", node, depth="3", direction="both", **PLENTY).body["edges"]
        near = nx.single_source_shortest_path_length(loaded.graph, node, cutoff=2)
        seen = loaded.graph.edges(near, data="weight", default=1)
        weight = sum(Decimal(str(each)) for _, _, each in seen)
        assert (told["label"], told["edges"], told["weight"]) == (LABEL, len(seen), weight)


def test_recommendations_are_adamic_adar(loaded: Loaded) -> None:
    scores: dict[Node, dict[Node, Any]] = {node: {} for node in loaded.graph}
    for one, other, score in nx.adamic_adar_index(loaded.graph):
        if score:
            scores[one][other] = scores[other][one] = pytest.approx(score, rel=1e-12)
    for node, expected in scores.items():
        found = loaded.read("recommendations", node, label=LABEL, limit="1000", **PLENTY).body["recommendations"]
        assert {name(row): float(row["score"]) for row in found} == expected
        assert [row["score"] for row in found] == sorted((row["score"] for row in found), reverse=True)
        for row in found:
            assert row["common"] == len(list(nx.common_neighbors(loaded.graph, node, name(row))))


@pytest.mark.parametrize("measure", ["count", "weight"])
@pytest.mark.parametrize("direction", ["in", "out"])
def test_rankings(loaded: Loaded, direction: str, measure: str) -> None:
    degree = loaded.directed.in_degree if direction == "in" else loaded.directed.out_degree
    weights = exact(degree(weight="weight" if measure == "weight" else None))
    numbers = {node: weights[node] for node, edges in degree if edges}
    for top in (1, 5, 100):
        query = {"direction": direction, "measure": measure, "top": str(top)}
        rows = READER.call("GET /graph/rankings/{label}", query, label=LABEL).body["nodes"]
        assert [row["value"] for row in rows] == sorted(numbers.values(), reverse=True)[:top]
        for row in rows:
            assert row["value"] == numbers[name(row)]
            assert row["rank"] == 1 + sum(number > row["value"] for number in numbers.values())
        assert len({name(row) for row in rows}) == len(rows)


def test_a_subtree_is_all_that_can_be_reached_and_the_sum_of_its_degrees(loaded: Loaded) -> None:
    """These are no trees: several ways lead to a node, which counts once."""
    for node in loaded.graph:
        body = loaded.read("subtree", node, label=LABEL, **PLENTY).body
        below = nx.descendants(loaded.directed, node)
        assert body["below"]["nodes"] == len(below)
        sums = {row["direction"]: (row["edges"], row["weight"]) for row in body["aggregates"]}
        for direction, degree in (("out", loaded.directed.out_degree), ("in", loaded.directed.in_degree)):
            edges = sum(count for _, count in degree(below))
            weight = sum(exact(degree(below, weight="weight")).values())
            assert sums.get(direction, (0, 0)) == (edges, weight)
