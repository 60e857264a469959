"""Aggregates that many shards of the stream write: each shard writes each of them once per window."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from random import Random

from benchmarks.partitions.contention import HotItem, Steps, compare_and_set, play
from functions.stream import windows

# Records of a shard in a second.
BATCH = 1000
# CPU of the consumer per record (docs/benchmarks.md, weather): an aggregate may be written at any time of its batch.
SECONDS_A_RECORD = 0.0006
# How many windows are simulated. A shard that is behind by half of them at the end never catches up.
WINDOWS = 20
LENGTH = windows.SECONDS
# All windows end at the same time, and Lambda begins the last batches within about so many seconds.
APART = 2

# Items that share the units of one partition.
Partition = Sequence[HotItem]


@dataclass(frozen=True)
class Outcome:
    """The outcome for the aggregates.

    `asked`: units a second of the hottest partition, throttled tries included. `spent`: units a second of all items.
    `refused`: lost races per write. `throttled`: share of the tries. `lag`: the age in seconds of the oldest record
    when an aggregate absorbs it, in 95 of 100 writes; it `grows` where shards fall behind for good.
    """

    asked: float
    spent: float
    refused: float
    throttled: float
    lag: float
    grows: bool


def written(partitions: Sequence[Partition], rate: float, random: Random) -> Outcome:
    """Let the shards of each item write it for some windows.

    `rate`: records a second of a shard. In this model a waiting aggregate delays only its shard's next write to itself,
    not those to other aggregates in the batch; so true lags are longer where writes are throttled.
    """
    items = list(chain.from_iterable(partitions))
    shards = (_shard(item, rate, random) for item in items for _ in range(item.shards))
    seconds = WINDOWS * LENGTH
    play(shards, seconds)
    tries, throttled = sum(item.tries for item in items), sum(item.throttled for item in items)
    lag = percentile(chain.from_iterable(item.lags for item in items), 0.95)
    return Outcome(
        asked=max(sum(item.tries * item.units for item in partition) for partition in partitions) / seconds,
        spent=sum((item.tries - item.throttled) * item.units for item in items) / seconds,
        refused=sum(item.refused for item in items) / sum(item.written for item in items),
        throttled=throttled / tries,
        lag=lag,
        grows=lag > seconds / 2,
    )


def percentile(values: Iterable[float], share: float) -> float:
    """The value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[int(share * len(ordered))]


def _shard(item: HotItem, rate: float, random: Random) -> Steps:
    """The writes of one shard to one aggregate: one per window; a failed batch comes again at once."""
    taken = 0.0
    began = yield random.uniform(0, APART)
    while True:
        records = min(rate * began - taken, BATCH * LENGTH)
        now = yield began + random.random() * records * SECONDS_A_RECORD
        now, done = yield from compare_and_set(item, now, random)
        if done:
            item.lags.append(now - taken / rate)
            taken += records
        began = yield max(now, began + LENGTH) if done else now
