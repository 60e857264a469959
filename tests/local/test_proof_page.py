"""The page that breaks what it shows, in a real browser, with answers of a stage that is broken (canned_proof.py)."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

from tests.e2e.console import expect
from tests.local.canned import FORBIDDEN, NARROW, WIDE, Tab
from tests.local.canned_proof import NUMBERS, SCRIPT, STEP_SECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Request

Visit = Callable[..., Tab]
# What of a chart is not within its place, be it the chart itself.
_CUT = """chart => {
  const { top, bottom, left, right } = chart.parentElement.getBoundingClientRect();
  const isCut = (at) => at.top < top || at.bottom > bottom || at.left < left || at.right > right;
  const all = [chart, ...chart.querySelectorAll("text, circle")];
  return all.filter((of) => isCut(of.getBoundingClientRect())).map((of) => of.tagName + " " + of.textContent);
}"""


def opened(visit: Visit, second: int = 0, **others: Any) -> Tab:
    """The page as an administrator sees it, some seconds after its watch began."""
    tab = visit("/", "admin", **others)
    tab.api.proof.second = second
    tab.page.clock.install()
    tab.visitor.open("/proof")
    tab.page.get_by_role("group", name="What to do to the consumer").wait_for()
    return tab


def look(tab: Tab, times: int = 1) -> None:
    """Let seconds pass where numbers are counted, and the answer come."""
    for _ in range(times):
        tab.api.proof.second += STEP_SECONDS
        with tab.page.expect_response("**/api/proof?*"):
            tab.page.clock.run_for(1_000)


def sent(request: "Request") -> Any:
    return request.post_data_json


def numbers(tab: Tab) -> "Locator":
    return tab.page.get_by_role("region", name="How it is counted").get_by_role("listitem")


def test_a_plain_add_drifts_while_our_numbers_equal_a_recount(visit: Visit) -> None:
    tab = opened(visit)
    expect(numbers(tab)).to_have_count(4)
    expect(numbers(tab).filter(has_text="begins")).to_have_count(4)
    assert tab.page.locator(".good").count() == 0  # nothing was compared yet
    look(tab, 14)
    expect(numbers(tab).filter(has_text="= recount")).to_have_count(4)
    place = numbers(tab).filter(has_text="US / New York")
    # Of the canned events until then: 3 + 7 + 5 records came again.
    expect(place).to_contain_text("4,316")
    expect(place).to_contain_text("15 too many")
    chart = tab.page.get_by_role("img", name="Difference from a recount in 0:")
    expect(chart).to_have_accessible_name(
        "Difference from a recount in 0:42: Edgewise 0, plain ADD 15 too many; 3 faults"
    )
    log = tab.page.get_by_role("region", name="What was done").get_by_role("listitem")
    expect(log).to_have_text(
        ["0:37killed after write 3 of 7", "0:26batch of 7 again, all of it", "0:14batch of 3 again, all of it"]
    )
    expect(tab.page.get_by_role("button", name="Deliver again")).to_contain_text("2 times done")
    assert not tab.visitor.faults()


def test_nothing_can_be_broken_before_it_is_watched(visit: Visit) -> None:
    """The log of a watch begins with it: who breaks something before would never be told what was done."""
    tab = opened(visit)  # no second passes, so this is what the first look asks for
    assert "/proof/watch" in tab.api.asked


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_what_the_chart_says_of_the_uppermost_line_is_in_sight(visit: Visit, width: int) -> None:
    tab = opened(visit, width=width)
    right = tab.api.proof.answers["/proof"]

    def at_the_top(body: Any) -> Any:
        answer = right(body)
        answer["numbers"][1]["plain"] = {"added": 4, "drift": 4}
        return answer

    tab.api.answers["/proof"] = at_the_top
    look(tab, 3)
    chart = tab.page.get_by_role("img", name="Difference from a recount in 0:")
    expect(chart.get_by_text("plain ADD +4")).to_be_visible()
    assert chart.evaluate(_CUT) == []


def test_a_key_asks_for_a_fault_once_and_the_list_of_keys_names_it(visit: Visit) -> None:
    tab = opened(visit)
    look(tab)
    for key in ("k", "S"):
        with tab.page.expect_request("**/api/proof/faults") as asked:
            tab.page.keyboard.press(key)
        assert sent(asked.value) == {"kind": {"k": "kill", "S": "slow"}[key]}
    with tab.page.expect_request("**/api/proof/watch") as watched:
        tab.page.keyboard.press("+")
        tab.page.clock.run_for(1_000)
    assert sent(watched.value)["plain"] is False
    expect(tab.page.get_by_role("switch", name="Plain ADD")).not_to_be_checked()
    expect(tab.page.get_by_text("plain ADD", exact=True)).to_have_count(0)
    tab.page.keyboard.press("?")
    keys = tab.page.get_by_role("dialog", name="Keys")
    expect(keys.get_by_text("Kill it")).to_be_visible()
    tab.page.keyboard.press("k")  # not while a dialog is open
    tab.page.keyboard.press("Escape")
    assert tab.api.asked.count("/proof/faults") == 2


def test_what_was_clicked_is_shared_as_a_link_to_a_run_of_it(visit: Visit) -> None:
    tab = opened(visit, permissions=["clipboard-read", "clipboard-write"])
    look(tab, 3)
    expect(tab.page.get_by_role("button", name="Share this run")).to_be_disabled()
    tab.page.get_by_role("button", name="Kill it").click()
    tab.page.get_by_role("button", name="Share this run").click()
    expect(tab.page.get_by_role("button", name="Link copied")).to_be_visible()
    link = tab.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(f"{tab.visitor.origin}/proof?seed=")
    assert link.endswith("&script=9k")
    tab.page.get_by_role("link", name="Replay").click()
    expect(tab.page.get_by_role("heading", level=1)).to_contain_text("simulated")


def replayed(visit: Visit, **others: Any) -> Tab:
    """The page as a link to a run opens it."""
    tab = visit("/", "admin", **others)
    tab.visitor.open(f"/proof?seed=41&script={SCRIPT}")
    tab.page.get_by_role("slider", name="Time of the run").wait_for()
    return tab


def test_a_link_shows_the_run_again_and_says_that_it_is_simulated(visit: Visit) -> None:
    tab = replayed(visit)
    assert "/proof/watch" not in tab.api.asked
    expect(tab.page.get_by_role("heading", level=1)).to_have_text("Run 41, simulated")
    expect(tab.page.get_by_text("Not the live table")).to_be_visible()
    expect(tab.page.get_by_role("main").get_by_role("status")).to_have_text("Equal:")
    expect(numbers(tab).filter(has_text="= recount")).to_have_count(4)
    chart = tab.page.get_by_role("img", name="Difference from a recount in")
    expect(chart).to_have_accessible_name(re.compile("Edgewise 0, plain ADD [0-9]+ too many; 3 faults"))
    log = tab.page.get_by_role("region", name="What was done")
    for said in ("killed after write", "again, all of it", "this release can't read", "Redriven"):
        expect(log).to_contain_text(said)
    expect(tab.page.get_by_text("each number equalled a count of them")).to_be_visible()
    assert not tab.visitor.faults()
    tab.page.get_by_role("link", name="Back to the live table").click()
    expect(tab.page.get_by_role("heading", level=1)).to_have_text("Break it while it counts")


def test_a_run_is_played_and_looked_at_by_seconds_with_keys(visit: Visit) -> None:
    tab = replayed(visit)
    time = tab.page.get_by_role("slider", name="Time of the run")
    time.press("Home")
    expect(time).to_have_attribute("aria-valuetext", "0:00")
    expect(tab.page.get_by_role("region", name="What was done")).to_contain_text("Nothing yet.")
    tab.page.get_by_role("heading", level=1).click()
    for _ in range(3):
        tab.page.keyboard.press(".")
    tab.page.keyboard.press(",")
    expect(time).to_have_attribute("aria-valuetext", "0:02")
    tab.page.keyboard.press("p")
    expect(tab.page.get_by_role("button", name="Pause")).to_be_visible()
    expect(tab.page.get_by_role("region", name="What was done")).to_contain_text("killed after write")
    tab.page.keyboard.press("p")
    expect(tab.page.get_by_role("button", name="Play")).to_be_visible()


def test_a_link_that_is_no_run_says_what_is_wrong(visit: Visit) -> None:
    tab = visit("/", "admin")
    tab.api.answers["/proof/run"] = {"title": "Bad Request", "status": 400, "detail": "script: '12z' must be a second"}
    tab.visitor.open("/proof?seed=41&script=12z")
    expect(tab.page.get_by_role("alert")).to_contain_text("'12z' must be a second")
    expect(tab.page.get_by_role("link", name="Back to the live table")).to_be_visible()
    tab.visitor.complaints.clear()  # the browser tells of the 400


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_a_run_fits(visit: Visit, width: int) -> None:
    tab = replayed(visit, width=width)
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert not tab.visitor.faults()


def test_a_poisoned_record_is_lacked_until_it_is_redriven(visit: Visit) -> None:
    tab = opened(visit, 81)
    look(tab, 3)
    state = tab.page.get_by_role("main").get_by_role("status")
    expect(state).to_have_text("Lacks a record:")
    expect(numbers(tab).filter(has_text="lacks 1")).to_have_count(1)
    tab.page.get_by_role("button", name="Redrive").click()
    look(tab, 2)
    expect(state).to_have_text("Equal:")
    expect(numbers(tab).filter(has_text="lacks")).to_have_count(0)
    expect(tab.page.get_by_role("region", name="What was done")).to_contain_text("Redriven")
    expect(tab.page.get_by_role("button", name="Redrive")).to_have_count(0)


def test_a_number_that_is_wrong_is_red_at_once(visit: Visit) -> None:
    tab = opened(visit)
    look(tab, 2)
    right = tab.api.proof.answers["/proof"]

    def wrong(body: Any) -> Any:
        answer = right(body)
        answer["numbers"][0] |= {"verdict": "wrong", "difference": 31}
        return answer

    tab.api.answers["/proof"] = wrong
    look(tab)
    expect(tab.page.get_by_role("main").get_by_role("status")).to_have_text("Wrong:")
    expect(numbers(tab).nth(0)).to_contain_text("31 too many")
    expect(numbers(tab).nth(0)).to_have_class("bad")


def test_nothing_is_watched_or_read_while_nobody_looks(visit: Visit) -> None:
    tab = opened(visit)
    look(tab)
    tab.page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    asked = len(tab.api.asked)
    tab.page.clock.run_for(60_000)
    assert len(tab.api.asked) == asked
    tab.page.evaluate("delete document.hidden")
    look(tab)
    assert tab.api.asked[asked:] == ["/proof/watch", "/proof"]


def test_what_is_watched_can_be_chosen_and_is_remembered_in_this_tab(visit: Visit) -> None:
    tab = opened(visit)
    look(tab)
    tab.page.get_by_text("4 numbers are watched: choose others").press("Enter")
    tab.page.get_by_role("checkbox", name="Customer-7").uncheck()
    with tab.page.expect_request("**/api/proof/watch") as watched:
        tab.page.clock.run_for(1_000)
    kinds = [each["kind"] for each in sent(watched.value)["numbers"]]
    assert kinds == ["DEVICE", "ROOM", "PLACE"]
    tab.page.reload()
    expect(numbers(tab)).to_have_count(3)
    assert not tab.visitor.faults()
    tab.page.get_by_role("button", name="Sign out").click()
    expect(tab.page.get_by_role("button", name="Sign in").or_(tab.page.get_by_text("gone"))).to_be_visible()
    assert tab.page.evaluate("sessionStorage.length") == 0


def test_an_answer_that_fails_leaves_the_last_one_with_its_age(visit: Visit) -> None:
    tab = opened(visit)
    look(tab, 2)
    moving = tab.api.answers["/proof"]
    tab.api.answers["/proof"] = {"title": "Service Unavailable", "status": 503, "detail": "later"}
    look(tab)
    expect(tab.page.get_by_role("alert")).to_contain_text("again in 5 s")
    expect(tab.page.get_by_text("As it was read at")).to_be_visible()
    expect(numbers(tab)).to_have_count(4)
    tab.api.answers["/proof"] = moving
    with tab.page.expect_response("**/api/proof?*"):
        tab.page.clock.run_for(5_000)
    expect(tab.page.get_by_role("alert")).to_have_count(0)
    tab.visitor.complaints.clear()  # the browser tells of the 503


def test_a_fault_that_is_refused_says_why_and_the_page_goes_on(visit: Visit) -> None:
    tab = opened(visit)
    look(tab)
    full = {"title": "Too Many Requests", "status": 429, "detail": "20 faults wait already"}
    tab.api.answers["/proof/faults"] = full
    tab.page.keyboard.press("k")
    expect(tab.page.get_by_role("alert")).to_contain_text("20 faults wait already")
    look(tab)
    tab.visitor.complaints.clear()  # the browser tells of the 429


def test_who_lacks_the_right_is_told_so(visit: Visit) -> None:
    tab = visit("/")
    tab.api.answers["/proof"] = FORBIDDEN
    tab.visitor.open("/proof")
    expect(tab.page.get_by_role("alert")).to_contain_text("This needs the group admin")
    assert tab.page.get_by_role("navigation", name="Pages").get_by_role("link", name="The proof").count() == 0
    tab.visitor.complaints.clear()  # the browser tells of the 403


def test_where_nothing_is_counted_it_says_what_to_do(visit: Visit) -> None:
    tab = visit("/", "admin")
    tab.api.answers["/recent"] = {"at": "2026-11-29T12:04:31.000Z", "looked": 0, "moved": [], "cursor": None}
    tab.visitor.open("/proof")
    expect(tab.page.get_by_text("there is nothing to break")).to_be_visible()
    expect(tab.page.get_by_text("curl -X POST")).to_be_visible()
    assert tab.api.asked.count("/proof/watch") == 0


def test_whoever_comes_second_watches_what_is_watched(visit: Visit) -> None:
    """Another watch would end that of whoever came first."""
    tab = visit("/alerts", "admin")
    kind, dimensions, cell, _ = NUMBERS[1]
    there = {"numbers": [{"kind": kind, "dimensions": dimensions, "cell": cell}], "plain": False}
    tab.api.proof.watched = there
    with tab.page.expect_request("**/api/proof/watch") as watched:
        tab.visitor.open("/proof")
    assert sent(watched.value) == there
    assert "/recent" not in tab.api.asked


def test_a_stage_without_faults_has_no_such_page(visit: Visit) -> None:
    tab = visit("/", "admin")
    parts = {"live": False, "search": True, "faults": False}
    config = {"clientId": "console", "signInUrl": tab.visitor.origin, "stage": "local", **parts}
    tab.page.route("**/config.json", lambda route: route.fulfill(json=config))
    tab.visitor.open("/proof")
    expect(tab.page.get_by_role("heading", name="There is no such page")).to_be_visible()
    assert tab.page.get_by_role("link", name="The proof").count() == 0


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_it_fits_after_minutes_of_faults(visit: Visit, width: int) -> None:
    tab = opened(visit, width=width)
    look(tab, 46)
    assert tab.page.evaluate("document.documentElement.scrollWidth") == width
    assert not tab.visitor.faults()
