"""One rule: a list answers 200 and is empty where nothing is stored; one thing that is not stored answers 404."""

import re
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from functions.routes import PUBLIC, ROUTES
from tests.support.http import Answer, Client

UNKNOWN = "nobody"
# Of what may not have just any name.
NAMED = {"version": "1", "run": "20180829T120000Z"}
READS = {route for routes in ROUTES.values() for route in routes if route.startswith("GET ")}
# Each list with the parameters that it needs, and all that it answers where nothing is stored. A new route that reads
# belongs here or among the things below.
LISTS: dict[str, tuple[dict[str, str], dict[str, Any]]] = {
    "GET /aggregates/incomplete": ({}, {"incomplete": [], "cursor": None}),
    "GET /alerts": ({}, {"alerts": [], "cursor": None}),
    "GET /awards/{award}": ({}, {"award": UNKNOWN, "plays": [], "cursor": None}),
    "GET /bills/{bill}/invoices": ({}, {"bill": UNKNOWN, "invoices": [], "cursor": None}),
    "GET /checks": ({}, {"checks": [], "cursor": None}),
    "GET /customers": ({}, {"customers": [], "cursor": None}),
    "GET /customers/{customer}/orders": ({}, {"customer": UNKNOWN, "summary": None, "orders": [], "cursor": None}),
    "GET /devices": ({}, {"devices": [], "cursor": None}),
    "GET /devices/{device}/events": ({}, {"events": [], "cursor": None}),
    "GET /devices/{device}/rollups": (
        {"metric": "temp", "grain": "day"},
        {"device": UNKNOWN, "metric": "temp", "grain": "day", "rollups": [], "cursor": None},
    ),
    "GET /documents": ({}, {"documents": [], "cursor": None}),
    "GET /equipment": ({}, {"equipment": [], "cursor": None}),
    "GET /equipment/{equipment}/audits": ({}, {"audits": [], "cursor": None}),
    "GET /games": ({}, {"games": [], "cursor": None}),
    "GET /graph/nodes/{type}/{id}/aggregates": (
        {},
        {"aggregates": [], "adjacent": [], "summary": None, "cursor": None},
    ),
    "GET /graph/nodes/{type}/{id}/days": (
        {"label": "BOUGHT"},
        {"days": [], "cursor": None},
    ),
    "GET /graph/nodes/{type}/{id}/edges": ({}, {"edges": [], "cursor": None}),
    "GET /graph/rankings/{label}": (
        {},
        {"label": UNKNOWN, "direction": "in", "measure": "count", "nodes": [], "refilling": False},
    ),
    "GET /graph/search": ({"name": "skill", "value": "SQL"}, {"nodes": [], "cursor": None}),
    "GET /invoices": ({}, {"invoices": [], "cursor": None}),
    "GET /leaderboards/{game}": ({}, {"game": UNKNOWN, "summary": None, "top": [], "recounting": 0}),
    "GET /orders/open": ({}, {"orders": [], "cursor": None}),
    "GET /places/entities": ({"path": UNKNOWN, "kind": "ROOM"}, {"entities": [], "cursor": None}),
    "GET /places/roots": ({}, {"places": [], "cursor": None}),
    "GET /players": ({}, {"players": [], "cursor": None}),
    "GET /quarantine": ({}, {"records": [], "count": 0, "cursor": None}),
    "GET /rooms": ({}, {"rooms": [], "cursor": None}),
    "GET /rooms/{room}/messages": ({}, {"messages": [], "cursor": None}),
    "GET /rooms/{room}/users": ({}, {"room": UNKNOWN, "users": [], "cursor": None}),
    "GET /search": (
        {"q": UNKNOWN},
        {"found": [], "total": 0, "at_most": False, "kinds": {}, "attributes": {}, "cursor": None},
    ),
    "GET /table/index": ({"name": "GSI2", "pk": "ROOM#x"}, {"pk": "ROOM#x", "items": [], "cursor": None}),
    "GET /table/partition": ({"pk": "ROOM#x"}, {"pk": "ROOM#x", "items": [], "cursor": None}),
    "GET /users/{user}/messages": ({}, {"user": UNKNOWN, "messages": [], "cursor": None}),
    "GET /users/{user}/rooms": ({}, {"user": UNKNOWN, "summary": None, "rooms": [], "cursor": None}),
}
# One thing each, or what is about one thing: a walk needs the node it begins at, what belongs to a document needs its
# permissions.
THINGS: dict[str, dict[str, str]] = {
    "GET /aggregates": {"kind": "ROOM", "dimensions": f'["{UNKNOWN}"]'},
    "GET /bills/{bill}": {},
    "GET /checks/{run}": {},
    "GET /checks/{run}/differences": {},
    "GET /devices/{device}": {},
    "GET /documents/{document}": {},
    "GET /documents/{document}/information/{name}": {},
    "GET /documents/{document}/versions": {},
    "GET /documents/{document}/versions/{version}": {},
    "GET /equipment/{equipment}": {},
    "GET /equipment/{equipment}/audits/latest": {},
    "GET /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}": {},
    "GET /graph/nodes/{type}/{id}": {},
    "GET /graph/nodes/{type}/{id}/common/{other_type}/{other_id}": {},
    "GET /graph/nodes/{type}/{id}/recommendations": {"label": "KNOWS"},
    "GET /graph/nodes/{type}/{id}/subtree": {},
    "GET /graph/nodes/{type}/{id}/traverse": {},
    "GET /invoices/{invoice}": {},
    "GET /leaderboards/{game}/players/{player}": {},
    "GET /places": {"path": UNKNOWN},
    "GET /players/{player}/games": {},
    "GET /quarantine/{shard}/{sequence}": {},
    "GET /rooms/{room}": {},
}
# What the code itself declares, whatever is stored; and what looks at everything, as the one overview.
# A run follows from its seed and script alone: tests/systems/proof.
DECLARED = {"GET /aggregates/kinds", "GET /exactness", "GET /overview", "GET /proof", "GET /recent", "GET /table"}
DECLARED |= {"GET /proof/run"}


def get(route: str, query: dict[str, str]) -> Answer:
    """What somebody is answered who asks for what nobody has stored."""
    ids = {name: NAMED.get(name, UNKNOWN) for name in re.findall(r"{(\w+)}", route)}
    return Client(groups=("admin",)).call(route, query, **ids)


def test_every_other_route_that_reads_is_a_list_or_a_thing() -> None:
    assert (READS - PUBLIC - DECLARED, LISTS.keys() & THINGS.keys()) == (LISTS.keys() | THINGS.keys(), set())


@pytest.mark.parametrize("route", LISTS)
def test_a_list_of_nothing_is_empty(route: str, handlers: None) -> None:
    query, expected = LISTS[route]
    answer = get(route, query)
    assert (answer.status, answer.body) == (200, expected)


@pytest.mark.parametrize("route", THINGS)
def test_a_thing_that_is_not_there_is_404_and_named(route: str, handlers: None) -> None:
    answer = get(route, THINGS[route])
    assert (answer.status, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert re.fullmatch(f"there is no .*({UNKNOWN}|{NAMED['run']}).*", answer.body["detail"])


@pytest.mark.parametrize("route", [*LISTS, *THINGS])
def test_asking_creates_nothing(route: str, handlers: None, table: Table) -> None:
    get(route, LISTS[route][0] if route in LISTS else THINGS[route])
    assert table.client.scan(TableName=table.name)["Count"] == 0
