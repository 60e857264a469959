"""Every list of the API: what is stored for its n-th entry, and what of an answer its limit counts."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from edgewise.alerting import ALERT, Crossing
from edgewise.dynamodb.attributes import Item
from edgewise.times import HOUR
from functions.systems.audits import items as audits_items
from functions.systems.audits.entity import Audit
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Billed, Invoice
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message, Room
from functions.systems.checks import codec as checks_codec
from functions.systems.checks.entity import Difference, Run
from functions.systems.documents import items as documents_items
from functions.systems.documents.entity import Permissions, Revision
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

NOON = 1535544000000
ONE = Decimal(1)
SHARDS = 2
AMY = NodeId("person", "amy")


def _alert(n: int) -> list[Item]:
    about = json.dumps(["ADJACENT", [["business", f"b{n}"], "in", "PART_OF"]])
    return [ALERT.encode(Crossing(about, "down", "raised", n + 1, NOON + n))]


def _each(alive: Sequence[int]) -> int:
    return len(alive)


@dataclass(frozen=True)
class Listing:
    """A list.

    - `items`: the sources of its n-th entry, which are removed again to empty it
    - `lists`: the members of an answer that hold what is counted
    - `count`: how many these are while only some entries are alive
    - `before`: what must be there in any case
    - `requests`: of one page among entries of which none was emptied; None: more where blocks lack the metric
    """

    route: str
    ids: Mapping[str, str]
    items: Callable[[int], Sequence[Item]]
    lists: tuple[str, ...]
    query: Mapping[str, str] = field(default_factory=dict)
    count: Callable[[Sequence[int]], int] = _each
    before: Sequence[Item] = ()
    requests: int | None = 1

    def told(self, body: Any) -> list[Any]:
        """What an answer lists."""
        return [entry for name in self.lists for entry in body[name]]


def _event(n: int, **other: Any) -> Sequence[Item]:
    given: dict[str, Any] = {"device": "d", "at": NOON + n, "place": (), "metrics": {}} | other
    return [telemetry_codec.event_item(Reading(id=f"e{n}", **given))]


def _bucket(n: int) -> Sequence[Item]:
    """Some blocks of four hours have one bucket of the metric, some have several, some none, or none of any metric."""
    return _event(n, at=(n + n // 3 * 7) * HOUR, metrics={"temp": Decimal(n)})


def _others(hours: Iterable[int]) -> list[Item]:
    return [item for n in hours for item in _event(100 + n, at=n * HOUR, metrics={"wind": ONE})]


def _message(n: int, room: str, user: str) -> Sequence[Item]:
    return [chat_codec.message_item(Message(room, 1 + n % SHARDS, user, NOON + n, f"m{n}", "hi"))]


def _order(n: int, customer: str = "c") -> Sequence[Item]:
    return [ORDER.encode(Order(customer, f"o{n}", NOON - n, ONE))]


def _edge(source: NodeId, label: str, target: NodeId) -> Sequence[Item]:
    return graph_codec.edge_items(GraphEdge(source, label, target, ONE))


def _bought(n: int) -> Sequence[Item]:
    data = json.dumps({"on": f"2018-08-{n + 1:02d}"})
    return graph_codec.edge_items(GraphEdge(AMY, "BOUGHT", NodeId("person", f"p{n}"), ONE, data))


def _attribute(n: int, value: str) -> Sequence[Item]:
    return [graph_codec.attribute_item(NodeId("person", f"p{n}"), Attribute("skill", (value,)))]


def _play(n: int, player: str = "p", game: str = "") -> Sequence[Item]:
    return [games_codec.play_item(Play(player, game or f"g{n % 3}", NOON + n, n, "Champ"))]


def _audit(n: int, part: str, equipment: str = "e") -> Sequence[Item]:
    audit = Audit(equipment, part, n + 1, NOON, "amy", "passed")
    return [audits_items.AUDIT.encode(audit), *([audits_items.NEWEST.encode(audit)] if part else [])]


def _revision(n: int) -> Sequence[Item]:
    return [documents_items.REVISION.encode(Revision("d", n + 1, NOON, "amy", "text"))]


def _billed(invoice: str, bill: str) -> Sequence[Item]:
    return [billing_items.BILLED.encode(Billed(invoice, bill, ONE, 1))]


def _run(n: int) -> Run:
    return Run(f"2018082{n}T120000Z", "fill", "running", NOON)


def _difference(n: int) -> Sequence[Item]:
    found = Difference("ROOM", "wrong", ["ROOM", [f"r{n}"]], f"ROOM#r{n}", "EDGE#", {}, {}, {})
    return [checks_codec.difference_item(_run(0).name, n, found)]


_ROOM = [chat_codec.room_item(Room.starting_with("r", SHARDS))]
_PEOPLE = [graph_codec.node_item(Node(NodeId("person", name), 1)) for name in ("amy", *(f"p{n}" for n in range(9)))]
_DEVICE, _CUSTOMER, _NODE = {"device": "d"}, {"customer": "c"}, {"type": "person", "id": "amy"}
_ORDERS, _EDGES = "GET /customers/{customer}/orders", "GET /graph/nodes/{type}/{id}/edges"
_ROLLUPS = "GET /devices/{device}/rollups"

LISTINGS = (
    Listing("GET /devices", {}, lambda n: _event(0, device=f"d{n}"), ("devices",)),
    Listing("GET /rooms", {}, lambda n: [chat_codec.room_item(Room.starting_with(f"r{n}", SHARDS))], ("rooms",)),
    Listing("GET /invoices", {}, lambda n: [billing_items.INVOICE.encode(Invoice(f"i{n}"))], ("invoices",)),
    Listing(
        "GET /documents",
        {},
        lambda n: [documents_items.PERMISSIONS.encode(Permissions(f"d{n}", "olga", {"amy": "amy"}))],
        ("documents",),
    ),
    Listing("GET /customers", {}, lambda n: _order(0, f"c{n}"), ("customers",), {"begins_with": "c"}),
    Listing("GET /players", {}, lambda n: _play(0, player=f"p{n}"), ("players",)),
    Listing("GET /games", {}, lambda n: _play(0, game=f"g{n}"), ("games",)),
    Listing("GET /equipment", {}, lambda n: _audit(0, "", f"e{n}"), ("equipment",)),
    Listing("GET /places/roots", {}, lambda n: _event(n, place=(f"p{n}", "below")), ("places",), {"begins_with": "p"}),
    Listing("GET /devices/{device}", _DEVICE, lambda n: _event(n, place=("US", f"{n}")), ("places",)),
    Listing("GET /devices/{device}/events", _DEVICE, _event, ("events",)),
    Listing("GET /devices/{device}/events", _DEVICE, _event, ("events",), {"order": "desc"}),
    Listing(_ROLLUPS, _DEVICE, _bucket, ("rollups",), {"metric": "temp", "grain": "hour"}, requests=None),
    Listing(
        _ROLLUPS,
        _DEVICE,
        _bucket,
        ("rollups",),
        {"metric": "temp", "grain": "hour"},
        before=_others(range(20, 90, 3)),
        requests=None,
    ),
    Listing(
        _ROLLUPS,
        _DEVICE,
        lambda n: _event(n, at=n * 24 * HOUR, metrics={"temp": ONE}),
        ("rollups",),
        {"metric": "temp", "grain": "day", "from": "1970-01-01T00:00:00Z", "to": "1970-02-01T00:00:00Z"},
    ),
    Listing(
        "GET /rooms/{room}/messages",
        {"room": "r"},
        lambda n: _message(n, "r", "amy"),
        ("messages",),
        before=_ROOM,
        requests=1 + SHARDS,
    ),
    Listing("GET /checks", {}, lambda n: [checks_codec.run_item(_run(n))], ("checks",)),
    Listing(
        "GET /checks/{run}/differences",
        {"run": _run(0).name},
        _difference,
        ("differences",),
        before=[checks_codec.run_item(_run(0))],
    ),
    Listing("GET /rooms/{room}/users", {"room": "r"}, lambda n: _message(n, "r", f"u{n}"), ("users",)),
    Listing("GET /users/{user}/messages", {"user": "amy"}, lambda n: _message(n, f"r{n % 3}", "amy"), ("messages",)),
    Listing("GET /users/{user}/rooms", {"user": "amy"}, lambda n: _message(n, f"r{n}", "amy"), ("rooms",)),
    Listing(
        "GET /places",
        {},
        lambda n: _event(n, device=f"d{n}", place=("US", f"{n}")),
        ("places", "devices"),
        {"path": "US"},
        count=lambda alive: 2 * len(alive),
    ),
    Listing(
        "GET /places/entities",
        {},
        lambda n: [places_codec.resident_item(Resident("ROOM", f"r{n}", ("US",)))],
        ("entities",),
        {"path": "US", "kind": "ROOM"},
    ),
    Listing(
        "GET /invoices/{invoice}",
        {"invoice": "i"},
        lambda n: _billed("i", f"b{n}"),
        ("bills",),
        before=[billing_items.INVOICE.encode(Invoice("i"))],
    ),
    Listing("GET /bills/{bill}/invoices", {"bill": "b"}, lambda n: _billed(f"i{n}", "b"), ("invoices",)),
    Listing(_EDGES, _NODE, lambda n: _edge(AMY, "KNOWS", NodeId("person", f"p{n}")), ("edges",), before=_PEOPLE),
    Listing(
        _EDGES,
        _NODE,
        lambda n: _edge(NodeId("person", f"p{n}"), "KNOWS", AMY),
        ("edges",),
        {"direction": "in"},
        before=_PEOPLE,
    ),
    Listing(
        "GET /graph/nodes/{type}/{id}/aggregates",
        _NODE,
        lambda n: _edge(AMY, f"L{n}", NodeId("person", "p0")),
        ("aggregates",),
        before=_PEOPLE,
    ),
    Listing(
        "GET /graph/nodes/{type}/{id}/days",
        _NODE,
        _bought,
        ("days",),
        {"label": "BOUGHT"},
        before=_PEOPLE,
    ),
    Listing(
        "GET /graph/nodes/{type}/{id}/traverse",
        _NODE,
        lambda n: _edge(AMY, "KNOWS", NodeId("person", f"p{n}")),
        ("nodes",),
        before=_PEOPLE,
        requests=2,
    ),
    Listing("GET /graph/search", {}, lambda n: _attribute(n, "Go"), ("nodes",), {"name": "skill", "value": "Go"}),
    Listing(
        "GET /graph/search",
        {},
        lambda n: _attribute(n, f"Go {n}"),
        ("nodes",),
        {"name": "skill", "begins_with": "Go"},
    ),
    Listing(_ORDERS, _CUSTOMER, _order, ("orders",)),
    Listing(_ORDERS, _CUSTOMER, _order, ("orders",), {"status": "open"}),
    Listing(_ORDERS, _CUSTOMER, _order, ("orders",), {"from": "2018-01-01T00:00:00Z", "order": "desc"}),
    Listing("GET /alerts", {}, _alert, ("alerts",)),
    Listing("GET /orders/open", {}, _order, ("orders",)),
    Listing(
        "GET /players/{player}/games",
        {"player": "p"},
        _play,
        ("games", "plays"),
        count=lambda alive: len(alive) + len({n % 3 for n in alive}),
    ),
    Listing("GET /awards/{award}", {"award": "Champ"}, _play, ("plays",)),
    Listing("GET /equipment/{equipment}/audits", {"equipment": "e"}, lambda n: _audit(n, ""), ("audits",)),
    Listing("GET /equipment/{equipment}", {"equipment": "e"}, lambda n: _audit(n, f"part {n}"), ("newest",)),
    Listing(
        "GET /documents/{document}/versions",
        {"document": "d"},
        _revision,
        ("versions",),
        before=[documents_items.PERMISSIONS.encode(Permissions("d", "amy"))],
        requests=2,
    ),
)
