"""One rule for bodies: none counts as {}, what is missing is named, and so is what nobody reads."""

import base64
import re
from typing import Any

import pytest

from functions.routes import ROUTES
from tests.support.http import Answer, Client, send

CALLER = Client("amy", ("ingest", "import", "write", "admin"))
WRITES = {route for routes in ROUTES.values() for route in routes if not route.startswith("GET ")}
# The fields without which each route refuses a request. A new route that writes belongs here.
REQUIRED: dict[str, list[str]] = {
    "DELETE /devices/{device}/events/{id}": ["at"],
    "DELETE /documents/{document}/information/{name}": [],
    "DELETE /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}": [],
    "DELETE /graph/nodes/{type}/{id}": [],
    "DELETE /invoices/{invoice}/bills/{bill}": [],
    "DELETE /places/entities/{kind}/{id}": [],
    "DELETE /rooms/{room}/messages/{id}": ["sent_at"],
    "POST /aggregates/count": ["kind", "dimensions"],
    "POST /customers/{customer}/orders": ["amount"],
    "POST /customers/{customer}/orders/{order}/ship": [],
    "POST /documents/{document}/versions": ["content"],
    "POST /equipment/{equipment}/audits": ["auditor", "result"],
    "POST /players/{player}/games": ["game", "score", "at"],
    "POST /proof/faults": ["kind"],
    "POST /push/tickets": [],
    "POST /quarantine/{shard}/{sequence}/redrive": [],
    "POST /rooms/{room}/messages": ["messages"],
    "POST /search/rebuild": [],
    "POST /telemetry": ["events"],
    "PUT /bills/{bill}": ["amount"],
    "PUT /documents/{document}/information/{name}": ["data"],
    "PUT /documents/{document}/metadata": ["title"],
    "PUT /documents/{document}/permissions": ["readers", "writers"],
    "PUT /graph/edges/{type}/{id}/{label}/{target_type}/{target_id}": [],
    "PUT /graph/nodes/{type}/{id}": ["attributes"],
    "PUT /graph/nodes/{type}/{id}/state": ["state"],
    "PUT /invoices/{invoice}": [],
    "PUT /invoices/{invoice}/bills/{bill}": [],
    "PUT /places/entities/{kind}/{id}": ["path"],
    "PUT /proof/watch": ["numbers", "plain"],
    "PUT /rooms/{room}": ["shards"],
}
each = pytest.mark.parametrize("route", REQUIRED)


def ids(route: str) -> dict[str, str]:
    return {name: "ROOM" if name == "kind" else "x" for name in re.findall(r"{(\w+)}", route)}


def ask(route: str, body: Any = None, **headers: str) -> Answer:
    """The answer to a request that nothing was stored for."""
    return Client(CALLER.user, CALLER.groups, headers).call(route, None, body, **ids(route))


def test_every_route_that_writes_is_here() -> None:
    assert REQUIRED.keys() == WRITES


@each
@pytest.mark.parametrize("body", [None, "", "{}", " { } "])
def test_no_body_is_an_empty_object_and_what_is_missing_is_named(route: str, body: str | None, handlers: None) -> None:
    answer = ask(route, body)
    if REQUIRED[route]:
        assert (answer.status, answer.fields) == (400, REQUIRED[route])
    else:
        assert answer.status in (200, 201, 202, 204, 404)  # what it is about need not be there


@each
def test_no_body_need_not_say_what_it_is(route: str, handlers: None) -> None:
    assert ask(route, **{"content-type": "text/plain"}).status == ask(route).status


@each
def test_a_field_that_nobody_reads_is_named(route: str, handlers: None) -> None:
    answer = ask(route, {"amout": 1})
    assert answer.status == 400
    assert set(answer.fields) - set(REQUIRED[route]) == {"amout"}


@each
@pytest.mark.parametrize("body", ["null", "[]", "[{}]", "3", '"x"', "{", "{} {}", "NaN", " "])
def test_what_is_no_object_is_refused(route: str, body: str, handlers: None) -> None:
    answer = ask(route, body)
    assert (answer.status, answer.fields) == (400, ["body"])


@each
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{"amount": 1, "amount": 2}', "amount"),
        ('{"amount": 1, "\\u0061mount": 1}', "amount"),
        ('{"data": {"a": {"b": 1, "c": 2, "b": 3}}}', "b"),
        ('{"events": [{"at": 0, "at": 1}]}', "at"),
        ('{"": 1, "": 2}', "body"),
        ('{"\\ud800": 1, "\\ud800": 2}', "?"),
        (f'{{"{"x" * 300}": 1, "{"x" * 300}": 2}}', f"{'x' * 200}…"),
    ],
)
def test_a_member_that_is_given_twice_is_named(route: str, body: str, field: str, handlers: None) -> None:
    """Of two readers, one may take the first and one the last: what one has checked, the other would not see."""
    answer = ask(route, body)
    assert (answer.status, answer.fields) == (400, [field])


@each
def test_what_is_no_text_is_refused(route: str, handlers: None) -> None:
    event = CALLER.event(route, None, "x", **ids(route))
    answer = send(event | {"body": base64.b64encode(b"\xff\xfe").decode(), "isBase64Encoded": True})
    assert (answer.status, answer.fields) == (400, ["body"])


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_is_json_however_it_is_spelled(kind: str, handlers: None) -> None:
    assert ask("PUT /bills/{bill}", {"amount": 1}, **{"content-type": kind}).status == 200
