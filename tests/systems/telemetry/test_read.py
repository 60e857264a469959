"""Readings out: from, to, both; pages; prices."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from tests.support.http import Answer, Client

pytestmark = pytest.mark.usefixtures("handlers")

ROUTE = "GET /devices/{device}/events"
DEVICE, READER = Client(groups=("ingest",)), Client()
# The samples of the access patterns: device 123, its readings of July 2011, August and September 2018.
JULY, AUGUST, SEPTEMBER = "2011-07-09T13:00:00.000Z", "2018-08-29T12:00:00.000Z", "2018-09-04T01:00:00.000Z"


@pytest.fixture(autouse=True)
def readings(table: Table) -> None:
    samples = (SEPTEMBER, JULY, AUGUST)
    events: list[Any] = [{"device_id": "123", "at": at, "event_id": at[:4], "metrics": {}} for at in samples]
    events += [{"device_id": device, "at": AUGUST, "metrics": {}} for device in ("12", "1234", "123 ")]
    assert DEVICE.call("POST /telemetry", body={"events": events}).body["accepted"] == 6


def get(device: str = "123", **query: str) -> Answer:
    return READER.call(ROUTE, query, device=device)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, [JULY, AUGUST, SEPTEMBER]),
        ({"order": "asc"}, [JULY, AUGUST, SEPTEMBER]),
        ({"order": "desc"}, [SEPTEMBER, AUGUST, JULY]),
        ({"to": "1536019200"}, [JULY, AUGUST]),
        ({"to": "2018-09-04T00:00:00Z"}, [JULY, AUGUST]),
        ({"to": SEPTEMBER}, [JULY, AUGUST]),
        ({"to": "2018-09-04T01:00:00.001Z"}, [JULY, AUGUST, SEPTEMBER]),
        ({"from": JULY}, [JULY, AUGUST, SEPTEMBER]),
        ({"from": "2011-07-09T13:00:00.001Z"}, [AUGUST, SEPTEMBER]),
        ({"from": "2011-07-09T13:00:00.0009Z"}, [JULY, AUGUST, SEPTEMBER]),
        ({"from": JULY, "to": SEPTEMBER}, [JULY, AUGUST]),
        ({"from": JULY, "to": "2011-07-09T13:00:00.001Z"}, [JULY]),
        ({"from": "2011-07-09T13:00:00.001Z", "to": AUGUST}, []),
        ({"from": "9999-12-31T23:59:59.999Z"}, []),
        ({"to": "0001-01-01T00:00:00Z"}, []),
        ({"to": SEPTEMBER, "order": "desc", "limit": "1"}, [AUGUST]),
    ],
)
def test_events_of_a_range(query: dict[str, str], expected: list[str]) -> None:
    answer = get(**query)
    assert (answer.status, [event["at"] for event in answer.body["events"]]) == (200, expected)


def test_an_event_is_answered_whole() -> None:
    sent = {"device_id": "d", "at": 0.5, "event_id": "e", "place": ["US", "New York"]}
    DEVICE.call("POST /telemetry", body={"events": [sent | {"metrics": {"big": 9999999999999, "temp": -0.3}}]})
    answer = get("d")
    expected = {
        "event_id": "e",
        "at": "1970-01-01T00:00:00.500Z",
        "place": ["US", "New York"],
        "metrics": {"big": 9999999999999, "temp": Decimal("-0.3")},
        "attributes": {},
    }
    assert answer.body == {"events": [expected], "cursor": None}
    assert get().body["events"][0]["place"] is None


def test_a_device_that_nobody_knows_has_no_events() -> None:
    assert get("nobody").body == {"events": [], "cursor": None}


def pages(query: dict[str, str]) -> list[list[str]]:
    found: list[list[str]] = []
    cursor: dict[str, str] = {}
    while True:
        answer = get(**query, **cursor)
        assert answer.cost[0] == 1
        found.append([event["at"] for event in answer.body["events"]])
        if answer.body["cursor"] is None:
            return found
        cursor = {"cursor": answer.body["cursor"]}


@pytest.mark.parametrize("limit", [1, 2, 3, 4])
@pytest.mark.parametrize("order", ["asc", "desc"])
def test_all_pages_are_all_events_once(limit: int, order: str) -> None:
    found = pages({"limit": str(limit), "order": order})
    expected = [JULY, AUGUST, SEPTEMBER] if order == "asc" else [SEPTEMBER, AUGUST, JULY]
    assert [at for page in found for at in page] == expected
    assert all(len(page) <= limit for page in found)


def test_a_read_is_one_request_that_writes_nothing() -> None:
    requests, read, written = get().cost
    assert (requests, written) == (1, 0)
    assert read > 0  # how much is asked of DynamoDB Local, in tests/contract


INVALID: list[tuple[dict[str, Any], list[str]]] = [
    ({"from": "yesterday"}, ["from"]),
    ({"to": "2018-08-29"}, ["to"]),
    ({"from": "NaN"}, ["from"]),
    ({"from": "1e400"}, ["from"]),
    ({"from": ""}, ["from"]),
    ({"from": AUGUST, "to": AUGUST}, ["to"]),
    ({"from": AUGUST, "to": JULY}, ["to"]),
    ({"from": "2018-08-29T12:00:00.0001Z", "to": "2018-08-29T12:00:00.0009Z"}, ["to"]),
    ({"after": AUGUST}, ["after"]),
    ({"before": AUGUST}, ["before"]),
    ({"order": "up"}, ["order"]),
    ({"limit": "0"}, ["limit"]),
    ({"limit": "1001"}, ["limit"]),
    ({"limit": "ten"}, ["limit"]),
    ({"limit": "-1", "order": "up"}, ["order", "limit"]),
    ({"cursor": "made up"}, ["cursor"]),
    ({"cursor": ""}, ["cursor"]),
]


@pytest.mark.parametrize(("query", "fields"), INVALID)
def test_what_is_wrong_with_a_query_is_named(query: dict[str, str], fields: list[str]) -> None:
    answer = get(**query)
    assert (answer.status, answer.fields) == (400, fields)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.cost == (0, 0, 0)
