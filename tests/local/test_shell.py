"""The frame of the console in a real browser: wide and narrow, light and dark, by keyboard alone, in a second tab."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

import pytest

from tests.e2e.console import expect
from tests.e2e.states import STATES, picture_states
from tests.local.canned import FORBIDDEN, LACKS, NARROW, OVERVIEW, STEP, TOLD, WIDE, Tab

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext

PAGES = (
    "/",
    "/devices",
    "/rooms",
    "/alerts",
    "/records",
    "/records/customers",
    "/records/orders",
    "/overview",
    "/proof",
)
MOST_SHIFT = 0.02
LACKING = {"incomplete": True}
RECORD = {"shard": "shard-1", "sequence": "0007", "at": "2026-11-29T12:04:31.000Z", "error": "KeyError: 'PK'"}
_SHIFT = """() => new Promise((done) => {
  let sum = 0;
  const add = (each) => { sum += each.hadRecentInput ? 0 : each.value; };
  new PerformanceObserver((list) => list.getEntries().forEach(add)).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_pages_fit_move_nothing_and_have_no_fault(
    visit: Callable[..., Tab], width: int, scheme: Literal["light", "dark"]
) -> None:
    tab = visit(width=width, color_scheme=scheme)
    for address in (*PAGES, "/checks"):
        tab.visitor.open(address)
        tab.page.wait_for_load_state("networkidle")
        shift = tab.page.evaluate(_SHIFT)
        assert shift < MOST_SHIFT, (address, shift)
        assert tab.page.evaluate("document.documentElement.scrollWidth") == width, address
        assert not tab.visitor.faults(), address


def test_home_tells_what_was_compared_what_needs_somebody_and_what_arrived(visit: Callable[..., Tab]) -> None:
    tab = visit("/", "admin")
    band = tab.page.get_by_role("region", name="aggregates equal a recount")
    expect(band).to_contain_text("12 of 12")
    expect(band).to_contain_text("the last check of the table counted 2,600")
    needs = tab.page.get_by_role("heading", name="Needs you").locator("..").get_by_role("listitem")
    expect(needs).to_have_count(4)  # an alert, the quarantine, what lacks something, a late check
    arrived = tab.page.get_by_role("heading", name="Arrived last").locator("..").get_by_role("listitem")
    expect(arrived.nth(0)).to_contain_text("JFK reported temp 45")
    expect(arrived.nth(1)).to_contain_text("kim: “the pilot boat")
    arrived.nth(0).get_by_role("link", name="4,301").click()
    expect(tab.page).to_have_url(f"{tab.visitor.origin}/exactness/DEVICE?device=JFK")


def test_a_number_that_lacks_a_record_is_not_green(visit: Callable[..., Tab]) -> None:
    tab = visit()
    tab.api.answers["/exactness"] = STEP | {"equal": 11, "lacking": 1, "shown": [LACKS]}
    tab.page.reload()
    band = tab.page.get_by_role("region", name="aggregates equal a recount")
    expect(band).to_contain_text("11 of 12")
    expect(band).to_contain_text("1 says that it lacks a record")
    expect(band).to_have_class("band warn")
    expect(band.get_by_role("link", name="ROOM harbour")).to_be_visible()


def test_pages_are_found_before_the_network_answers(visit: Callable[..., Tab]) -> None:
    tab = visit()
    tab.api.answers["/search"] = None
    tab.page.keyboard.press("Control+k")
    field = tab.page.get_by_role("combobox", name="What to find")
    field.fill("alerts")
    expect(tab.page.get_by_role("option").first).to_contain_text("Alerts")
    assert not tab.visitor.faults()
    field.press("Enter")
    expect(tab.page).to_have_url(f"{tab.visitor.origin}/alerts")


def test_everything_is_reached_by_keys(visit: Callable[..., Tab]) -> None:
    tab = visit()
    press, focused = tab.page.keyboard.press, tab.page.locator(":focus")
    press("Tab")
    expect(focused).to_have_text("Skip to the content")
    press("Enter")
    expect(tab.page.get_by_role("main")).to_be_focused()
    for key in ("g", "d"):
        press(key)
    expect(tab.page.get_by_role("heading", name="Devices", exact=True)).to_be_visible()
    expect(tab.page.get_by_role("main")).to_be_focused()
    expect(tab.page.get_by_role("link", name="JFK")).to_be_visible()
    for key, name in (("j", "JFK"), ("j", "LGA"), ("k", "JFK")):
        press(key)
        expect(focused).to_have_text(name)
    press("?")
    expect(tab.page.get_by_role("dialog", name="Keys")).to_be_visible()
    assert not tab.visitor.faults()
    press("Escape")
    expect(focused).to_have_text("JFK")
    tab.page.get_by_label("Devices that begin with").press("g")
    tab.page.get_by_label("Devices that begin with").press("r")
    expect(tab.page).to_have_url(f"{tab.visitor.origin}/devices")  # whoever types goes nowhere


def test_on_a_phone_all_pages_are_behind_more(visit: Callable[..., Tab]) -> None:
    tab = visit(width=NARROW)
    places = tab.page.get_by_role("navigation", name="Main pages").locator("a, button")
    expect(places).to_have_text(["Home", "Live", "Search", "Trust", "More"])
    assert all(box and box["height"] >= 44 for box in (each.bounding_box() for each in places.all()))
    places.last.press("Enter")
    sheet = tab.page.get_by_role("dialog", name="All pages")
    assert not tab.visitor.faults()
    sheet.get_by_role("link", name="Graph").press("Escape")
    expect(places.last).to_be_focused()
    places.last.press("Enter")
    sheet.get_by_role("link", name="Alerts").click()
    expect(tab.page).to_have_url(f"{tab.visitor.origin}/alerts")
    expect(sheet).to_have_count(0)


def test_a_new_tab_is_signed_in_and_all_sign_out_together(visit: Callable[..., Tab]) -> None:
    tab = visit()
    other = tab.page.context.new_page()
    other.goto(f"{tab.visitor.origin}/devices")
    expect(other.get_by_role("heading", name="Devices", exact=True)).to_be_visible()
    assert other.evaluate("localStorage.length") == 0
    other.get_by_role("button", name="Sign out").click()
    expect(tab.page.get_by_role("button", name="Sign in")).to_be_visible()
    assert tab.page.evaluate("sessionStorage.length") == 0


def test_a_browser_without_another_tab_asks_to_sign_in(contexts: "Callable[..., BrowserContext]", origin: str) -> None:
    first = contexts().new_page()
    first.goto(f"{origin}/devices")
    expect(first.get_by_role("button", name="Sign in")).to_be_visible()


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ({}, "Read · complete to 12:04:31"),
        ({"behind": True}, "Behind"),
        ({"behind": True, "incomplete": True}, "Lacks a record · complete to 12:04:31"),
    ],
)
def test_each_page_says_how_fresh_it_is(visit: Callable[..., Tab], told: dict[str, bool], text: str) -> None:
    tab = visit("/devices")
    badge = tab.page.get_by_role("banner").locator(".fresh")
    expect(badge).to_contain_text("Read at")
    tab.api.answers["/orders/open"] = {"orders": []} | TOLD | told
    tab.page.keyboard.press("g")
    tab.page.keyboard.press("o")
    expect(badge).to_contain_text(text)


def test_what_was_read_stays_when_it_can_not_be_read_again_and_is_tried_again(visit: Callable[..., Tab]) -> None:
    tab = visit()
    tab.page.clock.install()
    tab.visitor.open("/overview")
    flow = tab.page.get_by_role("list", name="How data flow")
    expect(flow).to_contain_text("13,505")
    tab.api.answers["/overview"] = {"title": "Service Unavailable", "status": 503, "detail": "later"}
    tab.page.get_by_role("button", name="Reload").click()
    expect(tab.page.get_by_role("alert")).to_contain_text("again in 5 s")
    expect(tab.page.get_by_text("As it was read at")).to_be_visible()
    expect(flow).to_contain_text("13,505")
    tab.api.answers["/overview"] = OVERVIEW | {"quarantined": 7}
    tab.page.clock.run_for(5_000)
    expect(tab.page.get_by_role("alert")).to_have_count(0)
    expect(tab.page.get_by_text("As it was read at")).to_have_count(0)
    tab.visitor.complaints.clear()  # the browser tells of the 503


def test_who_lacks_a_right_is_told_which_and_who_gives_it(visit: Callable[..., Tab]) -> None:
    tab = visit("/checks")
    refused = tab.page.get_by_role("alert")
    expect(refused).to_contain_text("This needs the group admin")
    expect(refused).to_contain_text(str(FORBIDDEN["detail"]))
    expect(refused).to_contain_text("make user ON=local NAME=amy GROUPS=admin")
    assert tab.page.get_by_role("button", name="Try again").count() == 0


def test_a_page_that_waits_shows_a_skeleton_and_moves_nothing_for_who_wants_no_motion(
    visit: Callable[..., Tab],
) -> None:
    tab = visit("/devices", reduced_motion="reduce")
    tab.api.answers["/orders/open"] = None
    tab.visitor.open("/records/orders")
    # The script of the page has a skeleton of its own before.
    expect(tab.page.get_by_role("heading", name="Open orders of all customers")).to_be_visible()
    skeleton = tab.page.locator(".waiting")
    style = "of => { const { animationDelay, animationDuration } = getComputedStyle(of); return "
    assert skeleton.evaluate(style + "[animationDelay, animationDuration] }") == ["0.2s", "0s"]
    expect(skeleton).to_be_visible()
    assert tab.page.evaluate("document.getAnimations().length") == 0


def test_a_list_that_can_not_be_read_again_stays_and_says_how_old_it_is(visit: Callable[..., Tab]) -> None:
    tab = visit("/quarantine", "admin")
    tab.api.answers["/quarantine"] = {"records": [RECORD], "count": 1, "cursor": None}
    tab.page.reload()
    record = tab.page.get_by_role("link", name="shard-1 7")
    expect(record).to_be_visible()
    tab.api.answers["/quarantine"] = {"title": "Service Unavailable", "status": 503, "detail": "later"}
    tab.page.get_by_role("button", name="Reload").click()
    expect(tab.page.get_by_role("alert")).to_contain_text("again in 5 s")
    expect(tab.page.get_by_text("As it was read at")).to_be_visible()
    expect(record).to_be_visible()
    tab.visitor.complaints.clear()  # the browser tells of the 503


def test_a_list_of_nothing_names_what_to_do_first(visit: Callable[..., Tab]) -> None:
    tab = visit("/records/orders")
    expect(tab.page.get_by_text("No order is open.")).to_be_visible()
    expect(tab.page.get_by_text("Place an order:")).to_be_visible()
    request = tab.page.get_by_role("main").locator("code")
    expect(request).to_contain_text(f"curl -X POST '{tab.visitor.origin}/api/customers/Customer-1/orders'")
    assert not tab.visitor.faults()


def test_the_first_request_is_one_that_a_shell_sends_whatever_an_id_says(visit: Callable[..., Tab]) -> None:
    tab = visit("/")
    customer = """it's $(touch x) "$HOME" `id` & \\"""
    spelled = quote(customer, safe="!'()*")  # as a browser does
    address = f"/customers/{spelled}/orders"
    tab.api.answers[address] = {"orders": [], "summary": None} | TOLD
    tab.visitor.open(f"/records/customers/{spelled}")
    told = tab.page.get_by_text("This customer has ordered nothing yet.").locator("..").locator("code").inner_text()
    heard = """make() { printf '<%s>' "$*"; }; curl() { printf '%s\\n' "$@"; }; """
    said = subprocess.run(["sh", "-c", heard + told], check=True, capture_output=True, text=True).stdout.splitlines()
    assert said == [
        *("-X", "POST", f"{tab.visitor.origin}/api{address}"),
        *("-H", "authorization: Bearer <-s token ON=local NAME=app>", "-H", "content-type: application/json"),
        *("-d", '{"amount":9.5}'),
    ]


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_page_is_pictured_in_each_of_its_states(visit: Callable[..., Tab], tmp_path: Path, width: int) -> None:
    tab = visit("/", "admin", width=width)
    picture_states(tab.visitor, "harbour", tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == sorted(f"room-{state}" for state in STATES)
    tab.visitor.complaints.clear()  # the browser tells of what was refused


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_what_is_said_above_a_room_leaves_its_messages_and_the_field_in_sight(
    visit: Callable[..., Tab], width: int
) -> None:
    tab = visit("/", "admin", width=width)
    tab.api.answers["/rooms/harbour"] = {"room": "harbour", "messages": 1, "users": 1, "shards": 1} | TOLD | LACKING
    tab.visitor.open("/rooms/harbour")
    expect(tab.page.get_by_text("lacks a record that nobody could read")).to_be_visible()
    bar = tab.page.locator(".phone-bar").bounding_box()  # none where it is wide
    for seen in (tab.page.get_by_text("the pilot boat is back"), tab.page.get_by_label("Message", exact=True)):
        box = seen.bounding_box()
        assert box
        assert box["y"] + box["height"] <= (bar["y"] if bar else 844)
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert not tab.visitor.faults()


def test_the_sidebar_counts_what_holds_and_what_is_set_aside(visit: Callable[..., Tab]) -> None:
    tab = visit("/devices", "admin")
    pages = tab.page.get_by_role("navigation", name="Pages", exact=True)
    expect(pages.get_by_role("link", name="Alerts 1 hold")).to_be_visible()
    expect(pages.get_by_role("link", name="Quarantine", exact=True)).to_be_visible()  # nothing is in it
    expect(tab.page.get_by_role("banner").locator(".fresh")).to_contain_text("Read at")  # of this page alone
    tab.api.answers["/quarantine"] = {"records": [RECORD], "count": 12, "cursor": None}
    tab.api.answers["/alerts"] = {"title": "Service Unavailable", "status": 503, "detail": "later"}
    tab.page.reload()
    expect(pages.get_by_role("link", name="Quarantine 9+ set aside")).to_be_visible()
    expect(pages.get_by_role("link", name="Alerts", exact=True)).to_be_visible()  # nobody knows how many
    tab.api.answers["/quarantine"] = {"records": [RECORD], "count": 1, "cursor": None}
    pages.get_by_role("link", name="Quarantine").click()
    expect(pages.get_by_role("link", name="Quarantine 1 set aside")).to_be_visible()
    assert not tab.visitor.faults()
    tab.visitor.complaints.clear()  # the browser tells of the 503


def test_whoever_may_not_read_the_quarantine_does_not_ask_for_it(visit: Callable[..., Tab]) -> None:
    tab = visit("/devices")
    expect(tab.page.get_by_role("link", name="Alerts 1 hold")).to_be_visible()
    assert "/quarantine" not in tab.api.asked


def test_what_numbers_lack_is_said_on_every_page(visit: Callable[..., Tab]) -> None:
    tab = visit("/devices", "admin")
    tab.api.answers["/orders/open"] = {"orders": []} | TOLD | {"behind": True}
    tab.visitor.open("/records/orders")
    expect(tab.page.get_by_text("Behind: numbers on this page are exact until 29 Nov 2026, 12:04:31")).to_be_visible()
    tab.api.answers["/orders/open"] = {"orders": []} | TOLD | {"incomplete": True}
    tab.page.reload()
    lacks = tab.page.get_by_text("lacks a record that nobody could read")
    expect(lacks.get_by_role("link", name="See it")).to_have_attribute("href", "/quarantine")
    assert not tab.visitor.faults()
