"""What a reading of a fleet takes: as it arrives, with the consumer as it is deployed."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from benchmarks import engine, exactness, verdicts
from benchmarks.arrivals import Arrivals
from benchmarks.meter import Spent
from benchmarks.report import Table
from benchmarks.rounds import APART, Lanes
from benchmarks.workloads import FLEET_START, Workload
from edgewise.stream import windows
from edgewise.times import HOUR, SECOND, Millis

# Measured are so many windows that end with an hour, and as many that begin the next.
WINDOWS = 2
SPAN: Millis = WINDOWS * windows.SECONDS * SECOND
HOUR_ENDS: Millis = FLEET_START + HOUR
TITLE = "A fleet as it arrives, for each reading"
COLUMNS = (
    *("fleet", "readings in a batch", "measured", "write units", "refused", "read units", "requests"),
    *("CPU µs", "readings/s", ""),
)


@dataclass(frozen=True)
class Case:
    """A fleet, and how many shards bring it.

    `days`: the items have the checkpoints of all former shards. `apart`: each shard's consumer is a process of its own.
    """

    fleet: Arrivals
    lanes: int = 1
    days: bool = False
    apart: bool = False

    @property
    def in_a_batch(self) -> float:
        """How many readings come to a shard in the second that changes wait for each other."""
        return max(1.0, self.fleet.devices / self.fleet.every / self.lanes)


# A new table has four partitions, so a stage begins with four shards; bills are made of these rows.
SHARDS = 4
AS_DEPLOYED = {
    "500 devices": Case(Arrivals(500), SHARDS, days=True),
    "5,000 devices": Case(Arrivals(5_000), SHARDS, days=True),
}
CASES = {
    **AS_DEPLOYED,
    "500 devices, one shard": Case(Arrivals(500)),
    "5,000 devices, one shard": Case(Arrivals(5_000)),
    "1,000 devices, four processes": Case(Arrivals(1_000), SHARDS, days=True, apart=True),
    "5,000 devices, 16 shards": Case(Arrivals(5_000), lanes=16, days=True),
    "5,000 devices, 64 shards": Case(Arrivals(5_000), lanes=64, days=True),
    "500 devices, one shard, 3 a site": Case(Arrivals(500, a_site=3)),
    "500 devices, one shard, 1 a site": Case(Arrivals(500, a_site=1)),
    "500 devices, one shard, every 10 s": Case(Arrivals(500, every=10)),
    "500 devices, one shard, 1 metric": Case(Arrivals(500, metrics=1)),
    "500 devices, one shard, 9 metrics": Case(Arrivals(500, metrics=9)),
    "500 devices, one shard, 5 % late": Case(Arrivals(500, late=0.05)),
    "500 devices, one shard, 5 % moving": Case(Arrivals(500, moving=0.05)),
    # Half of these moves lead to where the device is already.
    "500 devices, one shard, 5 % moving between 2 sites": Case(Arrivals(500, moving=0.1, knows=2)),
}
# What takes long: measured only if all is.
MORE = {"5,000 devices, 500 shards": Case(Arrivals(5_000), lanes=500, days=True)}


@dataclass(frozen=True)
class Result:
    """What a reading of a steady fleet takes, on average over an hour; and of how many readings that was measured."""

    readings: int
    each: Mapping[str, float]
    verdict: str


def measure(cases: Mapping[str, Case] = CASES) -> Table:
    """What the consumer spends on readings of devices that report in their own rhythm."""
    results = {name: measured(name, case) for name, case in cases.items()}
    rows = [_row(name, cases[name], result) for name, result in results.items()]
    return Table(TITLE, COLUMNS, rows, _NOTES, failed=any(each.verdict != verdicts.EXACT for each in results.values()))


def measured(name: str, case: Case) -> Result:
    """Feed a fleet to the consumer; the windows that begin an hour count by their share of it."""
    table = engine.create("".join(filter(str.isalnum, f"fleet {name}")))
    lanes = Lanes(table, windows.BATCH, case.lanes, FLEET_START, apart=case.apart)
    with lanes.running():
        known, _ = _absorb(lanes, replace(case, fleet=case.fleet.visiting), HOUR_ENDS - 3 * SPAN)
        made, _ = _absorb(lanes, case, HOUR_ENDS - 2 * SPAN)
        if case.days:
            lanes.age()
        before, within = _absorb(lanes, case, HOUR_ENDS - SPAN)
        after, closing = _absorb(lanes, case, HOUR_ENDS)
        lanes.end()
    share = SPAN / HOUR
    each = {number: (1 - share) * within[number] + share * closing[number] for number in within}
    return Result(len(before) + len(after), each, exactness.verdict(table, known, made, before, after))


def _absorb(lanes: Lanes, case: Case, start: Millis) -> tuple[Workload, Mapping[str, float]]:
    """The readings of some windows, and what one of them took."""
    earlier, arrived = lanes.meter.spent - Spent(), list[Workload]()
    for at in range(start, start + SPAN, SECOND):
        arrived.append(case.fleet.second(at))
        lanes.second(arrived[-1].items, at + SECOND)
    workload = Workload("fleet", [each for second in arrived for each in second.readings], ())
    spent = lanes.meter.spent - earlier
    return workload, {each.name: getattr(spent, each.name) / len(workload) for each in fields(spent)}


def _row(name: str, case: Case, result: Result) -> tuple[str, ...]:
    each = result.each
    return (
        name,
        f"{case.in_a_batch:,.0f}",
        f"{result.readings:,}",
        *(f"{each[number]:.3f}" for number in ("write_units", "refused", "read_units", "requests")),
        f"{each['cpu'] * 1e6:,.0f}",
        f"{1 / each['wall']:,.0f}",
        result.verdict,
    )


_NOTES = (
    "Each device reports three metrics once a minute; 20 devices are at a site, five sites in a town, five towns in a "
    f"region, all regions in one country. Each second brings a batch of each shard; windows have {windows.SECONDS} s, "
    f"and end up to {APART} s apart. Without a number of shards there are {SHARDS}, as in a new table.",
    "An average over an hour, with its end by its share. The first "
    f"{2 * SPAN // SECOND} seconds, in which the items are made, are not measured.",
    "All shards at once, 16 at a time, by threads of one process; with four processes, the CPU is that of all.",
    "late: these readings come up to an hour after their instant. moving: to any other site, nearly always for the "
    "first time, or to and fro between two sites.",
    "refused: as above. readings/s: wall time, with the engine on the same cores.",
    "exact: all aggregates, with what is open, equal a recount of the readings.",
)
