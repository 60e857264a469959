"""The graph's routes: nodes, edges and what is counted of them."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

NODE, EDGES = "/graph/nodes/{type}/{id}", "/graph/nodes/{type}/{id}/edges"
EDGE = "/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}"
AGGREGATES = "/graph/nodes/{type}/{id}/aggregates"
WRITER, READER = Client(groups=("write",)), Client("bob")

BORN = {"name": "born", "value": "1971-12-21"}
LIVES = {"name": "lives_in", "value": ["US", "Washington", "Seattle"]}
SKILL = {"name": "skill", "value": "DynamoDB"}
NAMED = {"name": "name", "value": "DynamoDB"}
ODD = 'ä #%/?&=+.. "$'


def put(id: str, *attributes: Any, type: str = "person") -> Answer:
    return WRITER.call(f"PUT {NODE}", None, {"attributes": list(attributes)}, type=type, id=id)


def get(id: str, type: str = "person") -> Answer:
    return READER.call(f"GET {NODE}", type=type, id=id)


def delete(id: str, type: str = "person") -> Answer:
    return WRITER.call(f"DELETE {NODE}", type=type, id=id)


def ends(source: str, label: str, target: str) -> dict[str, str]:
    return {"type": "person", "id": source, "label": label, "target_type": "person", "target_id": target}


def link(source: str, label: str, target: str, **body: Any) -> Answer:
    return WRITER.call(f"PUT {EDGE}", None, body, **ends(source, label, target))


def unlink(source: str, label: str, target: str) -> Answer:
    return WRITER.call(f"DELETE {EDGE}", None, None, **ends(source, label, target))


def edges(id: str, **query: str) -> Answer:
    return READER.call(f"GET {EDGES}", query, type="person", id=id)


def pairs(id: str, **query: str) -> list[tuple[str, str, str]]:
    return [(e["source"]["id"], e["label"], e["target"]["id"]) for e in edges(id, **query).body["edges"]]


def aggregates(id: str) -> Any:
    """By direction and label: how many, sum of weights."""
    found = READER.call(f"GET {AGGREGATES}", type="person", id=id).body["aggregates"]
    return {(each["direction"], each["label"]): (each["edges"], each["weight"]) for each in found}


STATELESS: dict[str, Any] = {"state": None, "measures": {}, "telling": []}


class TestNodes:
    def test_a_node_comes_back_with_its_attributes_in_order(self) -> None:
        answer = put("amy", SKILL, LIVES, BORN)
        assert answer.status == 200
        assert answer.body == {"type": "person", "id": "amy", "attributes": [BORN, LIVES, SKILL], **STATELESS}
        assert get("amy").body == answer.body

    def test_a_node_needs_no_attributes(self) -> None:
        put("amy")
        assert get("amy").body["attributes"] == []

    def test_attributes_replace_the_former_ones(self) -> None:
        put("amy", BORN, SKILL)
        put("amy", SKILL, LIVES)
        assert get("amy").body["attributes"] == [LIVES, SKILL]

    def test_the_same_again_writes_nothing(self, table: StreamedTable) -> None:
        put("amy", BORN, SKILL)
        before = table.all_items()
        assert put("amy", SKILL, BORN, SKILL).cost[2] == 0
        assert table.all_items() == before

    def test_types_have_ids_of_their_own(self) -> None:
        put("amy", BORN)
        put("amy", NAMED, type="team")
        assert get("amy").body["attributes"] == [BORN]
        assert get("amy", "team").body["attributes"] == [NAMED]

    def test_any_text_is_a_legal_id_type_and_value(self) -> None:
        attributes = [{"name": "lives_in", "value": [ODD, "/"]}, {"name": "name", "value": ODD}]
        put(ODD, *attributes)
        assert get(ODD).body == {"type": "person", "id": ODD, "attributes": attributes, **STATELESS}
        nothing = {"type": ODD, "id": ODD, "attributes": [], **STATELESS}
        assert put(ODD, type=ODD).body == get(ODD, ODD).body == nothing

    def test_values_have_the_form_that_is_declared(self) -> None:
        attributes = [
            {"name": "category", "value": "tea"},
            {"name": "price", "value": 12.5},
            {"name": "sold", "value": True},
        ]
        assert put("oolong", *attributes, type="product").body["attributes"] == attributes
        assert get("oolong", "product").body["attributes"] == attributes

    def test_what_is_not_there_is_not_found(self) -> None:
        answer = READER.call(f"GET {NODE}", type="person", id="amy")
        assert (answer.status, answer.body["detail"]) == (404, "there is no node 'person/amy'")


class TestEdges:
    @pytest.fixture(autouse=True)
    def people(self, handlers: None) -> None:
        for name in ("amy", "bob", "cyd"):
            put(name)

    def test_an_edge_comes_back_whole(self) -> None:
        data = {"since": Decimal("2018.50"), "tags": ["a", None, True], "text": 'ü"\n'}
        answer = link("amy", "KNOWS", "bob", weight=2.5, data={**data, "since": 2018.50})
        expected = {
            "source": {"type": "person", "id": "amy"},
            "label": "KNOWS",
            "target": {"type": "person", "id": "bob"},
            "weight": Decimal("2.5"),
            "data": data,
            "neighbour": None,
            "summary": None,
        }
        assert (answer.status, answer.body) == (200, expected)
        assert edges("amy").body == {"edges": [expected], "cursor": None}
        assert edges("bob", direction="in").body == {"edges": [expected], "cursor": None}

    def test_weight_and_data_may_be_left_out(self) -> None:
        assert [link("amy", "KNOWS", "bob").body[name] for name in ("weight", "data")] == [1, {}]

    def test_by_direction_and_label(self) -> None:
        for edge in (
            ("amy", "A", "bob"),
            ("amy", "B", "bob"),
            ("amy", "B", "cyd"),
            ("bob", "A", "amy"),
            ("cyd", "AB", "amy"),
        ):
            link(*edge)
        assert pairs("amy") == [("amy", "A", "bob"), ("amy", "B", "bob"), ("amy", "B", "cyd")]
        assert pairs("amy", label="B") == [("amy", "B", "bob"), ("amy", "B", "cyd")]
        assert pairs("amy", direction="in") == [("bob", "A", "amy"), ("cyd", "AB", "amy")]
        assert pairs("amy", direction="in", label="A") == [("bob", "A", "amy")]
        assert pairs("amy", label="AB") == []

    def test_the_same_again_leaves_no_record(self, table: StreamedTable) -> None:
        link("amy", "KNOWS", "bob", data={"a": 1, "b": 2})
        before = sum(map(len, table.shards.values()))
        assert link("amy", "KNOWS", "bob", data={"b": 2, "a": 1}).status == 200
        assert sum(map(len, table.shards.values())) == before

    def test_an_edge_may_lead_back_to_its_node(self) -> None:
        assert link("amy", "KNOWS", "amy").status == 200
        assert pairs("amy") == pairs("amy", direction="in") == [("amy", "KNOWS", "amy")]

    @pytest.mark.parametrize(
        ("source", "target", "missing"),
        [("amy", "zoe", "zoe"), ("zoe", "amy", "zoe"), ("yan", "zoe", "yan"), ("zoe", "zoe", "zoe")],
    )
    def test_both_nodes_must_be_there(self, source: str, target: str, missing: str, table: StreamedTable) -> None:
        before = table.all_items()
        answer = link(source, "KNOWS", target)
        assert (answer.status, answer.body["detail"]) == (404, f"there is no node 'person/{missing}'")
        assert table.all_items() == before

    def test_an_edge_is_removed_once_or_twice(self) -> None:
        link("amy", "KNOWS", "bob")
        assert [unlink("amy", "KNOWS", "bob").status for _ in range(2)] == [204, 204]
        assert pairs("amy") == pairs("bob", direction="in") == []

    @pytest.mark.parametrize("direction", ["out", "in"])
    def test_pages_together_are_the_whole(self, direction: str) -> None:
        labels = [f"L{number}" for number in range(7)]
        for label in labels:
            link(*(("amy", label, "bob") if direction == "out" else ("bob", label, "amy")))
        found: list[str] = []
        query = {"direction": direction, "limit": "3"}
        while True:
            page = edges("amy", **query).body
            found += [edge["label"] for edge in page["edges"]]
            if page["cursor"] is None:
                break
            query["cursor"] = page["cursor"]
        assert found == labels

    def test_a_cursor_serves_no_other_list(self) -> None:
        link("amy", "A", "bob")
        link("amy", "B", "bob")
        cursor = edges("amy", limit="1").body["cursor"]
        for other in ({"direction": "in"}, {"label": "A"}):
            assert edges("amy", cursor=cursor, **other).fields == ["cursor"]
        assert edges("bob", cursor=cursor).fields == ["cursor"]


class TestAggregates:
    def test_by_direction_and_label(self, drain: Callable[[], None]) -> None:
        for name in ("amy", "bob", "cyd"):
            put(name)
        link("amy", "KNOWS", "bob", weight=2)
        link("amy", "KNOWS", "cyd", weight=0.5)
        link("amy", "LIKES", "bob")
        link("bob", "KNOWS", "amy", weight=-1)
        link("amy", "SELF", "amy", weight=7)
        drain()
        assert aggregates("amy") == {
            ("in", "KNOWS"): (1, -1),
            ("in", "SELF"): (1, 7),
            ("out", "KNOWS"): (2, Decimal("2.5")),
            ("out", "LIKES"): (1, 1),
            ("out", "SELF"): (1, 7),
        }
        assert aggregates("cyd") == {("in", "KNOWS"): (1, Decimal("0.5"))}
        link("amy", "KNOWS", "bob", weight=3)
        unlink("amy", "LIKES", "bob")
        drain()
        assert aggregates("amy")["out", "KNOWS"] == (2, Decimal("3.5"))
        assert ("out", "LIKES") not in aggregates("amy")

    def test_the_last_change_is_the_streams(self, table: StreamedTable, drain: Callable[[], None]) -> None:
        put("amy")
        for day, weight in enumerate((1, 2)):
            table.clock = 1_535_544_007 + day * 86_400
            link("amy", "SELF", "amy", weight=weight)
            drain()
        found = READER.call(f"GET {AGGREGATES}", type="person", id="amy").body["aggregates"]
        assert [each["changed_at"] for each in found] == ["2018-08-30T12:00:07.000Z"] * 2


@pytest.mark.parametrize("route", [f"PUT {NODE}", f"DELETE {NODE}", f"PUT {EDGE}", f"DELETE {EDGE}"])
def test_only_writers_write(route: str) -> None:
    answer = READER.call(route, None, {}, **ends("amy", "KNOWS", "bob"))
    assert answer.status == 403


LONG = "x" * 65
INVALID_ATTRIBUTES: list[tuple[Any, str]] = [
    ({"name": "born", "value": "1971-12"}, "value"),
    ({"name": "born", "value": "1971-02-30"}, "value"),
    ({"name": "born", "value": "1971-12-21T00"}, "value"),
    ({"name": "born", "value": "١٩٧١-١٢-٢١"}, "value"),
    ({"name": "born", "value": 1971}, "value"),
    ({"name": "skill", "value": ""}, "value"),
    ({"name": "skill", "value": "x" * 201}, "value"),
    ({"name": "skill", "value": "\U0001f600" * 201}, "value"),
    ({"name": "skill", "value": "a\x00"}, "value"),
    ({"name": "skill", "value": "\ud800"}, "value"),
    ({"name": "skill", "value": ["DynamoDB"]}, "value"),
    ({"name": "name", "value": None}, "value"),
    ({"name": "lives_in", "value": "US"}, "value"),
    ({"name": "lives_in", "value": []}, "value"),
    ({"name": "lives_in", "value": ["US", ""]}, "value"),
    ({"name": "lives_in", "value": ["US"] * 9}, "value"),
    ({"name": "lives_in", "value": ["\u20ac" * 200] * 2}, "value"),
    ({"name": "lives_in", "value": {"country": "US"}}, "value"),
    ({"name": "colour", "value": "red"}, "name"),
    ({"name": "category", "value": "tea"}, "name"),
    ({"name": None, "value": "red"}, "name"),
    ({"value": "red"}, "name"),
    ({"name": "skill"}, "value"),
    ({"name": LONG, "value": "x"}, "name"),
    ({"name": "", "value": "x"}, "name"),
    ({"kind": "skill", "name": "skill", "value": "x"}, "kind"),
    ({"name": "skill", "value": "x", "colour": "red"}, "colour"),
]


@pytest.mark.parametrize(("attribute", "field"), INVALID_ATTRIBUTES)
def test_what_is_wrong_with_an_attribute_is_named(attribute: Any, field: str) -> None:
    answer = put("amy", SKILL, attribute)
    assert (answer.status, answer.fields) == (400, [f"attributes.1.{field}"])
    assert get("amy").status == 404


@pytest.mark.parametrize(
    ("name", "value"),
    [("price", "12"), ("price", True), ("price", 10**309), ("price", None), ("sold", "true"), ("sold", 1), ("name", 1)],
)
def test_a_value_of_another_form_is_refused(name: str, value: Any) -> None:
    answer = put("oolong", {"name": "category", "value": "tea"}, {"name": name, "value": value}, type="product")
    assert (answer.status, answer.fields) == (400, ["attributes.1.value"])


def test_a_type_that_is_not_declared_has_no_attributes() -> None:
    answer = put("amy", {"name": "skill", "value": "x"}, {"name": "born", "value": "1971"}, type="boat")
    assert (answer.status, answer.fields) == (400, ["attributes.0.name", "attributes.1.name"])
    assert put("amy", type="boat").status == 200


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"attributes": [{"name": "skill", "value": str(number)} for number in range(41)]}, "attributes"),
        ({}, "attributes"),
        ({"attributes": None}, "attributes"),
        ({"attributes": [], "colour": "red"}, "colour"),
        ([], "body"),
        ("", "attributes"),
        ("{", "body"),
        ('{"attributes": NaN}', "attributes"),
    ],
)
def test_what_is_wrong_with_a_node_is_named(body: Any, field: str) -> None:
    answer = WRITER.call(f"PUT {NODE}", None, body, type="person", id="amy")
    assert (answer.status, answer.fields) == (400, [field])


def nested(levels: int) -> Any:
    return {} if levels == 1 else {"a": nested(levels - 1)}


INVALID_EDGES: list[tuple[Any, str]] = [
    ({"weight": "1"}, "weight"),
    ({"weight": True}, "weight"),
    ({"weight": None}, "weight"),
    ('{"weight": Infinity}', "weight"),
    ('{"weight": 1e400}', "weight"),
    ({"weight": 10**13}, "weight"),
    ('{"weight": 1e-19}', "weight"),
    ({"data": []}, "data"),
    ({"data": "{}"}, "data"),
    ({"data": {"a": "x" * 1017}}, "data"),
    ({"data": {"a": "\u20ac" * 340}}, "data"),
    ({"data": {"a": "\ud800"}}, "data"),
    ({"data": nested(17)}, "data"),
    ('{"data": {"a": ' + "[" * 900 + "]" * 900 + "}}", "data"),
    ('{"data": {"a": [1, NaN]}}', "data.a.1"),
    ({"colour": "red"}, "colour"),
]


@pytest.mark.parametrize(("body", "field"), INVALID_EDGES)
def test_what_is_wrong_with_an_edge_is_named(body: Any, field: str) -> None:
    put("amy")
    answer = WRITER.call(f"PUT {EDGE}", None, body, **ends("amy", "KNOWS", "amy"))
    assert (answer.status, answer.fields) == (400, [field])
    assert pairs("amy") == []


@pytest.mark.parametrize(
    "body", [{"weight": -0.0}, {"data": {"a": "x" * 1016}}, {"data": nested(16)}, '{"data": {"a": 1e400}}']
)
def test_the_greatest_edges_come_back(body: Any) -> None:
    put("amy")
    answer = WRITER.call(f"PUT {EDGE}", None, body, **ends("amy", "KNOWS", "amy"))
    assert answer.status == 200
    assert edges("amy").body["edges"] == [answer.body]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"id": "x" * 201}, "id"),
        ({"type": LONG}, "type"),
        ({"type": "\u20ac" * 31}, "type"),
        ({"label": LONG}, "label"),
        ({"label": "a\n"}, "label"),
        ({"target_type": LONG}, "target_type"),
        ({"target_id": "\x7f"}, "target_id"),
    ],
)
def test_what_is_wrong_with_a_path_is_named(change: dict[str, str], field: str) -> None:
    answer = WRITER.call(f"PUT {EDGE}", None, {}, **{**ends("amy", "KNOWS", "bob"), **change})
    assert (answer.status, answer.fields) == (400, [field])


@pytest.mark.parametrize(
    "query", [{"direction": "both"}, {"label": ""}, {"label": LONG}, {"limit": "0"}, {"cursor": "x"}]
)
def test_what_is_wrong_with_a_list_is_named(query: dict[str, str]) -> None:
    put("amy")
    answer = edges("amy", **query)
    assert (answer.status, answer.fields) == (400, list(query))


def test_one_edge_is_read_by_its_ends_and_its_label() -> None:
    for name in ("amy", "bob"):
        put(name)
    link("amy", "KNOWS", "bob", weight=2.5, data={"since": 1999})
    answer = READER.call(f"GET {EDGE}", None, **ends("amy", "KNOWS", "bob"))
    assert answer.status == 200
    assert (answer.body["weight"], answer.body["data"]) == (2.5, {"since": 1999})
    for source, label, target in (("bob", "KNOWS", "amy"), ("amy", "LIKES", "bob"), ("amy", "KNOWS", "cyd")):
        assert READER.call(f"GET {EDGE}", None, **ends(source, label, target)).status == 404
