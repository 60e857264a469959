"""Each request is told once: in one line of the log, without what its sender wrote, and in metrics."""

import json

import pytest

from edgewise.dynamodb.table import Table
from tests.support.http import Client, http_event, send
from tests.support.queue import batch, deliver, event
from tests.support.told import Lines, counted, lines

pytestmark = pytest.mark.usefixtures("handlers")

SECRET = "whisper"
DEVICE = Client("sensor", sub="sub-sensor", groups=("ingest",), headers={"authorization": f"Bearer {SECRET}"})


def answered(found: Lines) -> Lines:
    return [line for line in found if line["message"] == "answered"]


def test_one_line_tells_who_asked_for_what_and_what_it_took() -> None:
    body = {"events": [event(SECRET), event(SECRET, text=SECRET)]}
    with lines() as found:
        answer = DEVICE.call("POST /telemetry", None, body)
    (line,) = answered(found)
    requests, read_units, write_units = answer.cost
    assert {name: line[name] for name in ("function_name", "route", "caller", "sub", "status", "correlation_id")} == {
        "function_name": "tests",
        "route": "POST /telemetry",
        "caller": "sensor",
        "sub": "sub-sensor",
        "status": 202,
        "correlation_id": "request",
    }
    assert (line["requests"], line["read_units"], line["write_units"]) == (requests, read_units, write_units)
    assert line["write_units"] > 0
    assert line["took_ms"] >= 0
    assert SECRET not in json.dumps(found)


def test_ids_and_parameters_of_a_request_are_not_logged() -> None:
    with lines() as found:
        DEVICE.call("GET /devices/{device}/events", {"from": "2018-08-29T12:00:00Z"}, device=SECRET)
    (line,) = answered(found)
    assert line["route"] == "GET /devices/{device}/events"
    assert "2018-08-29" not in json.dumps(line)
    assert SECRET not in json.dumps(found)


@pytest.mark.parametrize(
    ("client", "status"), [(Client("amy"), 403), (Client("", groups=("ingest",)), 401)], ids=["no member", "nobody"]
)
def test_a_refusal_is_told_with_the_caller_if_there_is_one(client: Client, status: int) -> None:
    with lines() as found:
        client.call("POST /telemetry", None, {"events": []})
    (line,) = answered(found)
    assert (line["status"], line.get("caller"), line["requests"]) == (status, client.user or None, 0)


def test_a_request_without_a_token_has_no_caller() -> None:
    with lines() as found:
        send(http_event("GET /health", {}, {}, None, claims=None))
    assert ["caller" in line or "sub" in line for line in answered(found)] == [False]


def test_requests_and_refused_items_are_counted(table: Table, capsys: pytest.CaptureFixture[str]) -> None:
    answer = DEVICE.call("POST /telemetry", None, {"events": [event("a"), event("b", at="no time"), 3]})
    told = capsys.readouterr()
    for metric, value in (("Requests", 1), ("ItemsRejected", 2), ("WriteUnits", answer.cost[2])):
        with_only_this = f'"{metric}":[{float(value)}]'
        assert with_only_this in told.out.replace(" ", "")


def test_a_batch_of_the_queue_is_told_like_a_request(capsys: pytest.CaptureFixture[str]) -> None:
    with lines() as found:
        deliver(batch({"events": [event("a")]}, {"events": [event(SECRET, at="never")]}))
    (line,) = [line for line in found if line["message"] == "taken in"]
    assert (line["messages"], line["failed"], line["write_units"]) == (2, 1, 1)
    assert line["requests"] >= 1
    assert SECRET not in json.dumps(line)
    assert counted("ItemsRejected", capsys) == [1]
