"""docs/costs.md: its text is written by hand, its tables come from docs/benchmarks.md."""

from collections.abc import Iterator, Mapping, Sequence

from benchmarks import cost
from benchmarks.bill import figures
from benchmarks.bill.bill import Line, Load, bill, total
from benchmarks.report import DOCUMENT, Table, filled
from local.paths import ROOT

COSTS = ROOT / "docs" / "costs.md"
MILLION, DAYS, READINGS_A_DAY = 1_000_000, 30, 24 * 60
# Readings a day of the bills that the page shows, from devices that report once a minute.
DAILY = (MILLION, 100 * MILLION)


def tables(page: str) -> Mapping[str, Table]:
    """Its tables, by the name of their place, from the text of docs/benchmarks.md."""
    return {
        "sharing": _sharing(page),
        "month": _month(page),
    }


def write() -> None:
    """Bring the page up to date."""
    found = tables(DOCUMENT.read_text(encoding="utf-8"))
    COSTS.write_text(filled(COSTS.read_text(encoding="utf-8"), found), encoding="utf-8")


def _sharing(page: str) -> Table:
    folded = figures.rows(page, "Stream consumer")["weather, ours"]["write units"]
    fleet = [
        f"{row['write units']:.3f} at {size}" for size, row in figures.rows(page, "A fleet, for each reading").items()
    ]
    rows = [
        ("who sends", "three stations", "each reading of a batch comes from another device"),
        ("readings in a batch", "1,000", "as many as come in a second, up to 1,000"),
        ("write units a reading, beside the one that stores it", f"{folded:.3f}", ", ".join(fleet)),
    ]
    return Table("Two bills", ("", "folded", "fleet"), rows)


def _month(page: str) -> Table:
    bills = [lines for daily in DAILY for lines in _bills(page, daily)]
    names = [f"{daily // MILLION} million, {kind}" for daily in DAILY for kind in ("folded", "fleet")]
    rows = [(together[0].service, *map(_usd, together)) for together in zip(*bills, strict=True)]
    sums = ("total of what is known", *(f"{total(lines):,.2f}" for lines in bills))
    return Table("A month, by readings a day", ("USD a month, by readings a day", *names), [*rows, sums])


def _bills(page: str, daily: int) -> Iterator[Sequence[Line]]:
    """The bill if readings fold, and that of a fleet."""
    load = Load(daily * DAYS, daily // READINGS_A_DAY, cost.READINGS_A_REQUEST)
    return (bill(load, measured, cost.deployed()) for measured in cost.measured(page, load.batch))


def _usd(line: Line) -> str:
    return "not looked up" if line.usd is None else f"{line.usd:,.2f}"
