"""What the application does at present, from what it measures of itself."""

from collections.abc import Iterable
from decimal import Decimal
from functools import cache, lru_cache

from aws_lambda_powertools.event_handler import Response

from edgewise import Millis, clock, rfc_3339
from edgewise.observability import logger
from edgewise.stream import incomplete
from edgewise.stream.register import register
from edgewise.times import SECOND
from functions.catalog import SERVICE
from functions.cloudwatch import MINUTE, Series, UnansweredError
from functions.errors import MetricsUnavailableError
from functions.settings import OperationsSettings
from functions.systems.checks import keys as checks_keys
from functions.systems.checks import store as checks
from functions.systems.operations import figures, prices
from functions.systems.operations.app import app
from functions.systems.operations.figures import CASCADE, CONSUMER, COUNTING, OF_SHARD, STATISTICS, Hour
from functions.systems.operations.overview_models import (
    AgeOut,
    FlowOut,
    LastCheckOut,
    OverviewOut,
    SourceOut,
    SourcesOut,
    UnitsOut,
)
from functions.web import answers, http, runtime

NOTES = 100
_ZERO = Decimal(0)


@cache
def settings() -> OperationsSettings:
    """The function's settings."""
    return OperationsSettings.from_env()


@http.route(
    app,
    "GET /overview",
    "What the application does: what flows, how fresh numbers are, what it costs",
    responses=answers.described(OverviewOut),
)
def get_overview() -> Response[str]:
    """Four reads of the table. Metrics are asked for once a minute at most, however often this is called.

    So they are while CloudWatch does not answer: a 503 says when it is asked again.
    """
    table, now = runtime.table(), clock.now()
    hour = measured_hour(now // MINUTE)
    if hour is None:
        raise MetricsUnavailableError((MINUTE - now % MINUTE) // SECOND + 1)
    units = [_units(hour, name) for name in COUNTING]
    return answers.reply(
        OverviewOut(
            at=rfc_3339(now),
            measured=hour.is_measured,
            flows=list(_flows(hour)),
            freshness=[_age(each, hour.of(CONSUMER, "Freshness", each)) for each in STATISTICS],
            shards=[_age(shard, hour.of(shard, OF_SHARD, "Maximum")) for shard in hour.shards],
            lags=[_age(name, hour.of(name, "IteratorAge", "Maximum")) for name in (CONSUMER, CASCADE)],
            quarantined=register(table).count,
            incomplete=len(incomplete.page(table, NOTES, None)[0]),
            check=_last_check(),
            units=[each for each in units if each.requests or each.cost],
            cost=sum((each.cost for each in units), _ZERO),
            sources=_sources(hour),
        )
    )


@lru_cache(maxsize=1)
def measured_hour(_minute: int) -> Hour | None:
    """What was measured, asked for once in each minute: the first to ask in a minute pays for all.

    None: CloudWatch did not answer.
    """
    readers = {CONSUMER: settings().consumer, CASCADE: settings().cascade}
    try:
        return figures.hour(settings().powertools_metrics_namespace, readers, clock.now())
    except UnansweredError:
        logger.exception("not measured")
        return None


def _flows(hour: Hour) -> Iterable[FlowOut]:
    sums = {
        "requests": [hour.of(SERVICE, "Requests")],
        "delivered": [hour.of(CONSUMER, "RecordsDelivered")],
        "written": [hour.of(CONSUMER, "AggregatesWritten")],
        "followed_up": [hour.of(CASCADE, "FollowUps")],
    }
    for name, series in sums.items():
        minutes = hour.minutes(*series)
        yield FlowOut(name=name, total=sum(minutes, _ZERO), minutes=minutes)


def _age(name: str, series: Series) -> AgeOut:
    if not series:
        return AgeOut(name=name, latest=None, at=None, greatest=None)
    at: Millis = max(series)
    return AgeOut(name=name, latest=series[at], at=rfc_3339(at), greatest=max(series.values()))


def _units(hour: Hour, name: str) -> UnitsOut:
    requests, read, write = (_total(hour.of(name, each)) for each in ("Requests", "ReadUnits", "WriteUnits"))
    cost = prices.of_units(read, write)
    return UnitsOut(function=name, requests=requests, read_units=read, write_units=write, cost=cost)


def _total(series: Series) -> Decimal:
    return sum(series.values(), _ZERO)


def _last_check() -> LastCheckOut | None:
    name = checks.last_checked(runtime.table())
    found = checks.find(runtime.table(), name) if name else None
    if found is None or found.figures is None:
        return None
    return LastCheckOut(
        run=found.name,
        instant=rfc_3339(checks_keys.instant(found.name)),
        aggregates=found.figures.counts["aggregates"],
        differences=sum(found.figures.differences.values()),
    )


def _sources(hour: Hour) -> SourcesOut:
    read = prices.of_units(Decimal(1), _ZERO)
    return SourcesOut(
        metrics=SourceOut(
            text="CloudWatch, GetMetricData and ListMetrics: what each function counts of its own work, and the age of "
            "the stream's records that Lambda tells; asked for once a minute at most",
            cost=hour.cost,
        ),
        quarantine=SourceOut(text="the register of the quarantine: one consistent read", cost=read),
        notes=SourceOut(text="the notes on aggregates: one query of GSI1", cost=read / 2),
        checks=SourceOut(
            text="the last checks of the table: one query of GSI1, and one read; a check itself costs more",
            cost=2 * read,
        ),
    )
