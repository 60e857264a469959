"""The path of a stranger: open the address, sign in, break it three ways, see `ADD` wrong and ours right."""

from collections.abc import Callable

from tests.e2e.conftest import Client, Settle
from tests.e2e.console import Visitor
from tests.e2e.moving import flowing

Visit = Callable[..., Visitor]
DEVICES = dict.fromkeys(("stranger-1", "stranger-2"), ("Strange",))


def test_a_stranger_makes_add_wrong_and_ours_not(visit: Visit, sensor: Client, settle: Settle) -> None:
    with flowing(sensor, DEVICES):
        visitor = visit("/")
        visitor.sign_in("admin")
        page = visitor.page
        page.get_by_role("link", name="The proof").first.click()
        page.get_by_role("heading", name="Break it while it counts").wait_for()
        for fault in ("Deliver again", "Read again", "Lose its answer"):
            page.get_by_role("button", name=fault).click()
        for seen in ("too many", "killed after", "= recount"):
            page.locator(f":text('{seen}'):visible").first.wait_for()
        assert page.get_by_text("differs from a recount").count() == 0
    sensor.post(
        "telemetry", body={"events": [{"device_id": "mine", "at": "2026-11-30T12:00:00Z", "metrics": {"x": 4}}]}
    )
    settle()
    visitor.open("/devices/mine")
    page.get_by_text("1 reading", exact=False).first.wait_for()
    assert not visitor.faults()
