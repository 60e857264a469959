"""What walks and rankings answer of a fill: the ranking by PageRank, and what stands in where a budget ends."""

from decimal import Decimal
from itertools import pairwise

import pytest

from docs.patterns import example
from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from functions.systems.graph.summary import Similar
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable
from tests.systems.graph.generations import AMY, AT, FIRST, current, person

pytestmark = pytest.mark.usefixtures("handlers")

READER = Client("bob")
RANKING = "GET /graph/rankings/{label}"
REACH = {
    "as_of": AT,
    "two_steps": {"nodes": 2, "at_least": False, "edges": 7, "weight": Decimal("12.5")},
    "three_steps": {"nodes": 1000, "at_least": True, "edges": 4321, "weight": Decimal("-1E-18")},
}


@pytest.fixture(autouse=True)
def linked(table: StreamedTable) -> None:
    """Amy knows Bob, who knows Eve, who knows Kim."""
    people = [NodeId("person", name) for name in ("amy", "bob", "eve", "kim")]
    items: list[Item] = [codec.node_item(Node(each, 1)) for each in people]
    ends = pairwise(people)
    for one, other in ends:
        items += codec.edge_items(GraphEdge(one, "KNOWS", other, Decimal(1)))
    example.store(table, *items)


def ask(what: str, **query: str) -> Answer:
    answer = READER.call(f"GET /graph/nodes/{{type}}/{{id}}/{what}", query, **AMY._asdict())
    assert answer.status == 200, answer.body
    return answer


def test_a_walk_that_its_budget_ends_tells_how_far_the_summary_reaches(table: StreamedTable) -> None:
    current(table, FIRST, person("amy"))
    answer = ask("traverse", depth="3", max_requests="2")
    assert answer.body["budget"]["exhausted"]
    assert answer.body["budget"]["requests"] == 2
    assert answer.body["from_summary"] == REACH
    assert [each["id"] for each in answer.body["nodes"]] == ["bob"]
    assert (answer.cost[0], ask("traverse", depth="3", max_requests="2").cost[0]) == (4, 3)


@pytest.mark.parametrize(
    "query", [{"depth": "3"}, {"max_requests": "1", "direction": "in"}, {"max_requests": "1", "direction": "both"}]
)
def test_a_walk_that_ends_or_goes_against_the_edges_tells_no_summary(
    table: StreamedTable, query: dict[str, str]
) -> None:
    current(table, FIRST, person("amy"))
    answer = ask("traverse", **query)
    assert (answer.body["from_summary"], answer.cost[0]) == (None, answer.body["budget"]["requests"])


@pytest.mark.parametrize(("what", "query"), [("traverse", {}), ("recommendations", {"label": "KNOWS"})])
def test_without_a_fill_there_is_no_summary(what: str, query: dict[str, str]) -> None:
    assert ask(what, max_requests="1", **query).body["from_summary"] is None


def test_recommendations_that_a_budget_ends_come_from_the_summary(table: StreamedTable) -> None:
    similar = [Similar("person", name, score, 1) for name, score in (("bob", 2.5), ("kim", 0.9102392266268373))]
    current(table, FIRST, person("amy", "0.25", *similar))
    kim = {"type": "person", "id": "kim", "score": Decimal("0.9102392266268373"), "common": 1}
    known = ask("recommendations", label="KNOWS", max_requests="3").body
    assert known["recommendations"] == []
    assert known["from_summary"] == {"as_of": AT, "recommendations": [kim]}
    unknown = ask("recommendations", label="KNOWS", max_requests="1").body["from_summary"]["recommendations"]
    assert [each["id"] for each in unknown] == ["bob", "kim"]
    complete = ask("recommendations", label="KNOWS").body
    assert ([each["id"] for each in complete["recommendations"]], complete["from_summary"]) == (["eve"], None)


def test_the_ranking_by_pagerank(table: StreamedTable) -> None:
    shares = {"amy": "0.5", "bob": "0.2", "eve": "0.2", "kim": "0.1"}
    current(table, FIRST, *(person(name, share) for name, share in shares.items()))
    answer = READER.call(RANKING, {"measure": "pagerank", "top": "3"}, label="*")
    nodes = answer.body.pop("nodes")
    assert answer.body == {"label": "*", "direction": None, "measure": "pagerank", "refilling": False, "as_of": AT}
    assert (nodes[0]["id"], nodes[0]["value"]) == ("amy", Decimal("0.5"))
    assert [(each["rank"], each["value"]) for each in nodes[1:]] == [(2, Decimal("0.2"))] * 2
    assert answer.cost[0] == 2


def test_before_the_first_fill_the_ranking_by_pagerank_is_empty() -> None:
    body = READER.call(RANKING, {"measure": "pagerank"}, label="*").body
    assert (body["nodes"], body["as_of"]) == ([], None)


@pytest.mark.parametrize(
    ("label", "query", "field"),
    [("KNOWS", {}, "label"), ("*", {"direction": "in"}, "direction"), ("*", {"top": "101"}, "top")],
)
def test_a_part_of_the_graph_has_no_pagerank(label: str, query: dict[str, str], field: str) -> None:
    answer = READER.call(RANKING, {"measure": "pagerank", **query}, label=label)
    assert (answer.status, answer.fields) == (400, [field])
