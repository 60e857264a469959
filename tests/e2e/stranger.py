"""The path of a stranger: open the address, sign in, break it three ways, see `ADD` wrong and ours right, use it."""

from collections.abc import Iterator

from edgewise import clock, rfc_3339
from ops.api import Api
from ops.processes import wait_until
from tests.e2e.console import Visitor, expect
from tests.e2e.moving import flowing

DEVICES = dict.fromkeys(("stranger-1", "stranger-2"), ("Strange",))
MINE = "mine"
FAULTS = ("Deliver again", "Read again", "Lose its answer")
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
            page.get_by_role("button", name=fault).click()
        yield BROKEN
        _see(visitor, "too many")
        yield WRONG
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


def _see(visitor: Visitor, text: str) -> None:
    visitor.page.locator(f":text('{text}'):visible").first.wait_for()


def _listed(visitor: Visitor) -> bool:
    """Whether the list of devices has the stranger's own; it is read anew each time."""
    visitor.open(f"/devices?begins_with={MINE}")
    visitor.page.wait_for_load_state("networkidle")
    return visitor.page.get_by_role("link", name=MINE, exact=True).count() > 0
