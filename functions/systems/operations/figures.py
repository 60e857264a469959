"""What the functions have counted in the last hour, minute by minute."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from edgewise import Millis
from functions import cloudwatch
from functions.catalog import SERVICE
from functions.cloudwatch import MINUTE, Metric, Series
from functions.systems.operations import prices

MINUTES: Final = 60
CONSUMER, CASCADE = "edge_aggregator", "cascade"
# Who counts units: all functions of the API together, and each other function. And the statistics of the age that
# changes have when they are absorbed.
COUNTING: Final = (SERVICE, CONSUMER, CASCADE, "pusher", "socket")
STATISTICS: Final = ("p50", "p99", "Maximum")
OF_SHARD: Final = "ShardFreshness"
_UNITS: Final = ("ReadUnits", "WriteUnits")
_NOTHING: Final[Series] = {}


@dataclass(frozen=True)
class Hour:
    """The series of the last hour, by metric. `first` is its first minute; its last is not over yet.

    `shards` are those of the stream that the consumer has read lately. `cost`: what it cost to have them, in USD.
    """

    first: Millis
    series: Mapping[tuple[str, str, str], Series]
    shards: Sequence[str]
    cost: Decimal

    @property
    def is_measured(self) -> bool:
        """Whether the functions' own metrics arrive at all: those of the API count every request, this one too."""
        return bool(self.series[(SERVICE, "Requests", "Sum")])

    def of(self, name: str, metric: str, statistic: str = "Sum") -> Series:
        """One metric of a function, a reader of the stream or a shard."""
        return self.series.get((name, metric, statistic), _NOTHING)

    def minutes(self, *series: Series) -> list[Decimal]:
        """The sum of some series in each minute."""
        starts = (self.first + number * MINUTE for number in range(MINUTES + 1))
        return [sum((each.get(start, Decimal(0)) for each in series), Decimal(0)) for start in starts]


def hour(namespace: str, readers: Mapping[str, str], now: Millis) -> Hour:
    """Ask for all of it, in two requests. `readers`: the physical name of each reader of the stream.

    Raises UnansweredError.
    """
    shards = cloudwatch.dimension_values(namespace, OF_SHARD, "shard")
    wanted = {
        (SERVICE, "Requests", "Sum"): _own(namespace, SERVICE, "Requests"),
        **{(name, each, "Sum"): _own(namespace, name, each) for name in COUNTING for each in _UNITS},
        (CONSUMER, "RecordsDelivered", "Sum"): _own(namespace, CONSUMER, "RecordsDelivered"),
        (CONSUMER, "AggregatesWritten", "Sum"): _own(namespace, CONSUMER, "AggregatesWritten"),
        (CASCADE, "FollowUps", "Sum"): _own(namespace, CASCADE, "FollowUps"),
        **{(CONSUMER, "Freshness", each): _own(namespace, CONSUMER, "Freshness", each) for each in STATISTICS},
        **{(shard, OF_SHARD, "Maximum"): _of_shard(namespace, shard) for shard in shards},
        **{(name, "IteratorAge", "Maximum"): _age(physical) for name, physical in readers.items()},
    }
    first = now // MINUTE * MINUTE - MINUTES * MINUTE
    found = cloudwatch.measured(list(wanted.values()), first, now)
    cost = prices.of_metrics(len(wanted), lists=1)
    return Hour(first, dict(zip(wanted, found, strict=True)), shards, cost)


def _own(namespace: str, name: str, metric: str, statistic: str = "Sum") -> Metric:
    return Metric(namespace, metric, {"service": name}, statistic)


def _of_shard(namespace: str, shard: str) -> Metric:
    return Metric(namespace, OF_SHARD, {"service": CONSUMER, "shard": shard}, "Maximum")


def _age(function: str) -> Metric:
    return Metric("AWS/Lambda", "IteratorAge", {"FunctionName": function}, "Maximum")
