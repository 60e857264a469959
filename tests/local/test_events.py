"""Which events a function is given by `make invoke`: all that it takes, and none that it would fail on."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any, Literal

import pytest
from aws_lambda_powertools.utilities.parser.models import (
    APIGatewayProxyEventV2Model,
    APIGatewayWebSocketConnectEventModel,
    APIGatewayWebSocketDisconnectEventModel,
    APIGatewayWebSocketMessageEventModel,
    DynamoDBStreamModel,
    EventBridgeModel,
    S3EventNotificationEventBridgeModel,
    SqsModel,
)
from aws_lambda_powertools.utilities.parser.models.apigw_websocket import APIGatewayWebSocketConnectEventRequestContext
from pydantic import BaseModel, Field

from functions.handlers import cascade
from functions.replay.memory import MemoryTable
from functions.systems.telemetry import routes as telemetry
from functions.web import runtime
from infra.functions import FUNCTIONS as DEPLOYED
from local.events import FUNCTIONS, EventError, check
from tests.delivery.consuming import consuming
from tests.support.http import Context

FILES = {path.name: json.loads(path.read_text()) for path in (Path(__file__).parents[1] / "events").glob("*.json")}
HTTP, QUEUE, STREAM = FILES["telemetry_http.json"], FILES["telemetry_sqs.json"], FILES["edge_aggregator_stream.json"]
# Of services that nothing here is connected to, in short.
FOREIGN: dict[str, Any] = {
    "S3": {"Records": [{"eventSource": "aws:s3", "eventName": "ObjectCreated:Put", "s3": {}}]},
    "SNS": {"Records": [{"EventSource": "aws:sns", "Sns": {"Message": "{}"}}]},
    "Kinesis": {"Records": [{"eventSource": "aws:kinesis", "eventID": "1", "kinesis": {"data": ""}}]},
    "EventBridge": {"source": "aws.s3", "detail-type": "Object Created", "detail": {}},
    "a REST API": {"httpMethod": "POST", "path": "/telemetry", "requestContext": {"stage": "prod"}, "body": "{}"},
    "nothing": {},
    "a list": [],
    "a list of events": [HTTP],
    "a number": 1,
    "null": None,
}


def test_every_function_says_what_it_takes_and_has_an_event() -> None:
    assert set(FUNCTIONS) == set(DEPLOYED)
    for name in FUNCTIONS:
        assert [file for file, event in FILES.items() if _takes(name, event)], f"no event for {name} in tests/events"


class Asked(BaseModel):
    """What an authorizer is asked has a connection's context; Powertools has no model of the whole."""

    type: Literal["REQUEST"]
    context: APIGatewayWebSocketConnectEventRequestContext = Field(alias="requestContext")


# The forms that AWS documents, as Powertools knows them; people and our state machine send others.
MODELS: dict[str, type[BaseModel]] = {
    "http": APIGatewayProxyEventV2Model,
    "sqs": SqsModel,
    "stream": DynamoDBStreamModel,
    "schedule": EventBridgeModel,
    "object": S3EventNotificationEventBridgeModel,
    "disconnect": APIGatewayWebSocketDisconnectEventModel,
    "connect": APIGatewayWebSocketConnectEventModel,
    "subscribe": APIGatewayWebSocketMessageEventModel,
    "ticket": Asked,
}


# A queue's messages have one form, whatever they say.
QUEUED = {"telemetry_sqs.json", "pusher_sqs.json", "indexer_sqs.json", "outlet_sqs.json", "heartbeat_sqs.json"}
SCHEDULED = {"sweeper_schedule.json", "socket_sweeper_schedule.json"}
# Events that no service of AWS sends.
OWN = ("redrive_recount.json", *(name for name in FILES if name.startswith("batch_")))


@pytest.mark.parametrize("file", sorted(FILES))
def test_events_have_the_form_that_their_service_gives_them(file: str) -> None:
    kind = next((kind for kind in MODELS if kind in file), None)
    if kind is None:
        assert file in OWN
    else:
        MODELS[kind].model_validate(FILES[file])


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("telemetry", {"telemetry_http.json", "telemetry_device_http.json", *QUEUED}),
        ("chat", {"chat_http.json"}),
        ("edge_aggregator", {"edge_aggregator_stream.json", "stream_window.json", "stream_window_final.json"}),
        ("cascade", {name for name in FILES if "stream" in name}),
        ("orders", {"orders_http.json"}),
        ("last_line", {"last_line_object.json"}),
        ("sweeper", SCHEDULED),
        ("heartbeat", {*SCHEDULED, *QUEUED}),
        ("redrive", {"redrive_recount.json"}),
        ("push", {"push_http.json"}),
        ("pusher", QUEUED),
        ("indexer", QUEUED),
        ("outlet", QUEUED),
        ("search", {"search_http.json"}),
        ("socket", {"socket_connect.json", "socket_subscribe.json", "socket_disconnect.json"}),
        ("socket_authorizer", {"socket_authorizer_ticket.json"}),
        ("socket_sweeper", SCHEDULED),
        ("batch_run", {"batch_run_begin.json"}),
        ("batch_repair", {"batch_repair_part.json"}),
        ("batch_verify", {"batch_verify_run.json"}),
        ("batch_publish", {"batch_publish_part.json"}),
    ],
)
def test_of_the_events_here_it_takes_its_own(name: str, files: set[str]) -> None:
    assert {file for file, event in FILES.items() if _takes(name, event)} == files


@pytest.mark.parametrize("event", FOREIGN.values(), ids=FOREIGN.keys())
@pytest.mark.parametrize("name", FUNCTIONS)
def test_events_of_other_services_are_refused_with_what_it_takes(name: str, event: Any) -> None:
    with pytest.raises(EventError, match=rf"^{name} takes events of .*; here, "):
        check(name, event)


def test_sweepers_are_called_by_the_clock_alone() -> None:
    tick = {"source": "aws.events", "detail-type": "Scheduled Event", "detail": {}}
    assert [name for name in FUNCTIONS if _takes(name, tick)] == ["sweeper", "heartbeat", "socket_sweeper"]


def test_a_route_of_another_function_is_named() -> None:
    with pytest.raises(EventError, match=r"^orders has no route POST /telemetry; its routes are POST /customers"):
        check("orders", HTTP)


def _takes(name: str, event: Any) -> bool:
    try:
        check(name, event)
    except EventError:
        return False
    return True


def _mutilated(event: Any) -> Iterator[Any]:
    """The event with each of its parts left out, and with each replaced by parts of other types."""
    for path in _paths(event, ()):
        *way, last = path
        others: tuple[Any, ...] = ("left out", None, 1, "text", [], {})
        for other in others:
            changed = deepcopy(event)
            holder = changed
            for step in way:
                holder = holder[step]
            if other == "left out":
                del holder[last]
            else:
                holder[last] = other
            yield changed


def _paths(part: Any, way: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inside = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for name, value in inside:
        yield (*way, name)
        yield from _paths(value, (*way, name))


def _taken(name: str, event: Any) -> list[Any]:
    """What a function is given of the mutilated events."""
    taken = [each for each in _mutilated(event) if _takes(name, each)]
    assert taken
    return taken


def test_what_is_let_through_the_handler_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    context: Any = Context()
    table = MemoryTable()
    monkeypatch.setattr(runtime, "table", lambda: table)
    for each in _taken("telemetry", HTTP):
        assert telemetry.handler(each, context)["statusCode"] < 500
    for each in _taken("telemetry", QUEUE):
        failed = {failure["itemIdentifier"] for failure in telemetry.handler(each, context)["batchItemFailures"]}
        assert failed <= {message["messageId"] for message in each["Records"]}


def test_what_is_let_through_the_consumer_counts_or_sets_aside() -> None:
    """Or lets it wait, if the event no longer says that its window ends."""
    context: Any = Context()
    table = MemoryTable()
    with consuming() as on:
        handler = on(table)
        for each in _taken("edge_aggregator", STREAM):
            answer = handler(each, context)
            assert not answer["batchItemFailures"]
            assert not answer["state"] or not each.get("isFinalInvokeForWindow")
            assert bool(table.items or answer["state"]) == bool(each["Records"])
            table.items.clear()


def test_what_is_let_through_the_cascade_can_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is to be done about most of it, and none of it is given back as a failure."""
    context: Any = Context()
    table = MemoryTable()
    monkeypatch.setattr(cascade, "table", lambda: table)
    assert {cascade.handler(each, context) for each in _taken("cascade", STREAM)} == {None}
