"""A node's edges by what their data say, where their label declares it, and from which ends."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.attributes import Item
from functions.systems.graph import codec, paths
from functions.systems.graph.entity import GraphEdge, Node, NodeId
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

WRITER, READER = Client(groups=("write",)), Client()
MILES: dict[str, Any] = {"lax": 2475, "bos": 187, "ewr": 20.5, "lhr": 3451, "bwi": 184, "unknown": None, "back": -1}
NOTHING = "is found by nothing in their data: expected one of"
DAYS = {"amy": "2018-08-29", "bob": "2018-08-30", "cyd": "2018-09-01"}


def node(of: str, name: str) -> NodeId:
    return NodeId(of, name)


@pytest.fixture(autouse=True)
def linked(table: StreamedTable, handlers: None) -> None:
    """Flights from JFK by their miles; who bought tea on which day."""
    everybody = [node("airport", name) for name in ("jfk", *MILES)] + [node("person", name) for name in DAYS]
    table.put_many([codec.node_item(Node(each, 1)) for each in [*everybody, node("product", "tea")]])
    for name, miles in MILES.items():
        assert (
            put("airport", "jfk", "FLIES_TO", "airport", name, {} if miles is None else {"miles": miles}).status == 200
        )
    for name, day in DAYS.items():
        assert put("person", name, "BOUGHT", "product", "tea", {"on": day}).status == 200


def put(of: str, name: str, label: str, target_type: str, target: str, data: dict[str, Any]) -> Answer:
    route = "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
    ids = {"type": of, "id": name, "label": label, "target_type": target_type, "target_id": target}
    return WRITER.call(route, None, {"data": data}, **ids)


def edges(of: str, name: str, label: str, at: str = "target", **query: str) -> list[str]:
    answer = ask(of, name, label=label, **query)
    assert answer.status == 200, answer.body
    return [each[at]["id"] for each in answer.body["edges"]]


def ask(of: str, name: str, **query: str) -> Answer:
    given = {"from" if key == "start" else "to" if key == "end" else key: value for key, value in query.items()}
    return READER.call("GET /graph/nodes/{type}/{id}/edges", given, type=of, id=name)


def test_numbers_are_in_the_order_of_their_size() -> None:
    assert edges("airport", "jfk", "FLIES_TO", start="-100") == ["back", "ewr", "bwi", "bos", "lax", "lhr"]
    assert edges("airport", "jfk", "FLIES_TO", start="184", end="2475") == ["bwi", "bos"]
    assert edges("airport", "jfk", "FLIES_TO", value="20.50") == ["ewr"]
    assert set(edges("airport", "jfk", "FLIES_TO")) == MILES.keys()


def test_days_are_found_from_both_ends() -> None:
    assert edges("product", "tea", "BOUGHT", "source", direction="in", begins_with="2018-08") == ["amy", "bob"]
    assert edges("product", "tea", "BOUGHT", "source", direction="in", start="2018-08-30") == ["bob", "cyd"]
    assert edges("person", "bob", "BOUGHT", value="2018-08-30") == ["tea"]
    assert edges("person", "bob", "BOUGHT", value="2018-08-29") == []


def test_what_is_listed_is_the_whole_edge_page_by_page() -> None:
    first = ask("airport", "jfk", label="FLIES_TO", start="184", limit="2").body
    assert [(each["weight"], each["data"]) for each in first["edges"]] == [(1, {"miles": 184}), (1, {"miles": 187})]
    assert edges("airport", "jfk", "FLIES_TO", start="184", limit="2", cursor=first["cursor"]) == ["lax", "lhr"]
    other = ask("airport", "jfk", label="FLIES_TO", start="185", limit="2", cursor=first["cursor"])
    assert other.status == 400


def test_an_edge_moves_with_its_data_and_goes() -> None:
    put("airport", "jfk", "FLIES_TO", "airport", "bos", {"miles": 3000})
    assert edges("airport", "jfk", "FLIES_TO", start="184") == ["bwi", "lax", "bos", "lhr"]
    put("airport", "jfk", "FLIES_TO", "airport", "bos", {})
    ids = {"type": "airport", "id": "jfk", "label": "FLIES_TO", "target_type": "airport", "target_id": "lhr"}
    WRITER.call("DELETE /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", None, None, **ids)
    assert edges("airport", "jfk", "FLIES_TO", start="184") == ["bwi", "lax"]


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ({"value": "7"}, "label", "is found by nothing in their data: expected one of BOUGHT, FLIES_TO"),
        (
            {"label": "KNOWS", "start": "7"},
            "label",
            "is found by nothing in their data: expected one of BOUGHT, FLIES_TO",
        ),
        (
            {"label": "FLIES_TO", "direction": "in", "value": "7"},
            "label",
            f"{NOTHING} BOUGHT",
        ),
        ({"label": "FLIES_TO", "value": "far"}, "value", "must be a number"),
        ({"label": "FLIES_TO", "begins_with": "1"}, "begins_with", "a number has no beginning: give value, from or to"),
        (
            {"label": "BOUGHT", "value": "2018-08"},
            "value",
            "must be a day, such as 1971-12-21",
        ),
        ({"label": "BOUGHT", "value": "2018-08-29", "start": "2018"}, "value", None),
    ],
)
def test_bad_searches_are_told(query: dict[str, str], field: str, says: str | None) -> None:
    answer = ask("airport", "jfk", **query)
    assert answer.status == 400
    ((told,),) = [answer.body["errors"]]
    assert told["field"] == field
    assert says is None or told["error"] == says


@pytest.mark.parametrize("miles", ["far", True, [1], {"a": 1}])
def test_data_of_another_form_are_refused(miles: Any) -> None:
    answer = put("airport", "jfk", "FLIES_TO", "airport", "bos", {"miles": miles})
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == "data.miles"


def item_of(label: str, data: str, end: int) -> Item:
    return codec.edge_items(GraphEdge(node("a", "x"), label, node("b", "y"), Decimal(1), data))[end]


@pytest.mark.parametrize(
    ("label", "data", "entries"),
    [
        ("FLIES_TO", '{"miles": 3}', [True, False]),
        ("BOUGHT", '{"on": "2018-08-29"}', [True, True]),
        ("BOUGHT", '{"on": 7}', [False, False]),
        ("FLIES_TO", '{"miles": true}', [False, False]),
        ("FLIES_TO", "", [False, False]),
        ("KNOWS", '{"on": "2018-08-29"}', [False, False]),
    ],
)
def test_an_edge_has_an_entry_for_each_declared_path(label: str, data: str, entries: list[bool]) -> None:
    """Also one that was stored before its label was declared, with data of another form."""
    items = [item_of(label, data, end) for end in (0, 1)]
    assert ["GSI2PK" in item for item in items] == entries
    assert [codec.mirrored(codec.mirrored(item)) for item in items] == items
    for item in items:
        assert item.get("GSI2PK", {"S": "LINKS#"})["S"].startswith("LINKS#")


def test_the_key_of_an_entry() -> None:
    mirror = item_of("BOUGHT", '{"on": "2018-08-29"}', 1)
    # The digest by `printf a#x | sha256sum`.
    assert (mirror["GSI2PK"], mirror["GSI2SK"]) == (
        {"S": "LINKS#in#b#y#BOUGHT"},
        {"S": "2018-08-29##8d60573ba3e5af7b"},
    )


@pytest.mark.parametrize(
    ("form", "value", "found"),
    [
        ("text", "x", ("x",)),
        ("text", "", None),
        ("flag", False, ("false",)),
        ("place", ["US", "NY"], ("US", "NY")),
        ("place", [], None),
        ("number", Decimal(0), ("1",)),
    ],
)
def test_every_form_has_its_value(form: Any, value: Any, found: tuple[str, ...] | None) -> None:
    assert paths._components(form, value) == found
