"""`GET /search`: what the caller may read, checked again at the door, and what is asked wrongly."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise import Key
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.search.embedded import Embedded
from functions.search.engine import Address
from functions.search.excerpts import MOST_LOOKED_AT
from functions.search.hints import Rebuild
from functions.searchable import Contents
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import Attribute, Node, NodeId
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.search import routes
from tests.support import searching
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

NOON = from_rfc_3339("2018-08-29T12:00:00Z")
AMY, BOB, EVE = (Client(name) for name in ("amy", "bob", "eve"))
ADMIN = Client("ann", ("admin",))


@pytest.fixture
def index(table: StreamedTable, handlers: None, searched: Embedded) -> Callable[[], None]:
    """Lets people find what the table holds now."""
    return lambda: searching.index(table, searched)


def ask(q: str, by: Client = AMY, **others: str) -> Answer:
    return by.call("GET /search", {"q": q} | others)


def found(q: str, by: Client = AMY, **others: str) -> list[tuple[str, list[str]]]:
    answer = ask(q, by, **others)
    assert answer.status == 200, answer.body
    return [(each["kind"], each["id"]) for each in answer.body["found"]]


def message(name: str, text: str, room: str = "sea", user: str = "amy", at: int = NOON) -> Any:
    return chat_codec.message_item(Message(room, 1, user, at, name, text))


def describe(title: str, by: Client = AMY, **body: Any) -> None:
    given = {"title": title} | body
    assert by.call("PUT /documents/{document}/metadata", None, given, document="d1").status in (200, 201)


def let_read(*readers: str) -> None:
    given = {"readers": list(readers), "writers": []}
    assert AMY.call("PUT /documents/{document}/permissions", None, given, document="d1").status == 200


def test_a_message_is_found_by_a_misspelt_word(table: Table, index: Callable[[], None]) -> None:
    table.put_many([message("m1", "The zeppelin departs at noon")])
    index()
    answer = ask("zepelin")
    assert answer.body == {
        "found": [
            {
                "kind": "message",
                "id": ["sea", "m1"],
                "title": {"text": "", "marks": []},
                "excerpt": {"text": "The zeppelin departs at noon", "marks": [{"start": 4, "end": 12}]},
                "at": "2018-08-29T12:00:00.000Z",
                "attributes": {"room": "sea", "user": "amy"},
            }
        ],
        "total": 1,
        "kinds": {"message": 1},
        "attributes": {},
        "cursor": None,
    }
    assert answer.cost[0] == 1


def test_each_kind_is_found_by_its_words(table: Table, index: Callable[[], None], drain: Callable[[], None]) -> None:
    kim = NodeId("person", "kim")
    table.put_many(
        [
            graph_codec.node_item(Node(kim, 1)),
            graph_codec.attribute_item(kim, Attribute("name", ("Kim Wombat",))),
            graph_codec.attribute_item(kim, Attribute("lives_in", ("FR", "Paris"))),
            ORDER.encode(Order("Wombat Ltd", "o-1", NOON, 5)),  # type: ignore[arg-type]
            message("m1", "a wombat"),
        ]
    )
    reading = {"device_id": "wombat-1", "at": NOON / 1000, "metrics": {"t": 1}, "place": ["Wombat", "Hill"]}
    Client("s", ("ingest",)).call("POST /telemetry", None, {"events": [reading]})
    describe("Of wombats", description="and hills", attributes={"type": "essay"})
    AMY.call("POST /documents/{document}/versions", None, {"content": "They dig."}, document="d1")
    drain()
    index()
    by_kind = dict(found("wombat "))
    assert by_kind.keys() == {"node", "order", "message", "device", "place", "document"}
    assert by_kind["node"] == ["person", "kim"]
    assert by_kind["order"] == ["Wombat Ltd", "o-1"]
    assert ("place", ["Wombat", "Hill"]) in found("hill")
    for q in ("paris", "dig ", "essay", "kim", "o-1"):
        assert found(q), q


def test_a_stranger_neither_finds_a_document_nor_learns_that_there_is_one(
    table: Table, index: Callable[[], None]
) -> None:
    describe("The zeppelin plan")
    let_read("bob")
    index()
    assert found("zeppelin") == found("zeppelin", BOB) == [("document", ["d1"])]
    for stranger in (EVE, ADMIN):
        answer = ask("zeppelin", stranger).body
        assert (answer["found"], answer["total"], answer["kinds"]) == ([], 0, {})


def test_what_is_withdrawn_is_neither_shown_nor_counted_before_the_index_knows(
    table: Table, index: Callable[[], None]
) -> None:
    describe("The zeppelin plan")
    let_read("bob")
    table.put_many([message("m1", "a zeppelin")])
    index()
    let_read()
    answer = ask("zeppelin", BOB).body
    assert [each["kind"] for each in answer["found"]] == ["message"]
    assert (answer["total"], answer["kinds"]) == (1, {"message": 1})
    index()
    assert found("zeppelin", BOB) == [("message", ["sea", "m1"])]
    assert found("plan") == [("document", ["d1"])]


def test_what_is_shown_is_what_the_table_holds_now(table: Table, index: Callable[[], None]) -> None:
    describe("The zeppelin plan")
    index()
    describe("The secret plan")
    (hit,) = ask("zeppelin").body["found"]
    assert (hit["title"]["text"], hit["title"]["marks"]) == ("The secret plan", [])


def test_what_is_gone_is_not_shown(table: Table, index: Callable[[], None]) -> None:
    gone = Node(NodeId("person", "kim"), 1)
    table.put_many([graph_codec.node_item(gone)])
    index()
    assert found("kim") == [("node", ["person", "kim"])]
    table.put_many([graph_codec.node_item(Node(gone.id, 2, deleting=True))])
    assert found("kim") == []


def test_an_item_that_is_not_understood_hides_nothing_else(table: Table, index: Callable[[], None]) -> None:
    table.put_many([message("m1", "zeppelin"), message("m2", "zeppelin")])
    index()
    table.put_many([message("m1", "zeppelin") | {"Text": {"N": "5"}}])
    assert found("zeppelin") == [("message", ["sea", "m2"])]


def test_what_another_release_has_indexed_hides_nothing_else(
    table: Table, index: Callable[[], None], searched: Embedded
) -> None:
    table.put_many([message("m1", "wombat")])
    index()
    searched.write({Address("of a later release", Key("a", "b")): Contents(("a",), "wombat")})
    assert found("wombat") == [("message", ["sea", "m1"])]
    assert ask("wombat").body["kinds"] == {"message": 1}


def test_it_is_narrowed(table: Table, index: Callable[[], None]) -> None:
    table.put_many(
        [
            message("m1", "same", room="sea:a,b", user="amy"),
            message("m2", "same", user="bob", at=NOON + 1000),
            graph_codec.node_item(Node(NodeId("same", "n"), 1)),
        ]
    )
    index()
    assert len(found("same")) == 3
    assert found("same", kind="node") == [("node", ["same", "n"])]
    assert found("same", where="room:sea~3Aa~2Cb") == [("message", ["sea:a,b", "m1"])]
    assert found("same", where="room:sea,user:amy") == []
    assert found("same", AMY, **{"from": "2018-08-29T12:00:01Z"}) == [("message", ["sea", "m2"])]
    assert [id for kind, id in found("same", kind="message", order="time")] == [["sea", "m2"], ["sea:a,b", "m1"]]
    answer = ask("same", kind="message").body
    assert answer["attributes"] == {"room": {"sea": 1, "sea:a,b": 1}, "user": {"amy": 1, "bob": 1}}
    assert ask("same", kind="message,node").body["attributes"] == {}


def test_who_has_long_texts_looked_through_is_charged_for_it(table: Table, index: Callable[[], None]) -> None:
    table.put_many([message(f"m{n}", "zeppelin " + "long " * 1_900) for n in range(5)])
    index()
    assert ask("zeppelin").headers["x-caused-units"] == str(MOST_LOOKED_AT // routes.LOOKED_AT_FOR_A_UNIT)


def test_pages_lead_to_everything_and_are_bound_to_their_search(table: Table, index: Callable[[], None]) -> None:
    table.put_many([message(f"m{n}", "same", at=NOON + n) for n in range(25)])
    index()
    seen, cursor = list[list[str]](), dict[str, str]()
    for size in (10, 10, 5):
        answer = ask("same", AMY, limit="10", order="time", **cursor).body
        assert (len(answer["found"]), answer["total"]) == (size, 25)
        seen += [each["id"] for each in answer["found"]]
        cursor = {"cursor": answer["cursor"]}
    assert cursor == {"cursor": None}
    assert seen == [["sea", f"m{n}"] for n in reversed(range(25))]
    first = ask("same", limit="10").body["cursor"]
    refused = ask("other", cursor=first)
    assert (refused.status, refused.fields) == (400, ["cursor"])


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({}, "q"),
        ({"q": ""}, "q"),
        ({"q": "..."}, "q"),
        ({"q": "a " * 17}, "q"),
        ({"q": "a" * 201}, "q"),
        ({"q": "a\x00"}, "q"),
        ({"q": "a", "kind": "message,fox"}, "kind"),
        ({"q": "a", "where": "fox:1"}, "where"),
        ({"q": "a", "where": "room"}, "where"),
        ({"q": "a", "where": "room:~2c"}, "where"),
        ({"q": "a", "order": "size"}, "order"),
        ({"q": "a", "limit": "101"}, "limit"),
        ({"q": "a", "cursor": "x"}, "cursor"),
        ({"q": "a", "from": "2018-01-02T00:00:00Z", "to": "2018-01-01T00:00:00Z"}, "to"),
        ({"q": "a", "fox": "1"}, "fox"),
    ],
)
def test_bad_input_is_named(given: dict[str, str], field: str, handlers: None) -> None:
    answer = AMY.call("GET /search", given)
    assert answer.status == 400
    assert field in {each.removeprefix("query.") for each in answer.fields}


def test_administrators_may_ask_for_a_rebuild(handlers: None) -> None:
    assert AMY.call("POST /search/rebuild").status == 403
    answer = ADMIN.call("POST /search/rebuild")
    assert answer.status == 202
    asked: Any = routes.queue()
    assert asked.rebuilds[-1] == Rebuild(answer.body["generation"])
