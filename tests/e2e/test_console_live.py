"""The console while things change: charts and rooms move without a reload, also after lost connections."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from tests.e2e.conftest import Client, Deployment, Settle
from tests.e2e.console import Visitor, expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]


def at(second: int) -> str:
    """An instant of the hour that the chart shows."""
    return f"2026-11-01T06:{second // 60:02}:{second % 60:02}Z"


def test_a_reading_appears_in_a_chart(visit: Visit, sensor: Client, settle: Settle) -> None:
    def post(count: int) -> None:
        reading = {"device_id": "pier", "at": at(count), "event_id": f"{count}", "metrics": {"temp": count}}
        assert sensor.post("telemetry", body={"events": [reading]})["accepted"] == 1

    post(1)
    settle()
    visitor = visit("/devices/pier?metric=temp&grain=hour")
    visitor.sign_in("guest")
    page = visitor.page
    visitor.is_live()
    for count in range(2, 5):
        post(count)
        page.get_by_role("img", name=f"temp by hour: {count} readings in 1 hours").wait_for()
    assert not visitor.faults()


def test_readings_and_the_newest_values_appear_as_they_come(visit: Visit, sensor: Client, settle: Settle) -> None:
    def post(*seconds: int, **metrics: float) -> None:
        events = [
            {"device_id": "buoy", "at": at(n), "event_id": f"e{n}", "metrics": metrics, "attributes": {"n": f"no {n}"}}
            for n in seconds
        ]
        assert sensor.post("telemetry", body={"events": events})["accepted"] == len(seconds)

    post(1, battery=100, swell=1.5)
    post(*range(2, 60), swell=2.5)
    settle()
    visitor = visit("/devices/buoy")
    visitor.sign_in("guest")
    page = visitor.page
    visitor.is_live()
    expect(page.get_by_role("combobox", name="Metric")).to_have_value("swell")
    expect(page).to_have_url(f"{visitor.origin}/devices/buoy?metric=swell")
    shown = page.get_by_role("main").get_by_role("listitem").filter(has_text="no ")
    expect(shown).to_have_count(50)
    page.get_by_role("button", name="Older readings").click()
    expect(shown).to_have_count(59)
    values = page.get_by_role("region", name="Metrics", exact=True)
    expect(values.get_by_role("row").nth(1)).to_contain_text("battery")
    post(61, swell=3.5)
    expect(shown).to_have_count(60)
    expect(shown.first).to_contain_text("swell 3.5")
    expect(shown.first).to_contain_text("n no 61")
    expect(shown.last).to_contain_text("e1")
    expect(values.get_by_role("row").nth(2)).to_contain_text("3.5")
    expect(page.get_by_role("region", name="Attributes", exact=True)).to_contain_text("no 61")
    values.get_by_role("link", name="battery").click()
    expect(page.get_by_role("img", name="battery by hour: 1 readings in 1 hours").locator("canvas")).to_be_visible()
    assert not visitor.faults()


def test_what_does_not_exist_is_not_live(visit: Visit) -> None:
    visitor = visit("/devices/nobody")
    visitor.sign_in("guest")
    page = visitor.page
    expect(page.get_by_role("alert")).to_contain_text("there is no device 'nobody'")
    assert page.get_by_role("banner").get_by_role("status").count() == 0
    assert page.get_by_role("button", name="Try again").count() == 0
    assert not visitor.faults()
    page.get_by_role("alert").get_by_role("link", name="Devices").click()
    expect(page.get_by_role("heading", name="Devices", exact=True)).to_be_visible()
    page.goto("about:blank")  # nothing is asked for any more
    assert set(visitor.complaints) == {"Failed to load resource: the server responded with a status of 404 (Not Found)"}
    visitor.complaints.clear()


def write(page: "Page", text: str) -> None:
    """As a person does."""
    page.get_by_label("Message", exact=True).fill(text)
    page.get_by_label("Message", exact=True).press("Enter")


def test_two_people_chat(visit: Visit, importer: Client, settle: Settle) -> None:
    importer.post("rooms", "deck", "messages", body={"messages": [{"text": "Welcome"}]})
    settle()
    amy, bob = visit("/rooms/deck"), visit("/rooms/deck", width=375)
    amy.sign_in("admin")
    bob.sign_in("guest")
    for each in (amy, bob):
        each.is_live()
    write(amy.page, "Is anybody there?")
    expect(bob.page.get_by_text("Is anybody there?")).to_be_visible()
    write(bob.page, "I am")
    expect(amy.page.get_by_text("I am", exact=True)).to_be_visible()
    # The numbers of the room move too.
    expect(amy.page.locator("dl")).to_contain_text("People3")
    assert not amy.faults() + bob.faults()


def test_what_is_shown_after_cuts_is_what_is_stored(
    visit: Visit, deployment: Deployment, importer: Client, settle: Settle
) -> None:
    """Connections end at random while messages come; messages that were sent before others are stored after them."""
    importer.post("rooms", "storm", "messages", body={"messages": [{"text": "calm"}]})
    settle()
    visitor = visit("/rooms/storm")
    visitor.sign_in("guest")
    visitor.is_live()
    chance = random.Random(15)
    for n in range(60):
        late = chance.uniform(0, 20)
        message = {"text": f"wave {n}", "user": "amy", "sent_at": time.time() - late, "message_id": f"{n}"}
        importer.post("rooms", "storm", "messages", body={"messages": [message]})
        if chance.random() < 0.1:
            for socket in open_sockets(deployment):
                close(deployment, socket)
        visitor.page.wait_for_timeout(chance.uniform(0, 100))
    stored = [each["text"] for page in importer.pages("rooms", "storm", "messages") for each in page["messages"]]
    shown = visitor.page.get_by_role("region", name="Messages").get_by_role("listitem").get_by_role("paragraph")
    expect(shown).to_have_count(61)
    assert shown.all_inner_texts() == list(reversed(stored))
    visitor.complaints.clear()  # of the sockets that were closed


def open_sockets(deployment: Deployment) -> Iterator[str]:
    """The connections that the application knows of."""
    found: Any = deployment.cloud.client("dynamodb").query(
        TableName=deployment.outputs["TableName"],
        IndexName="GSI1",
        KeyConditionExpression="GSI1PK = :all",
        ExpressionAttributeValues={":all": {"S": "CONNECTIONS"}},
    )
    return (item["PK"]["S"].removeprefix("CONNECTION#") for item in found["Items"])


def close(deployment: Deployment, socket: str) -> None:
    """End a connection, as a network may at any time."""
    gateway = deployment.cloud.client("apigatewaymanagementapi", endpoint=deployment.outputs.socket_url)
    with suppress(gateway.exceptions.GoneException):
        gateway.delete_connection(ConnectionId=socket)
