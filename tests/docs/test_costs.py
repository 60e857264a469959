"""What docs/costs.md says is what `make cost` computes with."""

import re
from pathlib import Path

import pytest

from benchmarks import cost, pages
from benchmarks.bill import bill, checks, figures
from benchmarks.report import filled

DOCS = Path(__file__).parents[2] / "docs"
PAGE, BENCHMARKS = ((DOCS / name).read_text() for name in ("costs.md", "benchmarks.md"))


def test_the_tables_are_those_of_the_figures_measured() -> None:
    found = pages.tables(BENCHMARKS)
    for page in (pages.COSTS, pages.OPERATIONS):
        text = page.read_text()
        assert filled(text, found) == text, "run `make docs`"


def test_every_table_has_its_place() -> None:
    names = re.findall(r"<!-- table (\w+) -->", PAGE + pages.OPERATIONS.read_text())
    assert sorted(names) == sorted(pages.tables(BENCHMARKS))


def test_a_months_writes_are_the_measured_units_times_the_price() -> None:
    """30 and 3,000 million readings: those that are written themselves, one unit each, and their aggregates.

    Writes that are refused are billed too.
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
    expected = [readings * (1 + each) * 0.625 for readings, each in units]
    assert [float(cell.replace(",", "")) for cell in told.split("|")[2:-1]] == pytest.approx(expected, abs=0.01)


def test_the_assumptions_told_are_those_made() -> None:
    assert f"{cost.ALARMS_A_SYSTEM} alarms for each system, and beside them {cost.ALARMS_BESIDE}" in PAGE
    assert f"{cost.METRICS} metrics" in PAGE
    assert f"{bill.REQUEST_LOG_BYTES:,} bytes" in PAGE
    assert f"consumer {bill.BATCH_LOG_BYTES:,}" in PAGE


def test_the_assumptions_of_checks_are_those_made() -> None:
    told, measured = PAGE[PAGE.index("Assumed: items") :], checks.MEASURED
    cpu = measured.cpu_seconds - measured.start_cpu_seconds
    assert f"items of {measured.item_bytes} bytes" in told
    assert f"{1e6 * cpu / measured.items:.0f} µs of CPU" in told
    assert f"{measured.items:,} items, {measured.cpu_seconds:g}" in told
