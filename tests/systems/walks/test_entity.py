"""Walks compared with networkx, on graphs that hypothesis draws and with budgets that run out at every point."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from random import Random

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.systems.graph.entity import Direction, GraphEdge, NodeId
from functions.systems.walks.entity import Budget, Read, Step, Walk, Way
from functions.systems.walks.reach import Candidate, Reach, Totals, adamic_adar, by_label, reach

Graph = list[GraphEdge]
PLENTY = 10_000
OUT, BOTH = [Way("out", None)], [Way("out", None), Way("in", None)]


def node(name: int | str) -> NodeId:
    return NodeId("n", str(name))


def edge(source: int | str, target: int | str, label: str = "KNOWS", weight: int = 1) -> GraphEdge:
    return GraphEdge(node(source), label, node(target), Decimal(weight))


# Few nodes, many edges: cycles, self-loops and parallel edges of other labels come by themselves.
_ends = st.integers(0, 7)
graphs = st.lists(
    st.builds(edge, _ends, _ends, st.sampled_from(["KNOWS", "LIKES"]), st.integers(-3, 3)),
    unique_by=lambda one: (one.source, one.label, one.target),
    max_size=40,
)


class Pages:
    """The edges of a graph, served in pages as the table does, and what that took."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.requests, self.items = graph, 0, 0
        self._given: dict[Read, int] = {}

    def page(self, read: Read, limit: int) -> tuple[Sequence[GraphEdge], bool]:
        (origin, (direction, label)), start = read, self._given.get(read, 0)
        ends: Callable[[GraphEdge], NodeId] = lambda one: one.source if direction == "out" else one.target  # noqa: E731
        all_edges = [one for one in self.graph if ends(one) == origin and label in (None, one.label)]
        given = all_edges[start : start + limit]
        self._given[read] = start + len(given)
        self.requests += 1
        self.items += len(given)
        return given, len(given) == limit  # as in DynamoDB, there may be nothing more


def run(walk: Walk, pages: Pages, at_once: int = 4) -> Walk:
    while walk.descend():
        while (wave := walk.wave(at_once))[0]:
            reads, limit = wave
            for read in reads:
                walk.learn(read, *pages.page(read, limit))
    return walk


def walked(graph: Graph, depth: int | None = None, ways: Sequence[Way] = OUT, at_once: int = 4) -> Walk:
    return run(Walk([node(0)], ways, depth, Budget(PLENTY, PLENTY)), Pages(graph), at_once)


def distances(walk: Walk) -> dict[NodeId, int]:
    return {name: reached.depth for name, reached in walk.reached.items()}


def digraph(graph: Graph, direction: Direction | None = "out") -> "nx.Graph[NodeId]":
    made: nx.DiGraph[NodeId] = nx.DiGraph()
    made.add_node(node(0))
    made.add_edges_from((one.source, one.target) for one in graph)
    return made.to_undirected() if direction is None else made if direction == "out" else made.reverse()


@given(graph=graphs, depth=st.sampled_from([0, 1, 2, 3, None]))
@pytest.mark.parametrize("direction", ["out", "in", None])
def test_every_node_is_reached_by_its_distance(graph: Graph, depth: int | None, direction: Direction | None) -> None:
    walk = walked(graph, depth, BOTH if direction is None else [Way(direction, None)])
    expected = nx.single_source_shortest_path_length(digraph(graph, direction), node(0), cutoff=depth)
    assert distances(walk) == expected
    assert not walk.unexpanded


@given(graph=graphs)
def test_each_node_is_expanded_once_and_paths_are_real_and_shortest(graph: Graph) -> None:
    walk = walked(graph, ways=BOTH)
    names = {(one.source, one.label, one.target) for one in graph}
    for name, reached in walk.reached.items():
        path, at = walk.path(name), node(0)
        assert len(path) == reached.depth
        for (label, direction), after in path:
            assert ((at, label, after) if direction == "out" else (after, label, at)) in names
            at = after
        assert at == name
    assert len(walk.neighbours) == len(walk.reached)
    assert walk.budget.spent_requests == 2 * len(walk.reached)


@given(graph=graphs, labels=st.sets(st.sampled_from(["KNOWS", "LIKES", "NONE"]), min_size=1))
def test_only_the_labels_asked_for_are_followed(graph: Graph, labels: set[str]) -> None:
    walk = walked(graph, ways=[Way("out", label) for label in labels])
    followed = digraph([one for one in graph if one.label in labels])
    assert distances(walk) == nx.single_source_shortest_path_length(followed, node(0))


@given(graph=graphs, shuffled=st.randoms())
def test_the_outcome_depends_on_the_graph_alone(graph: Graph, shuffled: Random) -> None:
    one = walked(graph, ways=BOTH, at_once=1)
    shuffled.shuffle(graph)
    other = walked(graph, ways=BOTH, at_once=16)
    assert list(one.reached.items()) == list(other.reached.items())


def budgets() -> Iterator[tuple[int, int]]:
    return ((requests, items) for requests in range(12) for items in range(0, 31, 3))


@given(graph=graphs)
def test_a_budget_that_runs_out_at_any_point_is_kept_and_told(graph: Graph) -> None:
    whole = distances(walked(graph, 3, BOTH))
    for requests, items in budgets():
        pages = Pages(graph)
        walk = run(Walk([node(0)], BOTH, 3, Budget(requests, items)), pages)
        assert (pages.requests, pages.items) == (walk.budget.spent_requests, walk.budget.spent_items)
        assert pages.requests <= requests
        assert pages.items <= items
        assert distances(walk).items() <= whole.items()
        if not walk.unexpanded:
            assert distances(walk) == whole
        assert all(whole[name] == walk.level for name in walk.unexpanded)


def test_a_hub_does_not_starve_its_neighbours() -> None:
    """A page of each comes first; what is left then goes to the hub, which is the one not read to the end."""
    crowd = [edge(1, f"x{number}") for number in range(500)]
    graph = [edge(0, 1), edge(0, 2), edge(0, 3), *crowd, edge(2, "y"), edge(3, "z")]
    walk = run(Walk([node(0)], OUT, 2, Budget(PLENTY, 200)), Pages(graph))
    assert {node("y"), node("z")} < walk.reached.keys()
    assert walk.unexpanded == [node(1)]
    assert walk.budget.items_left == 0


def test_few_items_are_not_spent_on_many_small_pages() -> None:
    walk = Walk(map(node, range(10)), OUT, 1, Budget(100, 60))
    walk.descend()
    assert walk.wave(16) == ([Read(node(0), OUT[0]), Read(node(1), OUT[0])], 30)


def test_nodes_passed_over_are_reached_but_not_read() -> None:
    walk = Walk([node(0), node(1)], OUT, 1, Budget(100, 100))
    walk.descend()
    walk.pass_over({node(0)})
    assert walk.wave(16)[0] == [Read(node(1), OUT[0])]
    assert list(walk.reached) == [node(0), node(1)]


def test_what_is_kept_for_later_is_not_spent() -> None:
    budget = Budget(10, 100, spent_items=40)
    budget.keep(2)
    assert budget.items_left == 30
    budget.spend(items=30)
    assert budget.share(1) == (0, 0)
    budget.keep(2)
    assert budget.items_left == 15


def test_the_state_of_what_was_reached() -> None:
    graph = [
        edge(0, 1, weight=2),
        edge(0, 1, "LIKES"),
        edge(1, 0, weight=5),
        edge(1, 1, weight=7),
        GraphEdge(node(1), "KNOWS", NodeId("city", "x"), Decimal("0.5")),
        edge(2, 2, weight=100),
    ]
    walk = walked(graph, ways=BOTH)
    assert reach(walk) == Reach(2, {"n": 1, "city": 1}, {1: 1, 2: 1})
    assert by_label(walk) == {"KNOWS": Totals(4, Decimal("14.5")), "LIKES": Totals(1, Decimal(1))}


def test_of_parallel_paths_the_first_by_name_is_told() -> None:
    walk = walked([edge(0, 2, "LIKES"), edge(0, 2), edge(0, 1), edge(1, 3), edge(2, 3)])
    assert walk.path(node(3)) == [(Step("KNOWS", "out"), node(1)), (Step("KNOWS", "out"), node(3))]
    assert walk.path(node(2)) == [(Step("KNOWS", "out"), node(2))]


@given(graph=graphs)
def test_scores_are_those_of_networkx(graph: Graph) -> None:
    """On the simple undirected graph, self-loops included: networkx counts one twice in a degree, and so do we."""
    simple = digraph(graph, None)
    neighbours = set(simple[node(0)]) - {node(0)}
    scores = adamic_adar(
        node(0), neighbours, {name: list(simple[name]) for name in neighbours}, dict(simple.degree(neighbours))
    )
    others = [name for name in simple if name != node(0) and name not in neighbours]
    expected = {
        name: pytest.approx(score)
        for _, name, score in nx.adamic_adar_index(simple, [(node(0), name) for name in others])
        if score
    }
    assert {each.node: each.score for each in scores} == expected
    assert scores == sorted(scores, key=lambda each: (-each.score, each.node))


def test_a_degree_that_lags_behind_does_not_divide_by_zero() -> None:
    (candidate,) = adamic_adar(node(0), {node(1)}, {node(1): {node(0), node(2)}}, {node(1): 0})
    assert candidate == Candidate(node(2), 1.4426950408889634, 1)  # 1 / log 2
