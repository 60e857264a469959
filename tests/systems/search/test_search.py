"""`GET /search`: what the caller may read, checked again at the door, and what is asked wrongly."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from edgewise import Key, Query
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.search import withdrawals
from functions.search.embedded import Embedded
from functions.search.engine import Address
from functions.search.excerpts import MOST_LOOKED_AT
from functions.search.hints import Rebuild
from functions.search.withdrawals import MOST, withdrawal
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
        "at_most": False,
        "kinds": {"message": 1},
        "attributes": {},
        "cursor": None,
    }
    # What was withdrawn from everybody and from the caller, and the message; each strongly consistent.
    assert answer.cost == (3, 3.0, 0.0)


def test_each_kind_is_found_by_its_words(table: Table, index: Callable[[], None], drain: Callable[[], None]) -> None:
    kim = NodeId("person", "kim")
    table.put_many(
        [
            graph_codec.node_item(Node(kim, 1)),
            graph_codec.attribute_item(kim, Attribute("name", ("Kim Wombat",))),
            graph_codec.attribute_item(kim, Attribute("lives_in", ("FR", "Paris"))),
            ORDER.encode(Order("Wombat Ltd", "o-1", NOON, Decimal(5))),
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


class TestWithdrawn:
    """What is withdrawn is neither shown nor counted, on no page, before the index knows."""

    def pages(self, by: Client, **asked: str) -> list[Any]:
        """All pages of five things, as they are told."""
        told, cursor = list[Any](), dict[str, str]()
        while True:
            told.append(ask("zeppelin", by, limit="5", order="time", **asked, **cursor).body)
            if not told[-1]["cursor"]:
                return told
            cursor = {"cursor": told[-1]["cursor"]}

    def test_a_document_whose_permission_is_taken(self, table: Table, index: Callable[[], None]) -> None:
        """Bob has no group: nobody may do less. Documents without a text have no instant, and are on the last page."""
        describe("The zeppelin plan")
        let_read("bob", "eve")
        table.put_many([message(f"m{n}", "a zeppelin", at=NOON + n) for n in range(11)])
        index()
        assert [each["total"] for each in self.pages(BOB)] == [12, 12, 12]
        let_read("eve")
        assert BOB.call("GET /documents/{document}", document="d1").status == 404
        told = self.pages(BOB)
        assert [len(each["found"]) for each in told] == [5, 5, 1]
        for each in (*told, ask("zeppelin", BOB).body):
            assert (each["total"], each["kinds"], each["at_most"]) == (11, {"message": 11}, False)
        assert ask("zeppelin", BOB, kind="document").body["total"] == 0
        assert [each["total"] for each in self.pages(EVE)] == [12, 12, 12]
        index()
        assert ask("zeppelin", BOB).body["total"] == 11
        assert found("plan") == [("document", ["d1"])]

    def test_a_node_that_is_deleted_is_in_no_facet_either(self, table: Table, index: Callable[[], None]) -> None:
        writer = Client("w", ("write",))
        for n in range(11):
            given = {"attributes": [{"name": "name", "value": "zeppelin"}]}
            kind = ("person", "team")[n % 2]
            assert writer.call("PUT /graph/nodes/{type}/{id}", None, given, type=kind, id=f"n{n}").status == 200
        index()
        for n in (1, 4):
            kind = ("person", "team")[n % 2]
            assert writer.call("DELETE /graph/nodes/{type}/{id}", type=kind, id=f"n{n}").status == 204
        told = self.pages(BOB, kind="node")
        assert sorted(each["id"][1] for page in told for each in page["found"]) == sorted(
            f"n{n}" for n in range(11) if n not in (1, 4)
        )
        for each in told:
            assert (each["total"], each["kinds"], each["at_most"]) == (9, {"node": 9}, False)
            assert each["attributes"] == {"type": {"person": 5, "team": 4}}

    def test_a_place_at_which_nothing_is_left(
        self, table: Table, index: Callable[[], None], drain: Callable[[], None]
    ) -> None:
        writer = Client("w", ("write",))
        at = {"kind": "EQUIPMENT", "id": "e1"}
        writer.call("PUT /places/entities/{kind}/{id}", None, {"path": ["Zeppelin"]}, **at)
        drain()
        index()
        assert found("zeppelin", BOB) == [("place", ["Zeppelin"])]
        writer.call("DELETE /places/entities/{kind}/{id}", None, None, **at)
        drain()
        assert BOB.call("GET /places", {"path": "Zeppelin"}).status == 404
        answer = ask("zeppelin", BOB).body
        assert (answer["found"], answer["total"], answer["at_most"]) == ([], 0, True)
        index()
        assert ask("zeppelin", BOB).body["at_most"] is False

    def test_what_went_otherwise_than_through_the_application(self, table: Table, index: Callable[[], None]) -> None:
        """Nobody has noted it: it is not shown, and other pages may count it."""
        table.put_many([message(f"m{n}", "a zeppelin", at=NOON + n) for n in range(6)])
        index()
        gone = message("m0", "", at=NOON)
        table.client.delete_item(TableName=table.name, Key={name: gone[name] for name in ("PK", "SK")})
        first, last = self.pages(BOB)
        assert (first["total"], first["at_most"]) == (6, False)
        assert (last["found"], last["total"], last["at_most"]) == ([], 5, True)

    def test_beyond_a_bound_numbers_are_said_to_be_at_most(self, table: Table, index: Callable[[], None]) -> None:
        table.put_many([message("m1", "a zeppelin")])
        index()
        things = [Address("document", Key(f"DOCUMENT#{n}", "metadata")) for n in range(MOST + 1)]
        table.put_many([withdrawal("bob", each, 1).item for each in things])
        answer = ask("zeppelin", BOB)
        assert (answer.body["total"], answer.body["at_most"]) == (1, True)
        assert ask("zeppelin", EVE).body["at_most"] is False
        assert answer.cost[1] < 10, "whoever withdraws much makes searches of others cost little more"

    def test_while_the_index_can_not_be_read_anew_they_are_too(
        self, index: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(searching.SEARCHED[0], "current", False)
        assert ask("zeppelin", BOB).body["at_most"] is True

    def test_notes_are_read_before_the_index_is(
        self, table: Table, index: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The indexer may remove them at any moment: then the index must be one that knows."""
        describe("The zeppelin plan")
        let_read("bob")
        table.put_many([message(f"m{n}", "a zeppelin", at=NOON + n) for n in range(2)])
        index()
        let_read()
        looked_at = searching.Searched.engine

        def removed_after(searched: searching.Searched) -> Any:
            notes = [key_of(each) for each in table.query(Query("WITHDRAWN#bob")).items]
            assert len(notes) == 1
            withdrawals.remove(table, notes)
            return looked_at(searched)

        monkeypatch.setattr(searching.Searched, "engine", removed_after)
        first = ask("zeppelin", BOB, order="time", limit="1").body
        assert (first["total"], first["at_most"]) == (2, False)


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
