"""A few samples for a table in memory: some things of every system, readings of a device, a chat.

The handlers themselves store them, and the stream's readers absorb the changes.
"""

import gzip
import importlib
import io
import json
import logging
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from typing import Any
from urllib.parse import unquote

import boto3

import delivery
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Put
from functions.catalog import module_of
from functions.push import codec as push
from functions.push.entity import Ticket
from functions.routes import ROUTES
from functions.systems.checks import codec, results
from functions.systems.checks.entity import Lock
from functions.web.spelling import spell
from local import examples
from local.context import Context
from ops.api import Answer, Api

PLACE = ["US", "New York", "New York", "JFK"]
READINGS = [
    {"device_id": "JFK", "at": f"2013-01-01T0{hour}:00:00Z", "place": PLACE, "metrics": {"temp": temp}}
    for hour, temp in ((6, 39.02), (7, 39.02), (8, 39.92))
]
SHARD = "shardId-00000001356998400000-a1b2c3d4"
# The place in which last_line looks for an event that a reader of the stream gave up.
BUCKET, OBJECT = "edgewise-lost", "lost.json"
# A run that has the lock, with an empty file of a plan, one of summaries, and one that names a room to verify, in the
# bucket that local.invoke names.
RUN, RUNS_BUCKET = "20990101T000000Z", "edgewise-memory"
FILES = {
    "plan/part-00000.gz": gzip.compress(b""),
    "nodes/part-00000.gz": gzip.compress(b""),
    "doubtful/part-00000.gz": gzip.compress(json.dumps({"about": ["ROOM", ["seattle"]]}).encode()),
    "doubtful/_SUCCESS": b"",
}
EXECUTION, FOREVER = "by-hand", 4102444800000
TICKET = "only-in-memory"
# The greatest number of deliveries: a first edge leads to an inverted edge, and that one to a summary.
ROUNDS = 10

Items = dict[str, Any]
FUNCTION_OF = {route: name for name, routes in ROUTES.items() for route in routes}


class InProcess(Api):
    """The API without a server: each request goes directly to the handler, from a user with all permissions."""

    def __init__(self) -> None:
        """There is no address."""

    def call(self, method: str, *path: str, body: Any = None, headers: Any = None, **parameters: str | int) -> Answer:
        """The response to a request without parameters; an assertion fails unless it is successful."""
        assert not parameters, "the samples are only written"
        route, ids = _route(method, [spell(part) for part in path])
        answer = _handler(FUNCTION_OF[route])(
            _event(route, "/" + "/".join(path), ids, body, headers or {}), Context("seed")
        )
        assert answer["statusCode"] < 300, answer
        return Answer(route, json.loads(answer["body"] or "{}"), "", "", "")


def seed(table_name: str) -> None:
    """Store the samples and their aggregates in a table, without output. It must be the table of the environment."""
    importlib.import_module("edgewise.observability")  # its logger keeps the output that it finds at import
    logging.disable()
    with redirect_stdout(io.StringIO()):
        _store(table_name)
    logging.disable(logging.NOTSET)


def _store(table_name: str) -> None:
    api = InProcess()
    examples.store_all(api)
    api.post("telemetry", body={"events": READINGS})
    api.post("rooms", "seattle", "messages", body={"messages": [{"message_id": "m0", "text": "Hello"}]})
    lost = _follow(table_name)
    boto3.client("s3").create_bucket(Bucket=BUCKET)
    boto3.client("s3").put_object(Bucket=BUCKET, Key=OBJECT, Body=json.dumps({"payload": json.dumps(lost)}))
    boto3.client("s3").create_bucket(Bucket=RUNS_BUCKET)
    for file, content in FILES.items():
        boto3.client("s3").put_object(Bucket=RUNS_BUCKET, Key=f"{results.result(RUN)}/{file}", Body=content)
    Table(table_name).write(Put(codec.lock_item(Lock(RUN, EXECUTION, 0, FOREVER))))
    Table(table_name).write(Put(push.ticket_item(TICKET, Ticket("amy", FOREVER, 0, FOREVER, rate=50))))


def _follow(table_name: str) -> Any:
    """Deliver changes until there are none left; returns the first event."""
    source, number, first = delivery.Source(), 0, None
    before: dict[tuple[str, str], Items] = {}
    for _ in range(ROUNDS):
        after = dict(_items(table_name))
        changed = [key for key in before.keys() | after.keys() if before.get(key) != after.get(key)]
        records = []
        for key in sorted(changed):
            number += 1
            record = delivery.make_record(source, before.get(key), after.get(key), number, time.time(), False)
            records.append(record.form)
        if not records:
            return first
        event = delivery.window_event(SHARD, records) | {"isFinalInvokeForWindow": True}
        first = first or event
        _handler("edge_aggregator")(event, Context("edge_aggregator"))
        _handler("cascade")({"Records": records}, Context("cascade"))
        before = after
    raise AssertionError("the samples never settle")


def _items(table_name: str) -> Iterator[tuple[tuple[str, str], Items]]:
    for page in boto3.client("dynamodb").get_paginator("scan").paginate(TableName=table_name):
        for item in page["Items"]:
            yield (item["PK"]["S"], item["SK"]["S"]), item


def _handler(name: str) -> Any:
    return importlib.import_module(module_of(name)).handler


def _route(method: str, path: list[str]) -> tuple[str, Mapping[str, str]]:
    """The route of a path, and the values of its parameters."""
    asked = f"{method} /{'/'.join(path)}"
    for route in sorted(FUNCTION_OF):
        if found := re.fullmatch(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route), asked):
            return route, found.groupdict()
    raise AssertionError(f"no route for {asked}")


def _event(route: str, path: str, ids: Mapping[str, str], body: Any, headers: Mapping[str, str]) -> dict[str, Any]:
    claims = {
        "sub": "app",
        "username": "app",
        "token_use": "access",
        "iat": "1535543000",
        "cognito:groups": "[ingest import write admin]",
    }
    return {
        "version": "2.0",
        "routeKey": route,
        "rawPath": unquote(path),
        "rawQueryString": "",
        "headers": {"content-type": "application/json", **headers},
        "requestContext": {
            "http": {"method": route.partition(" ")[0], "path": path},
            "stage": "$default",
            "requestId": "seed",
            "authorizer": {"jwt": {"claims": claims, "scopes": None}},
        },
        "pathParameters": dict(ids),
        "body": json.dumps(body),
        "isBase64Encoded": False,
    }
