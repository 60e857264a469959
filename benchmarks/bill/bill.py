"""From a month's readings to quantities of what AWS bills. Pure: what was measured comes in, the bill goes out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.bill.prices import PRICES, Price
from functions.stream import windows

MONTH_SECONDS = 30 * 24 * 3600
# Assumed: bytes that a request, and an invocation of the consumer, leave in logs, with Lambda's own lines and metrics.
REQUEST_LOG_BYTES, BATCH_LOG_BYTES = 1_600, 2_000
# Assumed: of an API's requests X-Ray records the first of each second, and of the others this share.
TRACED = 0.05
# Lambda asks an idle queue for messages with five long polls of 20 s each.
POLLS = 5 * MONTH_SECONDS / 20
# A new table has four partitions, each with a shard, and a shard brings so many records a second.
FEWEST_SHARDS, RECORDS_A_SHARD = 4, 1000
# Each window of a batch a second ends with one invocation more.
WINDOWS = 1 + 1 / windows.SECONDS
# Items of 100 bytes more than their attributes are billed.
ITEM_OVERHEAD = 100


@dataclass(frozen=True)
class Load:
    """A month's input: readings, from how many devices, and how many a request carries. All evenly spread."""

    events: int
    devices: int
    per_request: int

    @property
    def rate(self) -> float:
        """Readings a second."""
        return self.events / MONTH_SECONDS

    @property
    def shards(self) -> int:
        """The shards of the table's stream."""
        return max(FEWEST_SHARDS, math.ceil(self.rate / RECORDS_A_SHARD))

    @property
    def batch(self) -> float:
        """Readings of a shard that the consumer gets at once: those of a second."""
        return max(1.0, self.rate / self.shards)


@dataclass(frozen=True)
class Measured:
    """What one reading was measured to take, in the consumer if not said otherwise; a GB is 10^9 bytes.

    `request_seconds`: a request that carries one reading; `further_seconds`: each further one that it carries.
    """

    stored_units: float
    write_units: float
    read_units: float
    consumer_seconds: float
    request_seconds: float
    further_seconds: float
    item_bytes: int


@dataclass(frozen=True)
class Deployed:
    """What a stage has, whether anybody uses it or not; memory in GB. `metrics`: beside one for each shard."""

    alarms: int
    metrics: int
    http_gb: float
    consumer_gb: float


@dataclass(frozen=True)
class Line:
    """One line of the bill; `usd` is None where the price is not known."""

    service: str
    quantity: float | None
    price: Price

    @property
    def usd(self) -> float | None:
        """The amount; None where the price or the quantity is not known."""
        if self.price.usd is None or self.quantity is None:
            return None
        return self.quantity * self.price.usd / self.price.per


def bill(load: Load, measured: Measured, deployed: Deployed) -> list[Line]:
    """The lines of a month, in the order of the table of prices."""
    quantities = _quantities(load, measured, deployed)
    return [Line(service, quantities.get(service), price) for service, price in PRICES.items()]


def total(lines: Sequence[Line]) -> float:
    """The sum of all amounts that are known."""
    return sum(line.usd for line in lines if line.usd is not None)


def _quantities(load: Load, measured: Measured, deployed: Deployed) -> Mapping[str, float]:
    requests = math.ceil(load.events / load.per_request)
    batches = _batches(load)
    gigabytes = load.events * (measured.item_bytes + ITEM_OVERHEAD) / 1e9
    http = requests * measured.request_seconds + (load.events - requests) * measured.further_seconds
    return {
        "DynamoDB writes": load.events * (measured.stored_units + measured.write_units),
        "DynamoDB reads": load.events * measured.read_units,
        "DynamoDB storage": gigabytes,
        "DynamoDB recovery": gigabytes,
        "DynamoDB streams": 0,
        "Lambda requests": requests + batches,
        "Lambda duration": http * deployed.http_gb + load.events * measured.consumer_seconds * deployed.consumer_gb,
        "API Gateway": requests,
        "SQS": POLLS,
        "CloudWatch logs": (requests * REQUEST_LOG_BYTES + batches * BATCH_LOG_BYTES) / 1e9,
        "CloudWatch metrics": deployed.metrics + load.shards,
        "CloudWatch alarms": deployed.alarms,
        "CloudWatch dashboards": 1,
        "X-Ray": _traces(requests) + _traces(batches),
        "Secrets Manager": 1,
    }


def _batches(load: Load) -> float:
    """Invocations of the consumer: at most one a second for each shard, and at most two for each reading.

    The second is for the edges, which come back through the stream.
    """
    return min(2.0 * load.events, float(MONTH_SECONDS * load.shards)) * WINDOWS


def _traces(requests: float) -> float:
    first = min(requests, float(MONTH_SECONDS))
    return first + TRACED * (requests - first)
