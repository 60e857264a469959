"""No answer is larger than Lambda sends, whatever legal content stands in it, and nothing is lost between pages.

The table is the one in memory, whose pages do not end at 1 MB: what fits here fits there too.
"""

import importlib
import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import Cell, Extremes, Moment
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import escape
from edgewise.times import from_rfc_3339
from functions.catalog import CATALOG, module_of
from functions.replay.memory import MemoryTable
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Bill, Billed
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Metadata, Permissions, Revision
from functions.systems.games import codec as games_codec
from functions.systems.games.entity import Play
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import Attribute, GraphEdge, Node, NodeId
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from functions.systems.places import codec as places_codec
from functions.systems.places.entity import Resident
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading
from tests.support.http import FUNCTION_OF, Client, Context

LAMBDA_BYTES = 6 * 1024 * 1024
NOON = from_rfc_3339("2018-08-29T12:00:00.000Z")
NUMBER = Decimal("-1234567890123.123456789012345678")
AMY = Client(groups=("write", "import", "ingest"))
# What takes more bytes on its way than in the table, each in its own way.
COSTLY = {"quotes": '"', "backslashes": "\\", "accents": "é", "euros": "€", "emoji": "\U0001f600"}
costly = pytest.mark.parametrize("costly", COSTLY.values(), ids=COSTLY.keys())
costly_prose = pytest.mark.parametrize("costly", [*COSTLY.values(), "\n"], ids=[*COSTLY, "line breaks"])


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> MemoryTable:
    memory = MemoryTable()
    monkeypatch.setattr("functions.web.runtime.table", lambda: memory)
    return memory


@pytest.fixture(autouse=True)
def handlers(cursor_secret_arn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of that of the other tests, which needs an engine's table."""
    monkeypatch.setenv("TABLE_NAME", "Memory")
    monkeypatch.setenv("CURSOR_SECRET_ARN", cursor_secret_arn)


def call(route: str, query: dict[str, str] | None = None, body: Any = None, **ids: str) -> Any:
    """The body of the answer, which is measured as the function's runtime sends it."""
    handler = importlib.import_module(module_of(FUNCTION_OF[route])).handler
    answer = handler(AMY.event(route, query, body, **ids), Context())
    assert len(json.dumps(answer)) < LAMBDA_BYTES
    assert answer["statusCode"] < 500
    return json.loads(answer["body"])


def pages(route: str, query: dict[str, str] | None = None, **ids: str) -> Iterator[Any]:
    """All pages of a list, each as large as it may be."""
    cursor: str | None = ""
    while cursor is not None:
        page = call(route, {"limit": "1000"} | (query or {}) | ({"cursor": cursor} if cursor else {}), **ids)
        yield page
        cursor = page["cursor"]


def text(character: str, size: int, number: int = 0) -> str:
    """The longest id of these characters that a key takes, such as no other number has."""
    end = str(number)
    length = min(200, (size - len(end)) // len(escape(character).encode())) - len(end)
    return character * length + end


def place(character: str) -> list[str]:
    component = text(character, 200)
    return [component] * (900 // (len(escape(component).encode()) + 1))


def edge_aggregate(kind: str, *parts: Any) -> Item:
    moment = Moment(NOON, NUMBER)
    cell = Cell(10**9, NUMBER, Extremes(NUMBER, NUMBER, moment, moment))
    return aggregate_item(Aggregate(CATALOG.kinds[kind](*parts), 1, {"Count": cell}, {"shard": Checkpoint(1, NOON)}))


@pytest.mark.parametrize("costly", [*COSTLY.values(), "\x00"], ids=[*COSTLY, "control characters"])
def test_messages(costly: str, table: MemoryTable) -> None:
    table.put_many([chat_codec.room_item(Room.starting_with("r", 4))])
    user = text("€", 800)
    messages = [Message("r", n % 4 + 1, user, NOON + n, text("€", 190), costly * 10_000) for n in range(1_000)]
    table.put_many(list(map(chat_codec.message_item, messages)))
    assert sum(len(page["messages"]) for page in pages("GET /rooms/{room}/messages", room="r")) == 1_000


@costly_prose
def test_documents(costly: str, table: MemoryTable) -> None:
    content = costly * (200_000 // len(costly.encode()))
    revisions = [Revision("d", number, NOON, "amy", content, costly * 1_000) for number in range(1, 21)]
    readers = {text(costly if costly != "\n" else '"', 800, number): f"sub {number}" for number in range(100)}
    attributes = {f"{number:02}{COSTLY['emoji'] * 62}": costly * 1_000 for number in range(50)}
    table.put_many(
        [
            documents_items.PERMISSIONS.encode(Permissions("d", "amy", readers, readers)),
            documents_items.METADATA.encode(Metadata("d", "T" * 200, costly * 2_000, attributes)),
            documents_items.NEWEST.encode(revisions[-1]),
            *map(documents_items.REVISION.encode, revisions),
        ]
    )
    told = pages("GET /documents/{document}/versions", document="d")
    assert [each["version"] for page in told for each in page["versions"]] == list(range(1, 21))
    assert call("GET /documents/{document}", document="d")["newest"]["content"] == content


@costly_prose
def test_audits(costly: str, table: MemoryTable) -> None:
    line = costly * 200 if costly != "\n" else "x"
    history = [Audit("e", "", number, NOON, line, line, costly * 10_000) for number in range(1, 201)]
    parts = [Audit("e", f"p{number}", 1, NOON, line, line, costly * 10_000) for number in range(200)]
    table.put_many([*map(audits_items.AUDIT.encode, history), *map(audits_items.NEWEST.encode, parts)])
    assert sum(len(page["audits"]) for page in pages("GET /equipment/{equipment}/audits", equipment="e")) == 200
    assert sum(len(page["newest"]) for page in pages("GET /equipment/{equipment}", equipment="e")) == 200


@costly
def test_telemetry(costly: str, table: MemoryTable) -> None:
    metrics = {f"{number:02}{costly * 62}": NUMBER for number in range(100)}
    events = [Reading("d", NOON + n, text(costly, 190), tuple(place(costly)), metrics) for n in range(300)]
    places = [(str(number), *place(costly)[1:]) for number in range(1_000)]
    table.put_many(list(map(telemetry_codec.event_item, events)))
    table.put_many([edge_aggregate("REPORTED_FROM", "d", each) for each in places])
    assert sum(len(page["events"]) for page in pages("GET /devices/{device}/events", device="d")) == 300
    assert sum(len(page["places"]) for page in pages("GET /devices/{device}", device="d")) == 1_000


@costly
def test_lists_of_names(costly: str, table: MemoryTable) -> None:
    """Places, games, invoices, orders, users: a thousand names as long as may be."""
    names = [text(costly, 800, number) for number in range(1_000)]
    bill = Bill("b", NUMBER)
    table.put_many(
        [places_codec.resident_item(Resident("EQUIPMENT", each, ("US", *place(costly)[1:]))) for each in names]
    )
    table.put_many([billing_items.BILLED.encode(Billed.of(each, bill)) for each in names])
    table.put_many([billing_items.BILLED.encode(Billed.of("i", Bill(each, NUMBER))) for each in names])
    table.put_many([ORDER.encode(Order("c", each, NOON, -NUMBER)) for each in names])
    table.put_many([games_codec.play_item(Play("p", each, NOON, 1, "Champ")) for each in names])
    table.put_many([edge_aggregate("POSTED_IN", each, "r") for each in names])
    table.put_many([edge_aggregate("POSTED_IN", "u", each) for each in names])
    lists: Sequence[tuple[str, dict[str, str], str, dict[str, str]]] = (
        ("GET /places/entities", {"path": "US", "kind": "EQUIPMENT"}, "entities", {}),
        ("GET /bills/{bill}/invoices", {}, "invoices", {"bill": "b"}),
        ("GET /customers/{customer}/orders", {}, "orders", {"customer": "c"}),
        ("GET /orders/open", {}, "orders", {}),
        ("GET /players/{player}/games", {}, "plays", {"player": "p"}),
        ("GET /awards/{award}", {}, "plays", {"award": "Champ"}),
        ("GET /rooms/{room}/users", {}, "users", {"room": "r"}),
        ("GET /users/{user}/rooms", {}, "rooms", {"user": "u"}),
    )
    for route, query, member, ids in lists:
        assert sum(len(page[member]) for page in pages(route, query, **ids)) == 1_000, route


@costly
def test_the_graph(costly: str, table: MemoryTable) -> None:
    """Three levels of a thousand nodes with the longest names, each edge of another label, with data."""
    data = json.dumps({"a": costly * (1_000 // len(json.dumps(costly)))}, ensure_ascii=False)
    nodes = [NodeId(f"{n}{costly * 20}", text(costly, 800, n)) for n in range(1_003)]
    chain = [(nodes[0], nodes[1]), (nodes[1], nodes[2]), *((nodes[2], each) for each in nodes[3:])]
    edges = [GraphEdge(a, f"{n}{costly * 18}", b, NUMBER, data) for n, (a, b) in enumerate(chain)]
    skills = [graph_codec.attribute_item(each, Attribute("skill", (text(costly, 800),))) for each in nodes]
    table.put_many([graph_codec.node_item(Node(each, 1)) for each in nodes] + skills)
    table.put_many([item for each in edges for item in graph_codec.edge_items(each)])
    of = {"type": nodes[0].type, "id": nodes[0].id}
    walked = list(pages("GET /graph/nodes/{type}/{id}/traverse", {"depth": "3"}, **of))
    assert [each["id"] for page in walked for each in page["nodes"]] == [
        nodes[1].id,
        nodes[2].id,
        *(each.target.id for each in sorted(edges[2:], key=lambda edge: (edge.label, edge.target))),
    ]
    assert (len(walked[0]["edges"]), walked[0]["labels"], walked[0]["reached"]["types"]) == (100, 1_002, 1_002)
    at = {"type": nodes[2].type, "id": nodes[2].id}
    assert sum(len(page["edges"]) for page in pages("GET /graph/nodes/{type}/{id}/edges", None, **at)) == 1_000
    skilled = pages("GET /graph/search", {"name": "skill", "begins_with": costly})
    assert sum(len(page["nodes"]) for page in skilled) == 1_003


@pytest.mark.parametrize(
    ("route", "member"), [("POST /telemetry", "events"), ("POST /rooms/{room}/messages", "messages")]
)
@costly
def test_refusals(costly: str, route: str, member: str, table: MemoryTable) -> None:
    """The names of unknown fields may be as long as a request."""
    crowded = {costly * 10_000: [0] * 300}
    ids = {"room": "r"} if "{room}" in route else {}
    call(route, None, {member: [crowded] * 500}, **ids)
