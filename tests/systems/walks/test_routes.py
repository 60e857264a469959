"""The routes of rankings and walks: what they answer, what they refuse, and that they tell what they spent."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from functions.web.spelling import spell
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

WRITER, READER = Client(groups=("write",)), Client("bob")
NODE = "/graph/nodes/{type}/{id}"
EDGE = "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
ODD = 'ä #%/?&=+.. ",$'

Node = tuple[str, str]
AMY, BOB, EVE, KIM = (("person", name) for name in ("amy", "bob", "eve", "kim"))
PARIS = ("city", "Paris")


def link(source: Node, label: str, target: Node, weight: float = 1) -> None:
    (kind, name), (target_type, target_id) = source, target
    for each in (source, target):
        assert WRITER.call(f"PUT {NODE}", None, {"attributes": []}, type=each[0], id=each[1]).status == 200
    ids = {"type": kind, "id": name, "label": label, "target_type": target_type, "target_id": target_id}
    assert WRITER.call(f"PUT {EDGE}", None, {"weight": weight}, **ids).status == 200


def read(what: str, node: Node, **query: str) -> Answer:
    return READER.call(f"GET {NODE}/{what}", query, type=node[0], id=node[1])


def step(label: str, direction: str, to: Node) -> dict[str, str]:
    return {"type": to[0], "id": to[1], "label": label, "direction": direction}


@pytest.fixture
def linked(drain: Callable[[], None]) -> None:
    link(AMY, "KNOWS", BOB, 2.5)
    link(AMY, "LIKES", BOB)
    link(BOB, "KNOWS", AMY)
    link(BOB, "KNOWS", EVE, -1)
    link(BOB, "LIVES IN", PARIS)
    link(KIM, "KNOWS", EVE)
    link(EVE, "KNOWS", EVE)
    drain()


@pytest.mark.usefixtures("linked")
def test_a_traversal_tells_paths_and_the_state_of_all_that_was_reached() -> None:
    answer = read("traverse", AMY, depth="2", direction="both")
    to_bob = step("KNOWS", "in", BOB)
    assert answer.body == {
        "node": {"type": "person", "id": "amy"},
        "reached": {"nodes": 3, "types": 2, "by_type": {"person": 2, "city": 1}, "by_depth": {"1": 1, "2": 2}},
        "labels": 3,
        "edges": [
            {"label": "KNOWS", "edges": 3, "weight": Decimal("2.5")},
            {"label": "LIKES", "edges": 1, "weight": 1},
            {"label": "LIVES IN", "edges": 1, "weight": 1},
        ],
        "nodes": [
            {"type": "person", "id": "bob", "depth": 1, "path": [to_bob]},
            {"type": "person", "id": "eve", "depth": 2, "path": [to_bob, step("KNOWS", "out", EVE)]},
            {"type": "city", "id": "Paris", "depth": 2, "path": [to_bob, step("LIVES IN", "out", PARIS)]},
        ],
        "cursor": None,
        "budget": {"requests": 5, "items": 9, "exhausted": False, "stopped_at": None},
        "from_summary": None,
    }
    assert answer.cost[0] == 5  # the node, then out and in for amy and for bob


@pytest.mark.usefixtures("linked")
def test_a_list_of_labels_may_hold_any_text() -> None:
    link(AMY, ODD, KIM)
    labels = f"{spell(ODD, ',')},LIVES IN,LIVES IN"
    answer = read("traverse", AMY, depth="3", labels=labels)
    assert [row["id"] for row in answer.body["nodes"]] == ["kim"]
    assert answer.cost[0] == 1 + 2 * 2


@pytest.mark.usefixtures("linked")
def test_an_exhausted_budget_is_told_and_where() -> None:
    body = read("traverse", AMY, depth="3", direction="both", max_requests="4").body
    assert body["budget"] == {
        "requests": 4,
        "items": 7,
        "exhausted": True,
        "stopped_at": {"depth": 1, "unexpanded": 1, "nodes": [{"type": "person", "id": "bob"}]},
    }
    assert [row["id"] for row in body["nodes"]] == ["bob", "eve", "Paris"]


@pytest.mark.usefixtures("linked")
def test_only_so_many_nodes_are_told_at_once_but_all_are_counted() -> None:
    told, query = [], {"depth": "2", "limit": "1"}
    while True:
        body = read("traverse", AMY, **query).body
        assert (body["reached"]["nodes"], body["budget"]["exhausted"], len(body["nodes"])) == (3, False, 1)
        told += [row["id"] for row in body["nodes"]]
        if body["cursor"] is None:
            break
        query["cursor"] = body["cursor"]
    assert told == ["bob", "eve", "Paris"]


@pytest.mark.usefixtures("linked")
def test_a_cursor_of_another_walk_is_refused() -> None:
    cursor = read("traverse", AMY, depth="2", limit="1").body["cursor"]
    assert read("traverse", AMY, depth="3", cursor=cursor).fields == ["cursor"]
    assert read("traverse", BOB, depth="2", cursor=cursor).fields == ["cursor"]


@pytest.mark.usefixtures("linked")
def test_of_many_nodes_not_looked_at_the_first_are_named(drain: Callable[[], None]) -> None:
    for number in range(12):
        link(KIM, "KNOWS", ("person", f"p{number:02}"))
    stopped_at = read("traverse", KIM, depth="2", max_requests="2").body["budget"]["stopped_at"]
    assert (stopped_at["depth"], stopped_at["unexpanded"]) == (1, 13)
    assert [row["id"] for row in stopped_at["nodes"]] == ["eve", *(f"p{number:02}" for number in range(9))]


@pytest.mark.usefixtures("linked")
def test_recommendations() -> None:
    """Bob has 2 KNOWS edges with Amy and one with Eve: three, one more than networkx's simple graph would count."""
    answer = read("recommendations", AMY, label="KNOWS")
    assert answer.body["recommendations"] == [
        {
            "type": "person",
            "id": "eve",
            "score": pytest.approx(Decimal("0.910239227"), abs=Decimal("1e-9")),
            "common": 1,
        }
    ]
    assert answer.body["budget"] == {
        "requests": 6,
        "items": 8,
        "exhausted": False,
        "stopped_at": None,
    }
    assert read("recommendations", AMY, label="KNOWS", direction="in").body["recommendations"] == []
    assert [r["id"] for r in read("recommendations", AMY, label="KNOWS", direction="out").body["recommendations"]] == [
        "eve"
    ]
    assert read("recommendations", AMY, label="NOTHING").body["recommendations"] == []


@pytest.mark.usefixtures("linked")
def test_recommendations_that_a_budget_cuts_short() -> None:
    spent = {count: read("recommendations", AMY, label="KNOWS", max_requests=str(count)).body for count in (1, 3, 4, 5)}
    assert {count: body["budget"]["stopped_at"]["depth"] for count, body in spent.items()} == {1: 0, 3: 1, 4: 1, 5: 1}
    assert not any(body["recommendations"] for count, body in spent.items() if count < 5)


@pytest.mark.usefixtures("linked")
def test_a_cycle_below_a_node_counts_each_node_once_and_not_the_node_itself() -> None:
    answer = read("subtree", AMY, label="KNOWS", labels="KNOWS,LIVES IN")
    assert answer.body == {
        "node": {"type": "person", "id": "amy"},
        "below": {"nodes": 2, "types": 1, "by_type": {"person": 2}, "by_depth": {"1": 1, "2": 1}},
        "aggregates": [
            {"direction": "in", "label": "KNOWS", "edges": 4, "weight": Decimal("3.5")},
            {"direction": "out", "label": "KNOWS", "edges": 3, "weight": 1},
            {"direction": "out", "label": "LIVES IN", "edges": 1, "weight": 1},
        ],
        "budget": {"requests": 7, "items": 12, "exhausted": False, "stopped_at": None},
    }


@pytest.mark.usefixtures("linked")
def test_rankings_share_ranks() -> None:
    answer = READER.call("GET /graph/rankings/{label}", label="KNOWS")
    assert (answer.body["label"], answer.body["direction"], answer.body["measure"]) == ("KNOWS", "in", "count")
    found = [(row["rank"], row["id"], row["value"]) for row in answer.body["nodes"]]
    assert (found[0], sorted(found[1:])) == ((1, "eve", 3), [(2, "amy", 1), (2, "bob", 1)])
    assert answer.body["refilling"] is False
    assert answer.cost[0] == 2
    lightest = READER.call("GET /graph/rankings/{label}", {"measure": "weight", "top": "1"}, label="KNOWS").body[
        "nodes"
    ]
    assert [(row["id"], row["value"]) for row in lightest] == [("bob", Decimal("2.5"))]


@pytest.mark.usefixtures("linked")
@pytest.mark.parametrize(
    ("what", "query"), [("traverse", {}), ("subtree", {}), ("recommendations", {"label": "KNOWS"})]
)
def test_a_node_that_is_not_there_or_was_deleted_leads_nowhere(what: str, query: dict[str, str]) -> None:
    assert read(what, ("person", "nobody"), **query).status == 404
    WRITER.call(f"DELETE {NODE}", type="person", id="bob")
    assert read(what, BOB, **query).status == 404


def test_odd_names_are_reached_like_any_other(drain: Callable[[], None]) -> None:
    odd = (ODD[:9], ODD * 5)
    link(odd, ODD, AMY)
    link(AMY, ODD, BOB)
    drain()
    body = read("traverse", odd, depth="2").body
    assert [row["path"][-1] for row in body["nodes"]] == [step(ODD, "out", AMY), step(ODD, "out", BOB)]
    assert read("subtree", odd, label=ODD).body["below"]["nodes"] == 2
    assert [row["id"] for row in read("recommendations", odd, label=ODD).body["recommendations"]] == ["bob"]
    rows: Any = READER.call("GET /graph/rankings/{label}", {"direction": "out"}, label=ODD).body["nodes"]
    assert sorted((row["type"], row["id"]) for row in rows) == sorted([odd, AMY])
