"""A fleet as it is in life: each device reports about now, once a minute, so nothing of a device folds in a batch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from benchmarks import engine, exactness, verdicts
from benchmarks.meter import Spent
from benchmarks.report import Table
from benchmarks.rounds import Lanes
from benchmarks.workloads import FLEET_START, MINUTE, Fleet
from functions.settings import NOTHING_DEFERRED

# In minutes, and how long the longest window of Lambda is.
HOUR, LONGEST_WINDOW = 60, 15
# How the rows begin that tell of the same fleet by size of batch.
MIXED = "mixed,"
LATER = "DEVICE,PLACE,CONTAINS"
TITLE = "A fleet, for each reading"
COLUMNS = (
    *("fleet", "readings in a batch", "measured", "write units", "refused", "read units", "requests", "CPU µs"),
    *("readings/s", ""),
)


@dataclass(frozen=True)
class Case:
    """A fleet, and how the consumer is deployed. `days`: the items have the checkpoints of all former shards.

    `window`: for how many minutes that which is `deferred` waits.
    """

    fleet: Fleet
    batch: int = 1_000
    lanes: int = 1
    days: bool = False
    deferred: str = NOTHING_DEFERRED
    window: int = 1

    @property
    def made(self) -> int:
        """The minute in which the items are made, which is not measured."""
        return self.within[0] - 1

    @property
    def within(self) -> Sequence[int]:
        """The measured minutes before the hour ends, at least two: what a device has open has grown by then."""
        return range(HOUR - max(2, self.window), HOUR)

    @property
    def closing(self) -> Sequence[int]:
        """The measured minutes with which the next hour begins, up to the window's end."""
        return range(HOUR, HOUR + self.window)


CASES = {
    "500 devices": Case(Fleet(500)),
    "500 devices, 10 a site": Case(Fleet(500, a_site=10)),
    "5,000 devices": Case(Fleet(5_000)),
    "500 devices, 1 metric": Case(Fleet(500, metrics=1)),
    "500 devices, 9 metrics": Case(Fleet(500, metrics=9), days=True),
    "500 devices, four lanes, new": Case(Fleet(500), lanes=4),
    "500 devices, four lanes": Case(Fleet(500), lanes=4, days=True),
    "500 devices, at the window's end": Case(Fleet(500), deferred=LATER, window=LONGEST_WINDOW),
    f"{MIXED} 1,000 devices": Case(Fleet(1_000, mixed=True), days=True),
    f"{MIXED} 500 devices": Case(Fleet(500, mixed=True), batch=100, days=True),
    f"{MIXED} 100 devices": Case(Fleet(100, mixed=True), batch=10, days=True),
}


@dataclass(frozen=True)
class Result:
    """What a reading of a steady fleet takes, on average over an hour; and of how many readings that was measured."""

    readings: int
    each: Mapping[str, float]
    verdict: str


def measure(cases: Mapping[str, Case] = CASES) -> Table:
    """What the consumer spends on readings of devices that report once a minute."""
    results = {name: measured(name, case) for name, case in cases.items()}
    rows = [_row(name, cases[name], result) for name, result in results.items()]
    return Table(TITLE, COLUMNS, rows, _NOTES, failed=any(each.verdict != verdicts.EXACT for each in results.values()))


def measured(name: str, case: Case) -> Result:
    """Feed a fleet to the consumer; the minutes that begin an hour count by their share of it."""
    table = engine.create("".join(filter(str.isalnum, f"fleet {name}")))
    lanes = Lanes(table, case.batch, case.lanes, FLEET_START)
    with lanes.running(case.deferred):
        _absorb(lanes, case, [case.made])
        if case.days:
            lanes.age()
        within, closing = _absorb(lanes, case, case.within), _absorb(lanes, case, case.closing)
    share = case.window / HOUR
    each = {number: (1 - share) * within[number] + share * closing[number] for number in within}
    minutes = (case.made, *case.within, *case.closing)
    verdict = exactness.verdict(table, case.fleet.rounds(minutes))
    return Result(case.fleet.devices * (len(minutes) - 1), each, verdict)


def _absorb(lanes: Lanes, case: Case, minutes: Sequence[int]) -> Mapping[str, float]:
    """What a reading of these minutes took."""
    before = lanes.meter.spent - Spent()
    for minute in minutes:
        lanes.absorb(case.fleet.round(minute), FLEET_START + (minute + 1) * MINUTE, ends=case.window == 1)
    if case.window > 1:
        lanes.end()
    spent, readings = lanes.meter.spent - before, case.fleet.devices * len(minutes)
    return {each.name: getattr(spent, each.name) / readings for each in fields(spent)}


def _row(name: str, case: Case, result: Result) -> tuple[str, ...]:
    each, in_a_batch = result.each, min(case.batch, case.fleet.devices // case.lanes)
    return (
        name,
        f"{in_a_batch:,}",
        f"{result.readings:,}",
        *(f"{each[number]:.3f}" for number in ("write_units", "refused", "read_units", "requests")),
        f"{each['cpu'] * 1e6:,.0f}",
        f"{1 / each['wall']:,.0f}",
        result.verdict,
    )


_NOTES = (
    "Each device reports once a minute, about now, with three metrics from one of 20 devices at a site; five sites are "
    "in a town, five towns in a region, all regions in one country. Devices of a site report one after the other; "
    "mixed: in no order of place.",
    "An average over an hour: the last minutes of an hour, and by its share the minute that begins the next, with all "
    "that this causes. The minute in which the items are made is not measured.",
    "four lanes: four shards, all at once, without a pause. new: the first hours of the table. Without that, with "
    "9 metrics and where mixed, the items have the checkpoints of all shards of 36 hours.",
    f"at the window's end: DEFERRED={LATER}, in windows of {LONGEST_WINDOW} minutes, of which the last is measured in "
    "full; what waits of more than 500 KB is written before.",
    "refused: as above. readings/s: wall time, with the engine on the same cores.",
    "exact: all aggregates, with what is open, equal a recount of the readings.",
)
