"""What is generated is up to date, and true: each documented read sends exactly the documented requests."""

import json
from typing import Any

import pytest

from docs import build
from docs.access_patterns import READS, Read, markdown
from functions.domain.entities import Room
from functions.handlers import runtime
from functions.routes import PUBLIC, ROUTES
from functions.store import rooms
from functions.store.keys import Key
from functions.store.queries import Query
from tests.support.http import Client
from tests.support.streams import StreamedTable

SENT_BY_EVERY_REQUEST = {"TableName", "ReturnConsumedCapacity"}


def test_openapi_document_is_up_to_date() -> None:
    assert build.OPENAPI.read_text() == build.openapi(), "run `make docs`"


def test_access_patterns_are_up_to_date() -> None:
    assert build.ACCESS_PATTERNS.read_text() == markdown(), "run `make docs`"


def test_openapi_describes_every_route_and_asks_for_a_token() -> None:
    document = json.loads(build.OPENAPI.read_text())
    described = {
        f"{method.upper()} {path}": operation["security"]
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }
    routes = {route for routes in ROUTES.values() for route in routes}
    assert described == {route: [] if route in PUBLIC else [{"token": []}] for route in routes}


def test_every_read_route_has_an_access_pattern() -> None:
    routes = {route for routes in ROUTES.values() for route in routes if route.startswith("GET")}
    assert {read.route for read in READS} == routes - PUBLIC


@pytest.mark.parametrize("read", READS, ids=lambda read: read.question)
def test_a_read_sends_exactly_the_documented_requests(
    read: Read, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms.create(table, Room.starting_with("seattle", 2))
    monkeypatch.setattr(runtime, "table", lambda: table)
    sent: list[dict[str, Any]] = []

    def record(params: dict[str, Any], model: Any, **_: Any) -> None:
        sent.append({"operation": model.name} | params)

    table.client.meta.events.register("before-parameter-build.dynamodb", record)
    answer = Client().call(read.route, read.query, **read.path)
    table.client.meta.events.unregister("before-parameter-build.dynamodb", record)

    assert answer.status in (200, 404)  # the table is almost empty: what counts is what was asked
    assert _normal(sent) == _normal([_request(request) for request in read.requests])
    assert answer.cost[0] == len(read.requests)


def _request(request: Query | Key) -> dict[str, Any]:
    if isinstance(request, Key):
        key = {"PK": {"S": request.pk}, "SK": {"S": request.sk}}
        return {"operation": "GetItem", "Key": key, "ConsistentRead": True}
    return {"operation": "Query"} | request.request()


def _normal(requests: list[dict[str, Any]]) -> list[str]:
    """Without what says nothing about the access path, in any order (shards are read in parallel)."""
    left_out = SENT_BY_EVERY_REQUEST | {"Limit"}
    return sorted(
        json.dumps({k: v for k, v in request.items() if k not in left_out}, sort_keys=True) for request in requests
    )
