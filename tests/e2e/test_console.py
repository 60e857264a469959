"""What people do in the console, in a real browser on the deployed application."""

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from tests.e2e.conftest import Client, Settle
from tests.e2e.console import Visitor, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator

READINGS = (("06:10", 18), ("06:50", 21), ("07:20", 24.5))


def test_a_reading_is_seen_in_a_chart(visit: Callable[..., Visitor], sensor: Client, settle: Settle) -> None:
    """Whoever follows a shared address signs in first, and is then where the address leads."""
    events = [{"device_id": "hall/3", "at": f"2026-11-01T{at}:00Z", "metrics": {"temp": temp}} for at, temp in READINGS]
    assert sensor.post("telemetry", body={"events": events})["accepted"] == 3
    settle()
    visitor = visit("/devices/hall~2F3?metric=temp&grain=hour")
    visitor.sign_in("guest")
    page = visitor.page
    expect(page.get_by_role("heading", name="hall/3")).to_be_visible()
    chart = page.get_by_role("img", name="temp by hour: 3 readings in 2 hours")
    expect(chart.locator("canvas")).to_be_visible()
    page.get_by_text("The same as a table").click()
    table = page.get_by_role("region", name="temp by hour, as a table")
    rows = table.get_by_role("row").filter(has=page.get_by_role("rowheader")).all_inner_texts()
    # The mean, least, greatest, first and last of each hour, the newest first.
    assert [row.split("\t")[1:] for row in rows] == [
        ["1", "24.5", "24.5", "24.5", "24.5", "24.5"],
        ["2", "19.5", "18", "21", "18", "21"],
    ]
    assert not visitor.faults()


def scrolled(history: "Locator", messages: "Locator", shown: int) -> None:
    """Go to where the oldest are, which brings in older ones; again if what was pushed meanwhile has moved the list."""
    for _ in range(20):
        history.press("Home")
        with suppress(AssertionError):
            expect(messages).to_have_count(shown, timeout=3_000)
            return
    pytest.fail(f"never are {shown} messages shown")


def test_a_message_is_written_and_read(visit: Callable[..., Visitor], importer: Client) -> None:
    old = [
        {"text": f"old {n}", "user": "amy", "sent_at": 1_700_000_000 + 100 * n, "message_id": f"{n}"}
        for n in range(120)
    ]
    importer.post("rooms", "quay", "messages", body={"messages": old})
    visitor = visit("/rooms")
    visitor.sign_in("guest")
    page = visitor.page
    page.get_by_label("Room", exact=True).fill("quay")
    page.get_by_label("Room", exact=True).press("Enter")
    expect(page.get_by_text("old 119")).to_be_visible()
    page.get_by_label("Message", exact=True).fill("Ahoy <b>all</b>")
    page.get_by_label("Message", exact=True).press("Enter")
    history = page.get_by_role("region", name="Messages")
    messages = history.get_by_role("listitem").filter(has=page.get_by_role("paragraph"))
    expect(messages.first).to_contain_text("Ahoy <b>all</b>")
    expect(messages.first).to_contain_text("guest")
    expect(messages).to_have_count(51)  # a page of 50 and what has come since
    for shown in (100, 121):  # two pages, and all
        scrolled(history, messages, shown)
    expect(messages.last).to_contain_text("old 0")
    expect(page.get_by_text("The room begins here.")).to_be_visible()
    assert not visitor.faults()


def test_only_administrators_are_shown_checks(visit: Callable[..., Visitor]) -> None:
    admin, guest = visit("/checks"), visit("/rooms", width=375)
    admin.sign_in("admin")
    guest.sign_in("guest")
    expect(admin.page.get_by_role("heading", name="Checks")).to_be_visible()
    expect(admin.page.get_by_role("link", name="Checks")).to_have_attribute("aria-current", "page")
    expect(guest.page.get_by_role("heading", name="Rooms", exact=True)).to_be_visible()
    assert guest.page.get_by_role("link", name="Checks").count() == 0
    assert not admin.faults() + guest.faults()


def test_what_the_api_refuses_is_explained(visit: Callable[..., Visitor]) -> None:
    visitor = visit("/checks")
    visitor.sign_in("guest")
    expect(visitor.page.get_by_role("alert")).to_contain_text("Forbidden")
    # The browser itself tells of every refused request.
    assert visitor.complaints == ["Failed to load resource: the server responded with a status of 403 (Forbidden)"]
    visitor.complaints.clear()


def test_a_path_that_looks_like_another_site_is_a_page_of_this_one(visit: Callable[..., Visitor]) -> None:
    """The sign-in comes back to it, and asks for a nonce, which the library compares with the id token's."""
    visitor = visit("//evil.example")
    asked: list[str] = []
    visitor.page.on("request", lambda request: asked.append(request.url))
    visitor.sign_in("guest")
    expect(visitor.page.get_by_role("heading", name="There is no such page")).to_be_visible()
    assert visitor.page.url == f"{visitor.origin}//evil.example"
    assert [url for url in asked if "/oauth2/authorize?" in url and "nonce=" in url]
    assert not visitor.complaints


def test_a_sign_in_that_nobody_began_is_refused(visit: Callable[..., Visitor]) -> None:
    """Such as a link that would sign somebody in as another user."""
    visitor = visit("/signed-in?code=stolen&state=invented")
    expect(visitor.page.get_by_role("alert")).to_contain_text("No matching state")
    visitor.page.get_by_role("link", name="Begin again").click()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()


# As if an hour had passed: the tab's session, whose token has expired.
EXPIRE = """() => {
    const tokens = JSON.parse(sessionStorage.getItem("session"));
    sessionStorage.setItem("session", JSON.stringify({ ...tokens, ends: 1 }));
    return tokens.access;
}"""
TOKEN = """() => JSON.parse(sessionStorage.getItem("session")).access"""


def test_a_token_that_has_expired_is_renewed(visit: Callable[..., Visitor]) -> None:
    visitor = visit("/devices")
    visitor.sign_in("guest")
    page = visitor.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/oauth2/token") else None)
    expired = page.evaluate(EXPIRE)
    page.get_by_role("link", name="Rooms").click()  # asks for several things at once
    expect(page.get_by_role("heading", name="All rooms")).to_be_visible()
    expect(page.get_by_text("of your messages").or_(page.get_by_text("None yet")).first).to_be_visible()
    assert len(asked) == 1
    assert expired != page.evaluate(TOKEN)
    page.evaluate(EXPIRE)
    page.reload()
    expect(page.get_by_role("heading", name="All rooms")).to_be_visible()
    assert len(asked) == 2


def test_who_can_not_be_renewed_for_want_of_a_network_stays_signed_in(visit: Callable[..., Visitor]) -> None:
    visitor = visit("/devices")
    visitor.sign_in("guest")
    page = visitor.page
    expect(page.get_by_label("Devices that begin with")).to_be_visible()
    page.route("**/oauth2/token", lambda route: route.abort())
    page.evaluate(EXPIRE)
    page.get_by_role("link", name="Places", exact=True).click()
    expect(page.get_by_role("alert").first).to_contain_text("can't be renewed")
    page.unroute("**/oauth2/token")
    page.get_by_role("button", name="Try again").first.click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    assert set(visitor.complaints) == {"Failed to load resource: net::ERR_FAILED"}
    visitor.complaints.clear()


def test_whoever_signs_out_has_to_sign_in_again(visit: Callable[..., Visitor]) -> None:
    visitor = visit("/devices")
    visitor.sign_in("guest")
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", name="Devices")).to_be_visible()
    visitor.page.get_by_role("button", name="Sign out").click()
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert visitor.page.evaluate("sessionStorage.length") == 0
    visitor.open("/devices")
    expect(visitor.page.get_by_role("button", name="Sign in")).to_be_visible()
