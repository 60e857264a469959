"""Many writers and one item: compare-and-set, lost races, throttles; in continuous time.

Writers are generators that yield the time at which they continue. Times are in seconds.
"""

import heapq
import itertools
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from random import Random

from benchmarks.partitions.model import Bucket
from functions.stream.writer import longest_pause

Steps = Generator[float, float, None]

# Assumed: single-digit milliseconds, as AWS says of DynamoDB. Other items come between a read and its write.
READ_TO_WRITE, ROUND_TRIP = 0.010, 0.005
# The SDK's standard retries, as functions.dynamodb.table sets them: random pauses of up to a second, then doubled.
TRIES, PAUSE = 4, 1.0


@dataclass
class HotItem:
    """One item, what happened to its writes, and how many shards write it.

    `units` are those of each try, even of a refused one.
    """

    bucket: Bucket
    units: float
    shards: int = 1
    version: int = 0
    written: int = 0
    refused: int = 0
    throttled: int = 0
    given_up: int = 0
    lags: list[float] = field(default_factory=list)

    def take(self, now: float) -> bool:
        """Take the units of a try, or count a throttle."""
        if self.bucket.take(now, self.units):
            return True
        self.throttled += 1
        return False

    @property
    def tries(self) -> int:
        """All requests to write."""
        return self.written + self.refused + self.throttled


def play(writers: Iterable[Steps], seconds: float) -> None:
    """Run the writers, each at its own times, until the time is over."""
    numbers = itertools.count()
    queue = [(next(writer), next(numbers), writer) for writer in writers]
    heapq.heapify(queue)
    while queue and queue[0][0] < seconds:
        now, _, writer = heapq.heappop(queue)
        try:
            heapq.heappush(queue, (max(now, writer.send(now)), next(numbers), writer))
        except StopIteration:
            continue


def compare_and_set(item: HotItem, now: float, random: Random) -> Generator[float, float, tuple[float, bool]]:
    """Read, then write if the version is still the one read; after a refusal pause, read again and write at once.

    Returns when it ended, and whether the item was written.
    """
    version, tries = item.version, 0
    now = yield now + READ_TO_WRITE
    for refusals in itertools.count():
        while not item.take(now):
            tries += 1
            if tries == TRIES:
                item.given_up += 1
                return now, False
            now = yield now + random.uniform(0, PAUSE * 2 ** (tries - 1))
        if item.version == version:
            item.version, item.written = version + 1, item.written + 1
            break
        item.refused += 1
        now = yield now + ROUND_TRIP + random.uniform(0, longest_pause(READ_TO_WRITE, refusals))
        version = item.version
        now = yield now + ROUND_TRIP
    return now, True
