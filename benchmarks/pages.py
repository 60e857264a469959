"""The pages whose text is written by hand, and whose tables come from docs/benchmarks.md."""

from collections.abc import Iterator, Mapping, Sequence

from benchmarks import catch_up, cost, fleet
from benchmarks.bill import checks, figures, outlook, paths
from benchmarks.bill.bill import Line, Load, Measured, bill, total
from benchmarks.bill.checks import Check
from benchmarks.report import DOCUMENT, Table, filled
from ops.paths import ROOT
from ops.settings import settings_of

PAGES = COSTS, OPERATIONS, OTHERS = [
    ROOT / "docs" / name for name in ("costs.md", "operations.md", "other-services.md")
]
MILLION, DAYS = 1_000_000, 30
# A device reports once a minute.
OF_A_DEVICE = 24 * 60
# Readings a day of the bills that the page shows.
DAILY = (MILLION, 100 * MILLION)
# Gigabytes of the tables that are checked.
CHECKED = (1, 100, 1000)
# Ways to count in the consumer of a stream: what the page calls each, and what the benchmarks do.
WAYS = {
    "a plain `ADD`": "`ADD` per record",
    "Powertools' idempotency": "Powertools per record",
    "a ledger": "ledger per record",
    "coalesced `ADD` with checkpoints": "coalesced `ADD` with checkpoints",
    "Edgewise": "ours",
}


def tables(page: str) -> Mapping[str, Table]:
    """The tables of all pages, by the name of their place, from the text of docs/benchmarks.md."""
    return {
        "sharing": _sharing(page),
        "month": _month(page),
        "growth": _growth(page),
        "paths": _paths(page),
        "checks": _checks(),
        "behind": _behind(page),
        "ways": _ways(page),
    }


def write() -> None:
    """Bring all pages up to date."""
    found = tables(DOCUMENT.read_text(encoding="utf-8"))
    for page in PAGES:
        page.write_text(filled(page.read_text(encoding="utf-8"), found), encoding="utf-8")


def _sharing(page: str) -> Table:
    folded = figures.billed(figures.rows(page, "Stream consumer")["weather, ours"])
    fleets = figures.rows(page, fleet.TITLE)
    units = [f"{figures.billed(fleets[name]):.3f} of {name}" for name in fleet.AS_DEPLOYED]
    rows = [
        ("who sends", "three stations", "each reading of a batch comes from another device"),
        ("readings in a batch", "1,000", "those of a shard in a second, up to 1,000"),
        ("write units a reading, refused ones too, beside the one that stores it", f"{folded:.3f}", ", ".join(units)),
    ]
    return Table("Two bills", ("", "folded", "fleet"), rows)


def _month(page: str) -> Table:
    bills = [lines for daily in DAILY for lines in _bills(page, daily)]
    rows = [(together[0].service, *(f"{line.usd:,.2f}" for line in together)) for together in zip(*bills, strict=True)]
    sums = ("total", *(f"{total(lines):,.2f}" for lines in bills))
    return Table("A month, by readings a day", ("USD a month, by readings a day", *_names()), [*rows, sums])


def _growth(page: str) -> Table:
    """What the bills of _month grow to, and how far their peaks may go beyond their means."""
    loads = [(load, each) for daily in DAILY for load, both in [_measured(page, daily)] for each in both]
    stage, units = cost.deployed(cost.traces({})), settings_of("prod", "").write_units
    grown = zip(*(outlook.grown(load, each, stage) for load, each in loads), strict=True)
    peaks = [outlook.peak(load, each, stage, units) for load, each in loads]
    rows = [(f"month {together[0].month}", *(f"{each.usd:,.2f}" for each in together)) for together in grown]
    rows += [
        ("write units a second, on average", *(f"{each.mean:,.0f}" for each in peaks)),
        ("peaks above so many times that throttle", *(f"{each.times:,.1f}" for each in peaks)),
    ]
    return Table("As it grows", ("USD a month, by readings a day", *_names()), rows)


def _checks() -> Table:
    columns = ("USD, by the size of the table", *(f"{size:,} GB" for size in CHECKED))
    return Table("Checks", columns, list(checks.rows(tuple(map(Check, CHECKED)))))


def _bills(page: str, daily: int) -> Iterator[Sequence[Line]]:
    """The bill if readings fold, and that of a fleet."""
    load, both = _measured(page, daily)
    stage = cost.deployed(cost.traces({}))
    return (bill(load, measured, stage) for measured in both)


def _measured(page: str, daily: int) -> tuple[Load, tuple[Measured, Measured]]:
    load = Load(daily * DAYS, daily // OF_A_DEVICE, cost.READINGS_A_REQUEST)
    return load, cost.measured(page, load.batch)


def _names() -> list[str]:
    return [f"{daily // MILLION} million, {kind}" for daily in DAILY for kind in ("folded", "fleet")]


def _paths(page: str) -> Table:
    measured, _ = cost.measured(page, 1)
    columns = ("USD for a million readings", *(path.name for path in paths.PATHS))
    return Table("Paths", columns, list(paths.rows(measured, cost.deployed(cost.traces({})))))


def _behind(page: str) -> Table:
    """What follows from a lane's records a second, as the benchmark says it."""
    columns = (*catch_up.COLUMNS[:1], *catch_up.COLUMNS[6:])
    return _columns(figures.lines(page, catch_up.TITLE), columns)


def _ways(page: str) -> Table:
    """Write units for each record where batches are of 1,000, and what is wrong after deliveries with faults."""
    of_batches = {
        (line["input, method"], line["batch"]): line["write units"] for line in figures.lines(page, "Side by side")
    }
    drifted = {next(iter(line.values())): line for line in figures.lines(page, "Drift")}
    inputs = ("chat", "weather", "edges")
    rows = [
        (
            name,
            *(of_batches.get((f"{of}, {way}", "1,000")) or of_batches[f"{of}, {way}", "any"] for of in inputs),
            *(drifted[way][harm] for harm in ("mild", "harsh")),
        )
        for name, way in WAYS.items()
    ]
    return Table("Ways to count", ("", *inputs, "after mild faults", "after harsh ones"), rows)


def _columns(lines: Sequence[Mapping[str, str]], names: Sequence[str]) -> Table:
    return Table("", names, [tuple(line[name] for name in names) for line in lines])
