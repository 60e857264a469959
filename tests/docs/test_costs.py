"""What docs/costs.md says is what `make cost` computes with."""

import pathlib
import re

import pytest

from benchmarks import cost, pages
from benchmarks.bill import bill, checks, figures
from benchmarks.bill.paths import Path
from benchmarks.report import filled
from ops.settings import settings_of

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PAGE, BENCHMARKS = ((DOCS / name).read_text() for name in ("costs.md", "benchmarks.md"))
TEXT = " ".join(PAGE.split())


def test_the_tables_are_those_of_the_figures_measured() -> None:
    found = pages.tables(BENCHMARKS)
    for page in pages.PAGES:
        text = page.read_text()
        assert filled(text, found) == text, "run `make docs`"


def test_every_table_has_its_place() -> None:
    names = [name for page in pages.PAGES for name in re.findall(r"<!-- table (\w+) -->", page.read_text())]
    assert sorted(names) == sorted(pages.tables(BENCHMARKS))


def test_a_months_writes_are_the_measured_units_times_the_price() -> None:
    """30 and 3,000 million readings: those that are written themselves, one unit each, and their aggregates.

    Writes that are refused are billed too. So are three for each heartbeat, of which there are six a minute in four
    shards: itself, and how far both readers are.
    """
    row = figures.rows(BENCHMARKS, "Stream consumer")["weather, ours"]
    folded = row["write units"] + row["refused"]
    fleet = figures.rows(BENCHMARKS, "A fleet as it arrives, for each reading")
    (told,) = re.findall(r"^\| DynamoDB writes \|.*$", PAGE, re.MULTILINE)
    few, many = (
        fleet[f"{devices} devices"]["write units"] + fleet[f"{devices} devices"]["refused"]
        for devices in ("500", "5,000")
    )
    units = (30, folded), (30, few), (3_000, folded), (3_000, many)
    heartbeats = 3 * 4 * 6 * 60 * 24 * 30 / 1e6
    expected = [(readings * (1 + each) + heartbeats) * 0.625 for readings, each in units]
    assert [float(cell.replace(",", "")) for cell in told.split("|")[2:-1]] == pytest.approx(expected, abs=0.01)


def test_what_it_grows_to_and_which_peaks_fit() -> None:
    """A month more of 3,000 million readings is 924 GB, at 0.25 and 0.20 USD: by hand, of the rows of both tables."""
    load = bill.Load(3_000_000_000, 69_444, 500)
    fleet = cost.measured(BENCHMARKS, load.batch)[1]
    stored = 3 * (fleet.item_bytes + 100) * 0.45
    assert f"storage and recovery grow by {stored:.0f} USD a month" in TEXT
    rows = {
        name: [float(cell.replace(",", "")) for cell in cells.split("|")[:-1]]
        for name, cells in re.findall(
            r"^\| (month \d+|write units a second.*?|peaks.*?|DynamoDB writes|total) \|(.*)$", PAGE, re.MULTILINE
        )
    }
    assert rows["month 1"] == rows["total"]
    for month in (12, 36):
        more = [later - first for later, first in zip(rows[f"month {month}"], rows["month 1"], strict=True)]
        assert more == pytest.approx(
            [each * (month - 1) for each in (stored / 100, stored / 100, stored, stored)], abs=0.02
        )
    writes = rows["DynamoDB writes"][3]
    assert 9 * stored < writes < 10 * stored
    assert "from the tenth month on" in TEXT
    mean = writes / 0.625 * 1e6 / (30 * 24 * 3600)
    assert rows["write units a second, on average"][3] == round(mean)
    assert rows["peaks above so many times that throttle"][3] == round(4000 / mean, 1)
    assert f"{4000 / mean:.1f} times the mean is all that fits" in TEXT


def test_what_a_flood_costs_in_an_hour() -> None:
    """Requests of one reading at production's rate, with what they cause outside the table; and all invocations."""
    measured, _ = cost.measured(BENCHMARKS, 1)
    production = settings_of("prod", "")
    million = sum(Path(1).costs(measured, cost.deployed("few")).values())
    assert (
        f"`request_rate` bounds the requests of all callers together: {production.request_rate:,} in a second" in TEXT
    )
    assert f"are {million * production.request_rate * 3600 / 1e6:.0f} USD an hour for" in TEXT
    assert f"100 would be {million * 0.36:.2f}" in TEXT
    assert f"1,000 invocations of 1 GB at once are {1000 * 3600 * 0.0000133334:.0f} USD an hour" in TEXT


def test_production_lets_through_what_its_table_takes() -> None:
    """Each reading that comes alone takes a unit to be stored, and as many as a fleet's to be counted."""
    production = settings_of("prod", "")
    each = 1 + figures.billed(figures.rows(BENCHMARKS, "A fleet as it arrives")["5,000 devices"])
    assert production.request_rate * each == pytest.approx(production.write_units, rel=0.1)
    assert production.request_rate <= production.request_burst


def test_what_other_choices_would_cost_is_what_the_bills_say() -> None:
    totals: dict[tuple[int, int, str], float] = {}
    for events in (30_000_000, 3_000_000_000):
        for per_request, traces in ((500, "few"), (1, "few"), (500, "all")):
            load = bill.Load(events, events // 30 // 1440, per_request)
            fleet = cost.measured(BENCHMARKS, load.batch)[1]
            totals[events, per_request, traces] = bill.total(bill.bill(load, fleet, cost.deployed(traces)))
    few, many = (
        [totals[events, per, traces] - totals[events, 500, "few"] for per, traces in ((1, "few"), (500, "all"))]
        for events in (30_000_000, 3_000_000_000)
    )
    assert f"`TRACES=all` adds {few[1]:.0f} and {many[1]:.0f} USD" in TEXT
    assert f"a fleet of 1 million a day would cost {few[0]:.0f} USD a month more" in TEXT
    assert f"one of 100 million {many[0]:,.0f} USD" in TEXT


def test_the_assumptions_told_are_those_made() -> None:
    assert f"all alarms: on {cost.ALARMS} metrics, and {cost.COMPOSITES} on alarms" in PAGE
    assert f"{cost.METRICS} metrics" in PAGE
    assert f"{bill.REQUEST_LOG_BYTES:,} bytes" in PAGE
    assert f"consumer {bill.BATCH_LOG_BYTES:,}" in PAGE
    assert f"An answer has {bill.ANSWER_BYTES} bytes" in PAGE


def test_the_assumptions_of_checks_are_those_made() -> None:
    told, measured = PAGE[PAGE.index("Assumed: items") :], checks.MEASURED
    cpu = measured.cpu_seconds - measured.start_cpu_seconds
    assert f"items of {measured.item_bytes} bytes" in told
    assert f"{1e6 * cpu / measured.items:.0f} µs of CPU" in told
    assert f"{measured.items:,} items, {measured.cpu_seconds:g}" in told
