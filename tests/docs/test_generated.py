"""What is generated is up to date, and true: each documented read sends exactly the documented requests."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from docs import build, rights, the_table
from docs.access_patterns import READS, WRITES, markdown
from docs.openapi import openapi
from docs.patterns.pattern import BatchGet, Read, Request, Write
from edgewise.dynamodb.attributes import key_item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from functions.cursors import Cursors
from functions.routes import PUBLIC, ROUTES
from functions.search.embedded import Embedded
from functions.settings import STATEMENTS
from functions.systems.telemetry import ingest
from functions.web import runtime
from tests.conftest import fresh_table
from tests.support import searching
from tests.support.handlers import SECRET
from tests.support.http import Client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

SENT_BY_EVERY_REQUEST = {"TableName", "ReturnConsumedCapacity"}


def test_openapi_document_is_up_to_date() -> None:
    assert build.OPENAPI.read_text() == openapi(), "run `make docs`"


def test_access_patterns_are_up_to_date() -> None:
    assert build.ACCESS_PATTERNS.read_text() == markdown(), "run `make docs`"


def test_the_drawn_table_is_up_to_date() -> None:
    drawn = the_table.markdown()
    assert build.THE_TABLE.read_text() == drawn, "run `make docs`"
    assert build.DRAWING.read_text() == the_table.drawing(), "run `make docs`"


def test_the_page_of_rights_is_up_to_date() -> None:
    assert build.RIGHTS.read_text() == rights.markdown(), "run `make docs`"


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


@pytest.fixture
def engine(client_of_local: "DynamoDBClient", monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """An empty table on DynamoDB Local, which tells true units; the handlers use it."""
    made = fresh_table(client_of_local)
    plain = Table(made.name, made.client)
    monkeypatch.setattr(runtime, "table", lambda: plain)
    monkeypatch.setattr(runtime, "cursors", lambda: Cursors(SECRET.encode))
    monkeypatch.setenv("WRITES", STATEMENTS)
    ingest.settings.cache_clear()
    yield plain
    plain.client.delete_table(TableName=plain.name)
    ingest.settings.cache_clear()


@contextmanager
def recorded(table: Table) -> Iterator[list[dict[str, Any]]]:
    """The requests that reach DynamoDB meanwhile."""
    sent: list[dict[str, Any]] = []

    def record(params: dict[str, Any], model: Any, **_: Any) -> None:
        sent.append({"operation": model.name} | params)

    table.client.meta.events.register("provide-client-params.dynamodb", record)
    yield sent
    table.client.meta.events.unregister("provide-client-params.dynamodb", record)


@pytest.mark.parametrize("read", READS, ids=lambda read: read.question)
def test_a_read_sends_exactly_the_documented_requests(read: Read, engine: Table, searched: Embedded) -> None:
    read.given(engine)
    if read.route == "GET /search":
        searching.index(engine, searched)
    with recorded(engine) as sent:
        answer = Client(read.user, read.groups).call(read.route, read.query, **read.path)
    assert answer.status in (200, 404), answer.body  # where nothing is given, what counts is what was asked
    assert _normal(sent) == _normal([_request(request, engine.name) for request in read.requests])
    assert answer.cost[:2] == (len(read.requests), read.units)


@pytest.mark.parametrize("write", WRITES, ids=lambda write: write.what)
def test_a_write_sends_exactly_the_documented_operations(write: Write, engine: Table) -> None:
    write.given(engine)
    with recorded(engine) as sent:
        caller = Client(write.user, write.groups, write.headers)
        answer = caller.call(write.route, write.query, write.body, **write.path)
    assert answer.status < 300, answer.body
    assert Counter(request["operation"] for request in sent) == write.operations


def test_every_write_route_has_an_access_pattern() -> None:
    routes = {route for routes in ROUTES.values() for route in routes if not route.startswith("GET")}
    assert {write.route for write in WRITES} == routes


def _request(request: Request, table: str) -> dict[str, Any]:
    if isinstance(request, Key):
        return {"operation": "GetItem", "Key": key_item(request), "ConsistentRead": True}
    if isinstance(request, BatchGet):
        keys = {"Keys": list(map(key_item, request.keys)), "ConsistentRead": request.consistent}
        return {"operation": "BatchGetItem", "RequestItems": {table: keys}}
    return {"operation": "Query"} | request.request()


def _normal(requests: list[dict[str, Any]]) -> list[str]:
    """Without what says nothing about the access path, in any order (shards are read in parallel)."""
    left_out = SENT_BY_EVERY_REQUEST | {"Limit"}
    return sorted(
        json.dumps({k: v for k, v in request.items() if k not in left_out}, sort_keys=True) for request in requests
    )
