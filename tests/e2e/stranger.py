"""The path of a stranger: open the address, sign in, break it three ways, see `ADD` wrong and ours right, use it."""

import re
from collections.abc import Iterator

from edgewise import clock, rfc_3339
from edgewise.times import SECOND
from functions.systems.proof.entity import PATIENCE
from ops.api import Api
from ops.processes import wait_until
from tests.e2e.console import WAIT_MS, Visitor, expect
from tests.e2e.moving import flowing

DEVICES = dict.fromkeys(("stranger-1", "stranger-2"), ("Strange",))
MINE = "mine"
REPEATED, KILLED = "Deliver again", "Lose its answer"
FAULTS = (REPEATED, "Read again", KILLED)
# What a button says of its fault: that nobody has done it yet, and that somebody did.
WAITS, DONE = "waits for a delivery", re.compile(r"[1-9]\d* times done")
# So often is asked for what nothing was delivered for in time.
ASKED = 5
SIGNED_IN, BROKEN, WRONG, RIGHT, OPENED, SENT, FOUND = (
    "signed in",
    "broken three ways",
    "`ADD` is wrong",
    "ours equals a recount, after a kill",
    "the number is open",
    "a reading is sent",
    "the reading is found",
)


def steps(visitor: Visitor, sensor: Api) -> Iterator[str]:
    """Walk the path, and name each step as it has been taken; raises AssertionError if ours is ever called wrong."""
    page = visitor.page
    with flowing(sensor, DEVICES):
        visitor.sign_in("admin")
        yield SIGNED_IN
        page.get_by_role("link", name="The proof").first.click()
        page.get_by_role("heading", name="Break it while it counts").wait_for()
        for fault in FAULTS:
            _ask(visitor, fault)
        yield BROKEN
        _done(visitor, REPEATED)
        _see(visitor, "too many")
        yield WRONG
        _done(visitor, KILLED)
        for seen in ("killed after", "= recount"):
            _see(visitor, seen)
        assert page.get_by_text("differs from a recount").count() == 0
        yield RIGHT
        page.get_by_role("main").locator(".numbers a").first.click()
        page.get_by_role("heading", name="How far it has come").wait_for()
        yield OPENED
    sensor.post("telemetry", body={"events": [{"device_id": MINE, "at": rfc_3339(clock.now()), "metrics": {"x": 4}}]})
    yield SENT
    wait_until(lambda: _listed(visitor), 60, "the device of the reading")
    page.get_by_role("link", name=MINE, exact=True).click()
    expect(page.get_by_role("main")).to_contain_text("x 4")
    yield FOUND


def _ask(visitor: Visitor, fault: str) -> None:
    """Ask for a fault, and wait until its button says that it waits, or that it is done."""
    button = visitor.page.get_by_role("button", name=fault)
    button.click()
    expect(button).to_contain_text(re.compile(f"{WAITS}|{DONE.pattern}"))


def _done(visitor: Visitor, fault: str) -> None:
    """Wait until a fault that was asked for is done, however busy the machine is.

    What nothing is delivered for in time is not done any more, and its button says so: then it is asked for again.
    """
    button = visitor.page.get_by_role("button", name=fault)
    for _ in range(ASKED):
        expect(button).not_to_contain_text(WAITS, timeout=PATIENCE + WAIT_MS)
        if DONE.search(button.text_content() or ""):
            return
        _ask(visitor, fault)
    raise AssertionError(f"{fault}: nothing was delivered for it, {ASKED} times for {PATIENCE // SECOND} seconds")


def _see(visitor: Visitor, text: str) -> None:
    visitor.page.locator(f":text('{text}'):visible").first.wait_for()


def _listed(visitor: Visitor) -> bool:
    """Whether the list of devices has the stranger's own; it is read anew each time."""
    visitor.open(f"/devices?begins_with={MINE}")
    visitor.page.wait_for_load_state("networkidle")
    return visitor.page.get_by_role("link", name=MINE, exact=True).count() > 0
