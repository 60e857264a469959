"""Data in, exact aggregates out, on the deployed application."""

import json
from typing import Any

import pytest

from ops.api import ApiError
from ops.processes import wait_until
from tests.e2e.conftest import Client, Deployment, Settle

# A country of its own: other tests send readings from the US to the same deployment.
NEW_YORK = ["Journey", "New York", "New York"]


def reading(device: str, at: str, place: list[str] | None, **metrics: float) -> dict[str, Any]:
    return {"device_id": device, "at": at, "metrics": metrics} | ({"place": place} if place else {})


def test_readings_become_edges_rollups_and_places(sensor: Client, guest: Client, settle: Settle) -> None:
    events = [
        reading("jfk", "2018-08-29T12:00:00Z", [*NEW_YORK, "JFK"], temp=39.02),
        reading("jfk", "2018-08-29T12:30:00+00:00", [*NEW_YORK, "JFK"], temp=41),
        reading("jfk", "2018-08-30T00:00:00Z", [*NEW_YORK, "LGA"], temp=-0.5),
        reading("lga", "2018-08-29T12:00:00Z", [*NEW_YORK, "LGA"], temp=20),
        reading("ewr", "2018-08-29T12:00:00Z", ["Journey", "New Jersey", "Newark", "EWR"], temp=20),
    ]
    wrong = reading("jfk", "yesterday", None, temp=1)
    answer = sensor.post("telemetry", body={"events": [*events, wrong]})
    assert answer["accepted"] == 5
    assert [(fault["index"], fault["field"]) for fault in answer["rejected"]] == [(5, "at")]
    assert sensor.post("telemetry", body={"events": events})["accepted"] == 5  # once more: changes nothing
    settle()

    device = guest.get("devices", "jfk")
    assert device["summary"] == {
        "events": 3,
        "places": 2,
        "first": "2018-08-29T12:00:00.000Z",
        "last": "2018-08-30T00:00:00.000Z",
        "recounting": False,
    }
    assert [(edge["place"][-1], edge["events"]) for edge in device["places"]] == [("JFK", 2), ("LGA", 1)]
    (noon, midnight) = guest.get("devices", "jfk", "rollups", metric="temp", grain="hour")["rollups"]
    assert (noon["count"], str(noon["sum"]), str(noon["min"]), noon["max"]) == (2, "80.02", "39.02", 41)
    assert (midnight["start"], str(midnight["last"])) == ("2018-08-30T00:00:00.000Z", "-0.5")
    state = guest.get("places", path="Journey/New York")
    assert state["summary"] == {"events": 4, "devices": 2, "entities": {}}
    assert state["devices"] == ["jfk", "lga"]
    country = guest.get("places", path="Journey")
    assert [(p["name"], p["events"], p["devices"]) for p in country["places"]] == [
        ("New Jersey", 1, 1),
        ("New York", 4, 2),
    ]


def test_readings_arrive_through_the_queue(deployment: Deployment, guest: Client) -> None:
    sqs, url = deployment.cloud.client("sqs"), deployment.outputs["TelemetryQueueUrl"]
    good = reading("queued", "2018-08-29T12:00:00Z", None, temp=1)
    sqs.send_message(QueueUrl=url, MessageBody=json.dumps({"events": [good]}))
    wait_until(lambda: len(guest.get("devices", "queued", "events")["events"]) == 1, 180, "the queued reading")


def test_messages_are_read_in_order_over_shards_old_and_new(
    importer: Client, admin: Client, guest: Client, settle: Settle
) -> None:
    def post(start: int) -> None:
        messages = [
            {"text": f"{n}", "user": f"user{n % 3}", "sent_at": 1_535_544_000 + n // 2, "message_id": f"{n}"}
            for n in range(start, start + 30)
        ]
        assert importer.post("rooms", "harbour", "messages", body={"messages": messages})["accepted"] == 30

    post(0)
    assert admin.put("rooms", "harbour", body={"shards": 4})["shards"] == 4
    with pytest.raises(ApiError, match="409"):
        admin.put("rooms", "harbour", body={"shards": 2})
    post(0)  # again, after the widening: nothing doubles
    post(30)
    settle()

    room = guest.get("rooms", "harbour")
    assert (room["shards"], room["messages"], room["users"]) == (4, 60, 3)
    pages = _walk(guest, "asc")
    found = [message for page in pages for message in page]
    assert [len(page) for page in pages[:-1]] == [7] * 8
    assert sorted(int(message["text"]) for message in found) == list(range(60))
    assert [message["sent_at"] for message in found] == sorted(message["sent_at"] for message in found)
    assert [m["message_id"] for page in _walk(guest, "desc") for m in page] == [m["message_id"] for m in found][::-1]
    mine = guest.get("rooms", "harbour", "messages", user="user1", period="2018-08-29")["messages"]
    assert [int(message["text"]) for message in mine] == list(range(1, 60, 3))
    rooms = guest.get("users", "user1", "rooms")
    assert rooms["summary"] == {"messages": 20, "rooms": 1}


def test_a_cursor_serves_its_own_query_only(guest: Client, importer: Client) -> None:
    messages = [{"text": "x", "user": "amy", "sent_at": n, "message_id": f"{n}"} for n in range(3)]
    importer.post("rooms", "cursors", "messages", body={"messages": messages})
    cursor = guest.get("rooms", "cursors", "messages", limit=1)["cursor"]
    assert guest.get("rooms", "cursors", "messages", limit=1, cursor=cursor)["messages"]
    for other in ({"order": "desc"}, {"user": "amy"}, {"period": "1970"}):
        with pytest.raises(ApiError, match=r"400.*cursor"):
            guest.get("rooms", "cursors", "messages", cursor=cursor, **other)
    with pytest.raises(ApiError, match=r"400.*cursor"):
        guest.get("rooms", "cursors", "messages", cursor=cursor[:-4] + "AAAA")


@pytest.mark.parametrize(
    ("body", "field"),
    [("{", "body"), ("[]", "body"), ('{"events": []}', "events"), ('{"events": [1], "evnts": 1}', "evnts")],
)
def test_bad_bodies_name_the_field(deployment: Deployment, sensor: Client, body: str, field: str) -> None:
    answer = sensor.raw("POST", "telemetry", data=body)
    assert (answer.status_code, answer.headers["content-type"]) == (400, "application/problem+json")
    assert field in [error["field"] for error in answer.json()["errors"]]


def test_every_answer_says_what_it_cost(guest: Client) -> None:
    answer = guest.raw("GET", "devices", "nobody")
    assert answer.status_code == 404
    assert answer.headers["x-consumed-requests"] == "1"


def _walk(guest: Client, order: str) -> list[list[dict[str, Any]]]:
    pages, cursor = [], None
    while True:
        onward: dict[str, str] = {"cursor": cursor} if cursor else {}
        page = guest.get("rooms", "harbour", "messages", order=order, limit=7, **onward)
        pages.append(page["messages"])
        cursor = page["cursor"]
        if cursor is None:
            return pages
