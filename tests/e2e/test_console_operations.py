"""What operators do in the console: see what flows, open a number up, look at the table, redrive a record."""

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from re import compile as pattern
from re import escape
from typing import TYPE_CHECKING, Any

import pytest

from edgewise.dynamodb.attributes import Item, key_item, s
from edgewise.dynamodb.keys import Key
from edgewise.stream.quarantine import find, quarantine_items
from local.drain import drain
from tests.e2e.conftest import Client, Deployment, Settle
from tests.e2e.console import Visitor, expect
from tests.e2e.screenshots import PicturedFailureError, picture

if TYPE_CHECKING:
    from playwright.sync_api import Page

Visit = Callable[..., Visitor]
# Figures change once a minute, and the page asks for them as often.
TWO_MINUTES_MS = 150_000
ROOM, USER = "operated", "olga"


def cells(page: "Page", table: str) -> list[list[str]]:
    """The cells of a table's rows, without its head."""
    region = page.get_by_role("region", name=table, exact=True)
    expect(region).to_be_visible()
    return [row.locator("th, td").all_inner_texts() for row in region.locator("tbody tr").all()]


@pytest.fixture(scope="module")
def posted(deployment: Deployment) -> None:
    messages = [{"text": "hi", "user": USER, "message_id": f"{n}", "sent_at": 1_700_000_000 + n} for n in range(3)]
    deployment.api("importer").post("rooms", ROOM, "messages", body={"messages": messages})
    drain(deployment.cloud)


def test_the_overview_shows_what_flows(visit: Visit, posted: None) -> None:
    visitor = visit("/overview")
    visitor.sign_in("guest")
    page = visitor.page
    steps = page.get_by_role("list", name="How data flow").locator("> li")
    expect(steps).to_have_count(4)
    expect(steps.nth(2)).to_contain_text(pattern(r"[1-9][\d,]* changes in the last hour"), timeout=TWO_MINUTES_MS)
    expect(steps.nth(3)).to_contain_text(pattern(r"[1-9][\d,]* aggregates written"))
    steps.nth(2).get_by_text("Source").click()
    expect(steps.nth(2)).to_contain_text("GetMetricData")
    ages = {row[0]: row[1] for row in cells(page, "Ages")}
    assert ages["Changes: the oldest"].endswith(("ms", "s", "min"))
    # The emulator tells no age of the stream's records, which is not the same as none.
    assert ages["Oldest record before the consumer"] == "not measured"
    assert "edge_aggregator" in {row[0] for row in cells(page, "Units by function")}
    assert not visitor.faults()


def test_a_page_that_shows_a_failure_is_not_pictured(visit: Visit, tmp_path: Path) -> None:
    visitor = visit("/")
    visitor.sign_in("admin")
    picture(visitor, "/records", tmp_path / "records.png")
    for address, told in (
        ("/exactness/PLACE?path=US", "It needs ?place="),
        ("/exactness/NOTHING", "There is no kind of aggregates NOTHING"),
        ("/records/invoices/nobody", "there is no invoice 'nobody'"),
        ("/nowhere", "There is no such page"),
    ):
        with pytest.raises(PicturedFailureError, match=escape(told)):
            picture(visitor, address, tmp_path / "failure.png")
    assert [path.name for path in tmp_path.iterdir()] == ["records.png"]
    # The browser tells of answers like 404 itself.
    visitor.complaints.clear()


def test_a_number_is_opened_up_and_counted_anew(visit: Visit, posted: None) -> None:
    visitor = visit("/exactness")
    visitor.sign_in("admin")
    page = visitor.page
    page.get_by_label("Kind").select_option("USER")
    page.get_by_role("textbox", name="user").fill(USER)
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("heading", name=f"USER {USER}")).to_be_visible()
    assert [row[:2] for row in cells(page, "Cells")] == [["Messages", "3"], ["Rooms", "1"]]
    assert len(cells(page, "Checkpoints")) == 1
    page.get_by_role("button", name="Count it anew").click()
    expect(page.get_by_text("Everything equals what its sources say.")).to_be_visible()
    assert cells(page, "Levels") == [["USER", "1", "0"], ["POSTED_IN", "1", "0"]]
    assert not visitor.faults()


def test_only_administrators_may_count_anew(visit: Visit, posted: None) -> None:
    visitor = visit(f"/exactness/USER?user={USER}", width=375)
    visitor.sign_in("guest")
    expect(
        visitor.page.get_by_role("heading", name="Checkpoints").or_(visitor.page.get_by_text("Made"))
    ).to_be_visible()
    assert visitor.page.get_by_role("button", name="Count it anew").count() == 0
    assert not visitor.faults()


def test_the_table_shows_a_partition_and_its_entries(visit: Visit, posted: None) -> None:
    visitor = visit("/table")
    visitor.sign_in("admin")
    page = visitor.page
    expect(page.get_by_role("region", name="Items of telemetry")).to_be_visible()
    page.get_by_label("Partition key").fill(f"USER#{USER}")
    page.get_by_role("button", name="Show").click()
    items = cells(page, f"USER#{USER}")
    assert [row[-4] for row in items] == ["EDGE#", f"EDGE#POSTED_IN#ROOM#{ROOM}"]
    expect(page.get_by_text("Read with one request")).to_be_visible()
    page.get_by_role("link", name=f"ROOM#{ROOM}").click()
    entries = cells(page, "Entries in GSI2")
    assert entries[0][:4] == [f"ROOM#{ROOM}", f"USER#{USER}", f"USER#{USER}", f"EDGE#POSTED_IN#ROOM#{ROOM}"]
    assert not visitor.faults()


READING = key_item(Key("DEVICE#operated", "EVENT#2026-11-01T00:00:00.000Z#e1")) | {"Type": s("EVENT")}
NO_METRICS: Item = {"Metrics": {"M": {}}}


def test_a_record_is_redriven_after_a_fix(visit: Visit, deployment: Deployment, admin: Client, settle: Settle) -> None:
    deployment.table.put_many([READING])
    settle()
    visitor = visit("/quarantine")
    visitor.sign_in("admin")
    page = visitor.page
    page.get_by_role("listitem").filter(has_text="Metrics").get_by_role("link").click()
    page.get_by_role("button", name="Redrive").click()
    expect(page.get_by_role("alert")).to_contain_text("Metrics")
    assert visitor.complaints == ["Failed to load resource: the server responded with a status of 409 (Conflict)"]
    visitor.complaints.clear()
    assert not visitor.faults()
    _understood(deployment, admin)
    page.get_by_role("button", name="Redrive").click()
    expect(page.get_by_text("Nothing is in quarantine.")).to_be_visible()
    assert not visitor.faults()

    # What is stored is to agree with what was counted: later tests compare the whole table.
    deployment.table.put_many([READING | NO_METRICS])
    settle()
    admin.post("quarantine", *_understood(deployment, admin), "redrive", body={})


def _understood(deployment: Deployment, admin: Client) -> tuple[str, str]:
    """As a release sees the only record that reads readings without metrics; returns its shard and its number.

    What changes with a release is the code; here the record does in its place.
    """
    (told,) = admin.get("quarantine")["records"]
    found = find(deployment.table, told["shard"], told["sequence"])
    assert found is not None
    record: Any = deepcopy(found.record)
    for image in ("OldImage", "NewImage"):
        if image in record["dynamodb"]:
            record["dynamodb"][image] |= NO_METRICS
    deployment.table.put_many(quarantine_items(told["shard"], record, told["error"]))
    return told["shard"], told["sequence"]
