"""`make cost EVENTS=… DEVICES=…`: the bill of a month of telemetry, from measured units and looked-up prices."""

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rich.console import Console

from benchmarks import fleet, ingestion
from benchmarks.bill import figures, outlook
from benchmarks.bill.bill import Deployed, Line, Load, Measured, bill, total
from benchmarks.bill.figures import MissingFigureError
from benchmarks.bill.prices import LOOKED_UP, PRICES, REGION
from benchmarks.report import DOCUMENT, Table, show
from benchmarks.workloads import weather
from delivery.sizes import item_size
from infra.functions import BUSY, FUNCTIONS
from infra.settings import InfraSettings
from ops.recounting.feed import BATCH
from ops.settings import settings_of

# Of a stage with all alarms: the metrics of these, the composite ones, its own metrics. A test compares them with the
# templates of production.
ALARMS, COMPOSITES, METRICS = 35, 2, 29
# The same of a stage with few alarms.
FEW_ALARMS, FEW_COMPOSITES = 14, 1
READINGS_A_REQUEST = 500  # of the larger requests that were measured
WIDTH = 150


class WrongLoadError(Exception):
    """A number that is missing or can't be understood."""


def load(env: Mapping[str, str]) -> Load:
    """The load that EVENTS, DEVICES, PER_REQUEST and USERS say; raises WrongLoadError that names the variable."""
    given = Load(*(_number(env, name) for name in ("EVENTS", "DEVICES", "PER_REQUEST", "USERS")))
    if given.per_request > BATCH:
        raise WrongLoadError(f"PER_REQUEST={given.per_request}: the API accepts {BATCH} readings at most")
    return given


def traces(env: Mapping[str, str]) -> str:
    """The stage's setting `traces`, as TRACES says it, or its default; raises WrongLoadError."""
    given = env.get("TRACES") or InfraSettings(stage="cost").traces
    if given not in ("few", "all"):
        raise WrongLoadError(f"TRACES={given}: expected few or all")
    return given


def measured(page: str, batch: float) -> tuple[Measured, Measured]:
    """What a reading was measured to take: of three stations, 1,000 at once; of a fleet with up to so many in a batch.

    Raises MissingFigureError.
    """
    folded = figures.rows(page, "Stream consumer")["weather, ours"]
    fleets = figures.rows(page, fleet.TITLE)
    sizes = {case.in_a_batch: fleets[name] for name, case in fleet.AS_DEPLOYED.items()}
    alone = sizes[max((size for size in sizes if size <= batch), default=min(sizes))]
    return _of(page, folded, folded["records/s"]), _of(page, alone, alone["readings/s"])


def deployed(traces: str) -> Deployed:
    """A stage with all alarms and this setting `traces`, and the memory of its functions as deployed."""
    functions = ("telemetry", "edge_aggregator")
    http, consumer = (FUNCTIONS[name].memory_mb / 1024 for name in functions)
    return Deployed(ALARMS, COMPOSITES, METRICS, http, consumer, traced=traces == "all" or BUSY.isdisjoint(functions))


def outlooks(load: Load, folded: Measured, unfolded: Measured) -> tuple[Table, ...]:
    """What follows from both bills: how they grow, the peaks that fit, what settings cost."""
    stage, production = deployed("few"), settings_of("prod", "")
    units, one_in = production.write_units, production.rehearsed or 1
    few = replace(stage, alarms=FEW_ALARMS, composites=FEW_COMPOSITES)
    both = folded, unfolded
    months = zip(*(outlook.grown(load, each, stage) for each in both), strict=True)
    peaks = [outlook.peak(load, each, stage, units) for each in both]
    shares = zip(*(outlook.settings(load, each, few, stage, one_in) for each in both), strict=True)
    sums = [total(bill(load, each, stage)) for each in both]
    return (
        Table(
            "The same load, month after month, of which nothing expires",
            ("month", "folded USD", "fleet USD", "of which stored"),
            [(str(one.month), f"{one.usd:,.2f}", f"{other.usd:,.2f}", f"{one.stored:,.2f}") for one, other in months],
        ),
        Table(
            f"Peaks: write_units = {units:,}, as in stages/prod.toml",
            ("", "folded", "fleet"),
            [
                ("write units a second, on average", *(f"{each.mean:,.1f}" for each in peaks)),
                ("peaks above so many times that throttle", *(f"{each.times:,.1f}" for each in peaks)),
            ],
        ),
        Table(
            "What settings add, or are of the bill",
            ("setting", "folded USD", "share", "fleet USD", "share"),
            [
                (
                    one[0],
                    *(cell for each, whole in zip((one, other), sums, strict=True) for cell in _share(each[1], whole)),
                )
                for one, other in shares
            ],
        ),
    )


def _share(usd: float, whole: float) -> tuple[str, str]:
    return f"{usd:,.2f}", f"{100 * usd / whole:.1f} %"


def table(load: Load, folded: Sequence[Line], unfolded: Sequence[Line]) -> Table:
    """Both bills side by side, and what they assume."""
    rows = [
        (one.service, one.price.unit, _usd(one.price.usd, one.price.per), *_cells(one), *_cells(other))
        for one, other in zip(folded, unfolded, strict=True)
    ]
    sums = ("total", "", "", "", f"{total(folded):,.2f}", "", f"{total(unfolded):,.2f}")
    columns = ("a month", "unit", "USD a unit", "folded", "USD", "fleet", "USD")
    title = f"{load.events:,} readings of {load.devices:,} devices, {load.per_request:,} a request"
    return Table(title, columns, [*rows, sums], _notes(load))


def _notes(load: Load) -> tuple[str, ...]:
    return (
        f"Prices: {REGION}, looked up on {LOOKED_UP} (benchmarks/bill/prices.py names who says so), no free tiers.",
        "Computed from docs/benchmarks.md. Nothing was measured on AWS, and nothing was billed.",
        "folded: the cheapest input, three stations whose readings come 1,000 at once and share their aggregates.",
        "fleet: each reading of a batch comes from another device, so nothing of a device folds.",
        f"Yours: {load.rate:,.1f} readings a second, evenly spread: about {load.together:,.0f} in a batch of each of "
        f"{load.shards} shards, {max(1.0, load.together / load.devices):,.1f} of the same device: {_nearer(load)}.",
        "Durations are those of this project's benchmarks: requests of one reading and of 500, and what lies between.",
        "Stored: the readings of the first month, at its end. How that grows, peaks, and what settings cost: below.",
        f"Metrics: {METRICS} and one a shard, billed for the hours in which they are counted; an idle stage counts 2.",
        f"USERS={load.users:,} sign in. A fleet's readings may all come through one user; if each device were one, "
        f"Cognito would cost {PRICES['Cognito'].of(load.devices):,.2f} more.",
        "Left out: reads by people, tokens on their way to users, other systems, retries.",
    )


def _nearer(load: Load) -> str:
    if load.together <= load.devices:
        return "take the fleet's bill"
    return "the bill lies between the two"


def _of(page: str, row: Mapping[str, float], rate: float) -> Measured:
    ingested = figures.rows(page, f"Ingestion, {READINGS_A_REQUEST} items")
    posted, alone = ingested["POST /telemetry"], ingested[ingestion.ALONE]
    units, seconds = alone["write units per item"], alone["wall ms"] / 1000
    further = READINGS_A_REQUEST - 1
    return Measured(
        request_units=units,
        further_units=(posted["write units per item"] * READINGS_A_REQUEST - units) / further,
        write_units=figures.billed(row),
        read_units=row["read units"],
        consumer_seconds=1 / rate,
        request_seconds=seconds,
        further_seconds=(posted["wall ms"] / 1000 - seconds) / further,
        item_bytes=item_size(weather().first(1).items[0]),
    )


def _cells(line: Line) -> tuple[str, str]:
    return f"{line.quantity:,.{0 if line.quantity >= 10 else 2}f}", f"{line.usd:,.2f}"


def _usd(usd: float, per: float) -> str:
    return f"{usd:g} a million" if per > 1 else f"{usd:g}"


def _number(env: Mapping[str, str], name: str) -> int:
    text = env.get(name, "").replace("_", "")
    if not text.isdecimal() or int(text) < 1:
        raise WrongLoadError(f"{name}={env.get(name, '')}: expected a whole number, 1 or more")
    return int(text)


def main() -> int:
    """Print the bill; returns the exit status."""
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH)
    try:
        month, stage = load(os.environ), deployed(traces(os.environ))
        folded, unfolded = measured(DOCUMENT.read_text(), month.batch)
    except (WrongLoadError, MissingFigureError) as error:
        console.print(str(error), style="red", markup=False)
        return 1
    for each in (
        table(month, bill(month, folded, stage), bill(month, unfolded, stage)),
        *outlooks(month, folded, unfolded),
    ):
        show(console, each)
    return 0


if __name__ == "__main__":
    sys.exit(main())
