"""From a month's readings to quantities of what AWS bills. Pure: what was measured comes in, the bill goes out."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from benchmarks.bill.prices import PRICES, Price
from edgewise.freshness.hops import HEARTBEAT
from edgewise.stream import windows
from edgewise.times import SECOND
from infra.functions import FUNCTIONS

MONTH_SECONDS = 30 * 24 * 3600
# Assumed: bytes that a request, and an invocation of the consumer, leave in logs, with Lambda's own lines and metrics.
REQUEST_LOG_BYTES, BATCH_LOG_BYTES = 1_600, 2_000
# Assumed: bytes of an answer to a request that stores readings, with its headers and those of API Gateway.
ANSWER_BYTES = 350
# Of a function's invocations X-Ray records the first of each second, and of the others this share.
TRACED = 0.05
# Lambda asks each of two idle queues for messages with five long polls of 20 s each.
POLLS = 2 * 5 * MONTH_SECONDS / 20
# Heartbeats go through all shards together. Five of the six in a minute come by the queue: sent, and received.
BEATS = MONTH_SECONDS * SECOND / HEARTBEAT
BEATS_QUEUED = BEATS * 5 / 6
# Assumed: seconds that a heartbeat takes its function, and each of the stream's readers that finds nothing else; and
# bytes in logs, of the readers only Lambda's own lines.
BEAT_SECONDS, BEATEN_SECONDS = 0.02, 0.015
BEAT_LOG_BYTES, BEATEN_LOG_BYTES = 1_000, 350
# The memory of that function, and of the second reader, in GB.
BEAT_GB, CASCADE_GB = FUNCTIONS["heartbeat"].memory_mb / 1024, FUNCTIONS["cascade"].memory_mb / 1024
# A new table has four partitions, each with a shard, and a shard brings so many records a second.
FEWEST_SHARDS, RECORDS_A_SHARD = 4, 1000
# Items of 100 bytes more than their attributes are billed.
ITEM_OVERHEAD = 100


@dataclass(frozen=True)
class Load:
    """A month's input: readings, from how many devices, and how many a request carries. All evenly spread.

    `users`: who signs in that month. `months`: how many such months are stored at its end, itself included.
    """

    events: int
    devices: int
    per_request: int
    users: int = 1
    months: int = 1

    @property
    def rate(self) -> float:
        """Readings a second."""
        return self.events / MONTH_SECONDS

    @property
    def requests(self) -> int:
        """The requests that bring the readings."""
        return math.ceil(self.events / self.per_request)

    @property
    def shards(self) -> int:
        """The shards of the table's stream."""
        return max(FEWEST_SHARDS, math.ceil(self.rate / RECORDS_A_SHARD))

    @property
    def batch(self) -> float:
        """Readings of a shard in a second."""
        return max(1.0, self.rate / self.shards)

    @property
    def together(self) -> float:
        """Readings of a shard that the consumer gets at once: those of a second, or those of a request if more."""
        return max(self.batch, min(self.per_request, self.events) / self.shards)


@dataclass(frozen=True)
class Measured:
    """What one reading was measured to take, in the consumer if not said otherwise; a GB is 10^9 bytes.

    `request_…`: to store the reading of a request that carries one; `further_…`: each further one that it carries.
    """

    request_units: float
    further_units: float
    write_units: float
    read_units: float
    consumer_seconds: float
    request_seconds: float
    further_seconds: float
    item_bytes: int


@dataclass(frozen=True)
class Deployed:
    """What a stage has, whether anybody uses it or not; memory in GB. `metrics`: beside one for each shard.

    `alarms`: the metrics of alarms, which are billed one by one; `composites`: alarms on alarms. `traced`: whether
    X-Ray records the functions that readings keep busy.
    """

    alarms: int
    composites: int
    metrics: int
    http_gb: float
    consumer_gb: float
    traced: bool


@dataclass(frozen=True)
class Line:
    """One line of the bill."""

    service: str
    quantity: float
    price: Price

    @property
    def usd(self) -> float:
        """The amount."""
        return self.price.of(self.quantity)


def bill(load: Load, measured: Measured, deployed: Deployed) -> list[Line]:
    """The lines of a month, in the order of the table of prices."""
    quantities = _quantities(load, measured, deployed)
    return [Line(service, quantities[service], price) for service, price in PRICES.items()]


def total(lines: Sequence[Line]) -> float:
    """The sum of all amounts."""
    return sum(line.usd for line in lines)


def stored_units(load: Load, measured: Measured) -> float:
    """The write units that store all readings."""
    return load.requests * measured.request_units + (load.events - load.requests) * measured.further_units


def http_seconds(load: Load, measured: Measured) -> float:
    """How long the functions of the API take for all readings."""
    return load.requests * measured.request_seconds + (load.events - load.requests) * measured.further_seconds


def _quantities(load: Load, measured: Measured, deployed: Deployed) -> Mapping[str, float]:
    requests, batches, alone = load.requests, batches_of(load), _beats_alone(load)
    gigabytes = load.months * load.events * (measured.item_bytes + ITEM_OVERHEAD) / 1e9
    beaten = BEATS * load.shards
    consumed = load.events * measured.consumer_seconds + beaten * BEATEN_SECONDS
    return {
        # A heartbeat is a write, and both readers tell how far they are. The second one reads three items before that.
        "DynamoDB writes": stored_units(load, measured) + load.events * measured.write_units + 3 * beaten,
        "DynamoDB reads": load.events * measured.read_units + BEATS + 4 * beaten,
        "DynamoDB storage": gigabytes,
        "DynamoDB recovery": gigabytes,
        "DynamoDB streams": 0,
        "Lambda requests": requests + batches + alone + beaten + BEATS,
        "Lambda duration": http_seconds(load, measured) * deployed.http_gb
        + consumed * deployed.consumer_gb
        + beaten * BEATEN_SECONDS * CASCADE_GB
        + BEATS * BEAT_SECONDS * BEAT_GB,
        "API Gateway": requests,
        "SQS": POLLS + 2 * BEATS_QUEUED,
        "CloudWatch logs": (requests * REQUEST_LOG_BYTES + batches * BATCH_LOG_BYTES) / 1e9
        + ((alone + beaten) * BEATEN_LOG_BYTES + BEATS * BEAT_LOG_BYTES) / 1e9,
        "CloudWatch metrics": deployed.metrics + load.shards,
        "CloudWatch alarms": deployed.alarms,
        "CloudWatch composite alarms": deployed.composites,
        "CloudWatch dashboards": 1,
        "X-Ray": sum(map(_traces, (requests, batches + alone, beaten, BEATS))) if deployed.traced else 0,
        "Secrets Manager": 1,
        "Cognito": load.users,
        "Data to the internet": requests * ANSWER_BYTES / 1e9,
    }


def batches_of(load: Load) -> float:
    """Invocations of the consumer, at most, but for those that only heartbeats cause.

    What a request brings to a shard is one, and the edges that come back through the stream are another. Heartbeats
    begin a window wherever none is open, and each ends with one more; what it carries comes back. But a shard has one
    batch a second, beside ends.
    """
    seconds = MONTH_SECONDS * load.shards
    return min(_brought(load), seconds) + seconds / windows.SECONDS


def _beats_alone(load: Load) -> float:
    """Invocations that only heartbeats cause, at most."""
    seconds = MONTH_SECONDS * load.shards
    return min(BEATS * load.shards, seconds - min(_brought(load), seconds))


def _brought(load: Load) -> float:
    brought = min(load.events, load.requests * load.shards)
    return 2 * brought + min(brought, MONTH_SECONDS * load.shards / windows.SECONDS)


def _traces(requests: float) -> float:
    first = min(requests, float(MONTH_SECONDS))
    return first + TRACED * (requests - first)
