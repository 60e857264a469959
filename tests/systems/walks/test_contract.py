"""Walks on every engine: what they find, and that they never spend more than their budget, wherever it runs out."""

from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import chain
from typing import Any

import pytest

from docs.patterns import example
from edgewise.dynamodb.table import Table
from edgewise.errors import NotFoundError
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from functions.systems.graph.keys import ranked_node
from functions.systems.walks import rankings
from functions.systems.walks import store as walks
from functions.systems.walks.entity import Budget, Walk, Way
from functions.systems.walks.reach import Totals, by_label, reach
from tests.conftest import fresh_table, local_client
from tests.support.streams import Recording

OUT, BOTH = [Way("out", None)], [Way("out", "KNOWS"), Way("in", "KNOWS")]
PARENT_OF, SPOKES = "PARENT_OF", 10_000


def node(name: int | str) -> NodeId:
    return NodeId("person", str(name))


def edge(source: int | str, target: int | str, label: str = "KNOWS", weight: str = "1") -> GraphEdge:
    return GraphEdge(node(source), label, node(target), Decimal(weight))


# A cycle, a self-loop, edges of two labels between the same nodes, a node that two lead to, and a small tree.
GRAPH = [
    *(edge(one, other) for one, other in ("ab", "bc", "ca", "aa", "bd", "cd", "de", "ef", "gb")),
    edge("a", "b", "LIKES", "0.5"),
    *(edge(one, other, PARENT_OF, "2") for one, other in ("ps", "pt", "su", "sv", "tw")),
    edge("u", "w", "KNOWS", "7"),
    edge("w", "p", "LIKES", "3"),
]


@pytest.fixture
def graph(engine: Recording) -> Recording:
    example.store(engine, *_items(GRAPH))
    return engine


def _items(edges: list[GraphEdge]) -> Iterator[Any]:
    nodes = dict.fromkeys(end for each in edges for end in (each.source, each.target))
    yield from (graph_codec.node_item(Node(each, version=1)) for each in nodes)
    yield from chain.from_iterable(map(graph_codec.edge_items, edges))


def plenty() -> Budget:
    return Budget(1_000, 20_000)


def names(walk: Walk) -> dict[str, int]:
    return {name.id: reached.depth for name, reached in walk.reached.items()}


def test_a_traversal(graph: Recording) -> None:
    walk = walks.traverse(graph, node("a"), OUT, 3, plenty())
    assert names(walk) == {"a": 0, "b": 1, "c": 2, "d": 2, "e": 3}
    assert by_label(walk) == {"KNOWS": Totals(7, Decimal(7)), "LIKES": Totals(1, Decimal("0.5"))}
    both = walks.traverse(graph, node("a"), BOTH, 2, plenty())
    assert names(both) == {"a": 0, "b": 1, "c": 1, "d": 2, "g": 2}


def test_a_subtree_asks_only_those_that_have_something_below(graph: Recording) -> None:
    budget = plenty()
    found = walks.subtree(graph, node("p"), PARENT_OF, [PARENT_OF, "KNOWS"], budget)
    assert reach(found.walk).by_depth == {1: 2, 2: 3}
    assert found.sums == {
        ("out", PARENT_OF): Totals(3, Decimal(6)),
        ("in", PARENT_OF): Totals(5, Decimal(10)),
        ("out", "KNOWS"): Totals(1, Decimal(7)),
        ("in", "KNOWS"): Totals(1, Decimal(7)),
    }
    assert budget.spent_requests == 1 + 3 + 3  # the node, three levels' aggregates, the edges of p, s and t


def test_recommendations(graph: Recording) -> None:
    found = walks.recommend(graph, node("d"), BOTH, "KNOWS", plenty())
    # b and c are known; b has 4 edges, c has 3, e has 2: a is found by b and c, f by e, g by b.
    assert [(each.node.id, each.common) for each in found.candidates] == [("a", 2), ("f", 1), ("g", 1)]
    assert [each.score for each in found.candidates] == pytest.approx([1.631586, 1.442695, 0.721348], abs=1e-6)


def test_rankings(graph: Recording) -> None:
    def told(*wanted: Any) -> Any:
        found = rankings.top(graph, *wanted)
        assert found.complete
        return [(each.rank, ranked_node(each.member).id, each.number) for each in found.standings]

    assert sorted(told("KNOWS", "in", "count", 3)) == [(1, "a", 2), (1, "b", 2), (1, "d", 2)]
    assert told(PARENT_OF, "out", "weight", 9) == [(1, "s", 4), (1, "p", 4), (3, "t", 2)]
    assert told("LIKES", "in", "weight", 1) == [(1, "p", 3)]
    assert told("NOBODY", "in", "count", 9) == []


@pytest.mark.parametrize("state", ["absent", "deleting"])
def test_nothing_begins_at_a_node_that_is_not_there(engine: Recording, state: str) -> None:
    if state == "deleting":
        engine.put_many([graph_codec.node_item(Node(node("a"), version=1, deleting=True))])
    starts: list[Callable[[], object]] = [
        lambda: walks.traverse(engine, node("a"), OUT, 3, plenty()),
        lambda: walks.subtree(engine, node("a"), PARENT_OF, [], plenty()),
        lambda: walks.recommend(engine, node("a"), BOTH, "KNOWS", plenty()),
    ]
    for start in starts:
        with pytest.raises(NotFoundError, match="person/a"):
            start()


class Meter:
    """Counts what reaches a table, apart from what walks say they spend."""

    def __init__(self, table: Table, patch: pytest.MonkeyPatch) -> None:
        self.requests = self.items = 0
        self._count(table, "get", patch, lambda _: 1)
        self._count(table, "query", patch, lambda page: len(page.items))
        self._count(table, "get_many", patch, len)

    def _count(self, table: Table, name: str, patch: pytest.MonkeyPatch, size: Callable[[Any], int]) -> None:
        read = getattr(table, name)

        def counted(*args: Any) -> Any:
            found = read(*args)
            self.requests += 1
            self.items += size(found)
            return found

        patch.setattr(table, name, counted)


def every_budget() -> Iterator[Budget]:
    """Enough of one for all that is asked here, and too little of the other at every point."""
    yield from (Budget(requests, 1_000) for requests in range(1, 12))
    yield from (Budget(1_000, items) for items in range(1, 45))
    yield from (Budget(points, points) for points in range(1, 12))


def traversed(table: Table, budget: Budget) -> tuple[dict[str, Any], bool]:
    walk = walks.traverse(table, node("a"), BOTH, 3, budget)
    return dict(names(walk)), bool(walk.unexpanded)


def rolled_up(table: Table, budget: Budget) -> tuple[dict[str, Any], bool]:
    found = walks.subtree(table, node("p"), PARENT_OF, [PARENT_OF], budget)
    return {name.id: 0 for name in found.walk.reached}, bool(found.walk.unexpanded)


def recommended(table: Table, budget: Budget) -> tuple[dict[str, Any], bool]:
    found = walks.recommend(table, node("d"), BOTH, "KNOWS", budget)
    return {each.node.id: 0 for each in found.candidates}, bool(found.unexpanded)


@pytest.mark.parametrize("walk", [traversed, rolled_up, recommended])
def test_no_budget_is_exceeded_and_what_is_missing_is_told(
    walk: Callable[[Table, Budget], tuple[dict[str, Any], bool]], graph: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, _ = walk(graph, plenty())
    meter, outcomes = Meter(graph, monkeypatch), set()
    for budget in every_budget():
        meter.requests = meter.items = 0
        found, exhausted = walk(graph, budget)
        assert (meter.requests, meter.items) == (budget.spent_requests, budget.spent_items)
        assert meter.requests <= budget.requests
        assert meter.items <= budget.items
        assert found.items() <= whole.items()
        assert exhausted or found == whole
        outcomes.add(exhausted)
    assert outcomes == {True, False}


# It takes seconds to make: one process has all its tests.
one_hub = pytest.mark.xdist_group("hub")


@pytest.fixture(scope="module")
def hub(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> Iterator[Table]:
    """A node with 10,000 edges, half of them in, one of which comes from a node with an edge more."""
    made = fresh_table(local_client(dynamodb_local))
    table = Table(made.name, made.client)
    half = SPOKES // 2
    out, back = [edge("hub", n) for n in range(half)], [edge(n, "hub") for n in range(half, SPOKES)]
    table.put_many(list(_items([*out, *back, edge(half, "friend")])))
    yield table
    table.client.delete_table(TableName=table.name)


@one_hub
def test_a_hub_is_read_page_by_page_to_the_end(hub: Table) -> None:
    walk = walks.traverse(hub, node("hub"), BOTH, 1, plenty())
    assert len(walk.reached) == 1 + SPOKES
    assert not walk.unexpanded
    assert walk.budget.spent_items == 1 + SPOKES
    assert walk.budget.spent_requests < 20


@one_hub
def test_what_a_budget_leaves_of_a_hub(hub: Table) -> None:
    walk = walks.traverse(hub, node(SPOKES // 2), BOTH, 3, Budget(100, 2_000))
    assert (walk.level, walk.unexpanded) == (1, [node("hub")])
    assert node("friend") in walk.reached
    assert walk.budget.spent_items == 2_000


@one_hub
def test_through_a_hub_to_everybody_else(hub: Table) -> None:
    walk = walks.traverse(hub, node(0), BOTH, 2, plenty())
    assert reach(walk).by_depth == {1: 1, 2: SPOKES - 1}


@one_hub
def test_a_hub_recommends_nobody_before_all_its_neighbours_are_known(hub: Table) -> None:
    found = walks.recommend(hub, node("hub"), BOTH, "KNOWS", Budget(100, 2_000))
    assert (found.candidates, found.depth, found.unexpanded) == ((), 0, [node("hub")])
    found = walks.recommend(hub, node("hub"), BOTH, "KNOWS", plenty())
    assert found.depth == 1
    assert 0 < len(found.unexpanded) < SPOKES
