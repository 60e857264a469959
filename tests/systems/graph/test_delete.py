"""Deleting a node through its route: at once for everybody, with all that is at it, in the end by the stream."""

from collections.abc import Callable

import pytest

from functions.systems.graph import cleanup as graph_cleanup
from tests.support.http import Client
from tests.support.streams import StreamedTable
from tests.systems.graph.test_routes import aggregates, delete, edges, get, link, pairs, put

SKILL = {"name": "skill", "value": "SQL"}


@pytest.fixture(autouse=True)
def people(handlers: None) -> None:
    for name in ("amy", "bob", "cyd"):
        put(name, SKILL)
    for edge in (
        ("amy", "A", "bob"),
        ("bob", "A", "amy"),
        ("cyd", "B", "amy"),
        ("amy", "A", "amy"),
        ("bob", "A", "cyd"),
    ):
        link(*edge)


def found() -> list[str]:
    hits = Client().call("GET /graph/search", {"name": "skill", "value": "SQL"}).body["nodes"]
    return sorted(hit["id"] for hit in hits)


def assert_gone(table: StreamedTable) -> None:
    assert (get("amy").status, edges("amy").body["edges"]) == (404, [])
    assert pairs("bob") == pairs("cyd", direction="in") == [("bob", "A", "cyd")]
    assert pairs("cyd") == pairs("bob", direction="in") == []
    assert found() == ["bob", "cyd"]
    assert aggregates("bob") == {("out", "A"): (1, 1)}
    assert aggregates("cyd") == {("in", "A"): (1, 1)}
    left = [item for item in table.all_items() if item["PK"] == {"S": "NODE#person#amy"}]
    (mark,) = (item for item in left if item["Type"] == {"S": "NODE"})
    assert "ExpiresAt" in mark
    assert {item["Type"]["S"] for item in left if item != mark} <= {"DEGREE"}
    assert all("GSI3PK" not in item and item["GSI1PK"]["S"].startswith("EMPTIED#") for item in left if item != mark)


def test_everything_at_a_node_goes_with_it(table: StreamedTable, settle: Callable[[], None]) -> None:
    settle()
    answer = delete("amy")
    assert (answer.status, answer.body) == (204, None)
    assert get("amy").status == 404
    settle()
    assert_gone(table)


def test_it_is_noted_once_for_all_searches(table: StreamedTable) -> None:
    answers = [delete("amy"), delete("amy")]
    noted = [item for item in table.all_items() if item["Type"] == {"S": "WITHDRAWAL"}]
    assert [item["PK"]["S"] for item in noted] == ["WITHDRAWN#*"]
    # The indexer's removal of the note is charged to whoever deletes the node.
    assert [answer.headers.get("x-caused-units") for answer in answers] == ["1", None]


def test_again_and_of_nothing(settle: Callable[[], None]) -> None:
    assert [delete("amy").status for _ in range(2)] == [204, 204]
    settle()
    assert [delete("amy").status, delete("zoe").status] == [204, 204]


def test_more_than_one_call_may_remove(
    table: StreamedTable, settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_cleanup, "STEPS", 1)
    answer = delete("amy")
    assert (answer.status, answer.body) == (202, {"state": "deleting"})
    assert (get("amy").status, link("bob", "A", "amy").status) == (404, 404)
    again = put("amy", SKILL)
    assert (again.status, again.body["detail"]) == (409, "the node 'person/amy' is still being deleted")
    settle()
    assert_gone(table)


def test_a_repeated_call_goes_on(settle: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_cleanup, "STEPS", 1)
    assert [delete("amy").status for _ in range(4)] == [202, 202, 204, 204]  # attributes, edges out, edges in


def test_a_node_made_anew_has_nothing_of_the_old_one(settle: Callable[[], None]) -> None:
    delete("amy")
    assert put("amy").status == 200
    assert (get("amy").body["attributes"], pairs("amy"), pairs("amy", direction="in")) == ([], [], [])
    link("amy", "NEW", "bob")
    settle()
    assert aggregates("amy") == {("out", "NEW"): (1, 1)}
    assert pairs("amy") == [("amy", "NEW", "bob")]
