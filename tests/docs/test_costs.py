"""What docs/costs.md says is what `make cost` computes with."""

import re
from pathlib import Path

from benchmarks import cost
from benchmarks.bill import bill, figures

DOCS = Path(__file__).parents[2] / "docs"
PAGE, BENCHMARKS = ((DOCS / name).read_text() for name in ("costs.md", "benchmarks.md"))


def test_the_units_told_are_those_measured() -> None:
    (told,) = re.findall(r"^\| write units a reading.*$", PAGE, re.MULTILINE)
    folded = figures.rows(BENCHMARKS, "Stream consumer")["weather, ours"]["write units"]
    fleet = figures.rows(BENCHMARKS, "A fleet, for each reading")
    assert re.findall(r"\d\.\d{3}", told) == [
        f"{units:.3f}" for units in (folded, *(fleet[size]["write units"] for size in ("1,000", "10", "1")))
    ]


def test_the_assumptions_told_are_those_made() -> None:
    assert f"{cost.ALARMS_A_SYSTEM} alarms and {cost.METRICS_A_SYSTEM} metrics for each system" in PAGE
    assert f"{cost.ALARMS_BESIDE} alarms and {cost.METRICS_BESIDE} metrics" in PAGE
    assert f"{bill.REQUEST_LOG_BYTES:,} bytes" in PAGE
    assert f"consumer {bill.BATCH_LOG_BYTES:,}" in PAGE
