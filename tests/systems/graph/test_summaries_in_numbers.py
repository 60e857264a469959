"""The summary of a node beside the numbers of its edges: in the same query, and only of the current generation."""

from decimal import Decimal
from typing import Any

import pytest

from docs.patterns import example
from functions.systems.graph import codec
from functions.systems.graph.entity import GraphEdge, NodeId
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable
from tests.systems.graph.generations import AMY, AT, FIRST, LATER, LATER_AT, current, person, publish

pytestmark = pytest.mark.usefixtures("handlers")

BOB = NodeId("person", "bob")
SUMMARY = {
    "as_of": AT,
    "pagerank": Decimal("0.0123"),
    "component": {"type": "person", "id": "amy", "nodes": 4},
    "two_steps": {"nodes": 2, "at_least": False, "edges": 7, "weight": Decimal("12.5")},
    "three_steps": {"nodes": 1000, "at_least": True, "edges": 4321, "weight": Decimal("-1E-18")},
}


def ask(node: NodeId = AMY, **query: str) -> Answer:
    answer = Client("bob").call("GET /graph/nodes/{type}/{id}/aggregates", query, **node._asdict())
    assert answer.status == 200, answer.body
    return answer


@pytest.fixture(autouse=True)
def linked(table: StreamedTable) -> None:
    """Amy has edges of three labels; Bob only gets them."""
    for label in "xyz":
        example.store(table, *codec.edge_items(GraphEdge(AMY, label, BOB, Decimal(1))))


def labels(body: Any) -> list[str]:
    return [each["label"] for each in body["aggregates"]]


def test_the_summary_comes_in_the_same_query(table: StreamedTable) -> None:
    current(table, FIRST, person("amy", "0.0123"))
    first = ask()
    assert (first.body["summary"], labels(first.body), first.body["cursor"]) == (SUMMARY, ["x", "y", "z"], None)
    assert (first.cost[0], ask().cost[0]) == (2, 1)


def test_before_the_first_fill_there_is_none(table: StreamedTable) -> None:
    publish(table, FIRST, person("amy"))
    body = ask().body
    assert (body["summary"], labels(body)) == (None, ["x", "y", "z"])


def test_a_node_without_a_summary_has_its_numbers(table: StreamedTable) -> None:
    current(table, FIRST, person("amy"))
    body = ask(BOB).body
    assert (body["summary"], labels(body)) == (None, ["x", "y", "z"])


def test_other_generations_are_not_answered(table: StreamedTable) -> None:
    current(table, FIRST, person("amy", "0.0123"))
    publish(table, LATER, person("amy", "0.5"), person("bob", "0.5"))
    assert (ask().body["summary"], labels(ask(limit="3").body)) == (SUMMARY, ["x", "y", "z"])
    assert (ask(BOB).body["summary"], labels(ask(BOB).body)) == (None, ["x", "y", "z"])
    current(table, LATER)
    summary = ask().body["summary"]
    assert (summary["as_of"], summary["pagerank"]) == (LATER_AT, Decimal("0.5"))


def test_only_the_first_page_has_it_and_it_takes_nobodys_place(table: StreamedTable) -> None:
    current(table, FIRST, person("amy", "0.0123"))
    first = ask(limit="2").body
    second = ask(limit="2", cursor=first["cursor"]).body
    assert (first["summary"], labels(first)) == (SUMMARY, ["x", "y"])
    assert (second["summary"], labels(second), second["cursor"]) == (None, ["z"], None)
