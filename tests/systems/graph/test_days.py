"""How many edges a node has by day, where the label declares it."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

import pytest

from functions.systems.graph import codec, daily
from functions.systems.graph.declared import LABELS, DeclarationError, Label, Path, by_day
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

WRITER, READER = Client(groups=("write",)), Client()
EDGE = "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
TEA = {"type": "product", "id": "tea"}
BOUGHT = {"amy": ("2018-08-29", 2), "bob": ("2018-08-29", 0.5), "cyd": ("2018-08-31", 1), "dan": ("2018-09-01", 1)}


@pytest.fixture(autouse=True)
def bought(table: StreamedTable, handlers: None, drain: Callable[[], None]) -> None:
    nodes = [*(NodeId("person", name) for name in (*BOUGHT, "eve")), NodeId("product", "tea")]
    table.put_many([codec.node_item(Node(each, 1)) for each in nodes])
    for name, (day, weight) in BOUGHT.items():
        assert put(name, {"on": day}, weight).status == 200
    drain()


def put(person: str, data: Mapping[str, Any], weight: float = 1, label: str = "BOUGHT") -> Answer:
    return WRITER.call(f"PUT {EDGE}", None, {"data": data, "weight": weight}, **ids(person, label))


def ids(person: str, label: str = "BOUGHT") -> dict[str, str]:
    return {"type": "person", "id": person, "label": label, "target_type": "product", "target_id": "tea"}


def ask(of: Mapping[str, str] = TEA, /, **query: str) -> Answer:
    given = {"from" if key == "start" else "to" if key == "end" else key: value for key, value in query.items()}
    return READER.call("GET /graph/nodes/{type}/{id}/days", {"label": "BOUGHT"} | given, **of)


def days(**query: str) -> list[tuple[str, int, float]]:
    answer = ask(direction="in", **query)
    assert answer.status == 200, answer.body
    return [(each["day"], each["edges"], float(each["weight"])) for each in answer.body["days"]]


def test_edges_are_counted_by_day_at_both_ends_in_one_request() -> None:
    assert days() == [("2018-08-29", 2, 2.5), ("2018-08-31", 1, 1), ("2018-09-01", 1, 1)]
    (day,) = ask({"type": "person", "id": "cyd"}).body["days"]
    assert (day["day"], day["edges"]) == ("2018-08-31", 1)
    assert ask(direction="in").headers["x-consumed-requests"] == "1"


def test_a_range_begins_with_a_day_and_ends_before_one() -> None:
    assert [day for day, *_ in days(start="2018-08-30")] == ["2018-08-31", "2018-09-01"]
    assert [day for day, *_ in days(end="2018-09-01")] == ["2018-08-29", "2018-08-31"]
    assert days(start="2018-08-29", end="2018-08-31") == [("2018-08-29", 2, 2.5)]


def test_an_edge_moves_to_its_new_day_and_leaves_with_its_removal(drain: Callable[[], None]) -> None:
    assert put("bob", {"on": "2018-08-31"}, 4).status == 200
    assert WRITER.call(f"DELETE {EDGE}", None, **ids("dan")).status == 204
    assert put("cyd", {}).status == 200
    drain()
    assert days() == [("2018-08-29", 1, 2), ("2018-08-31", 1, 4)]


def test_other_labels_have_no_days(drain: Callable[[], None]) -> None:
    assert put("eve", {"on": "2018-08-29"}, label="LIKES").status == 200
    drain()
    assert days()[0] == ("2018-08-29", 2, 2.5)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"label": "KNOWS"}, "label"),
        ({"start": "2018-08"}, "from"),
        ({"end": "tomorrow"}, "to"),
        ({"start": "2018-08-29", "end": "2018-08-29"}, "to"),
        ({"direction": "up"}, "direction"),
    ],
)
def test_what_is_no_question_is_refused_with_its_field(query: dict[str, str], field: str) -> None:
    answer = ask(**query)
    assert answer.status == 400
    assert [each["field"] for each in answer.body["errors"]] == [field]


@pytest.mark.parametrize("data", ['{"on":"2018-08"}', '{"on":"someday"}', '{"on":20180829}', '{"on":"20180829"}', ""])
def test_an_edge_of_before_the_declaration_has_a_day_or_none(data: str) -> None:
    edge = GraphEdge(NodeId("person", "amy"), "BOUGHT", NodeId("product", "tea"), Decimal(1), data)
    assert list(daily.of_source(edge)) == list(daily.of_target(edge)) == []


def test_a_label_counts_by_day_only_what_is_found_by_a_date() -> None:
    assert by_day(LABELS) == ("BOUGHT",)
    for path in (None, Path("miles", "number")):
        with pytest.raises(DeclarationError, match="by day"):
            by_day({"SOLD": Label(path, daily=True)})
