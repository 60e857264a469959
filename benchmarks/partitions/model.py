"""Partitions of a table or of an index: where a key is, what a partition serves, and how it splits for heat."""

import hashlib
import math
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple


@dataclass(frozen=True)
class Limits:
    """What one partition serves.

    Documented: `write_units` a second, and `new` partitions of a new on-demand table. Unused units are kept for
    `burst_seconds`, 300 at most and not promised; 1 means no burst. Assumed: a partition is hot above the share `heat`
    of its units, and a table that has grown with its load has one partition per `grown` units a second.
    """

    write_units: float = 1000.0
    burst_seconds: float = 1.0
    new: int = 4
    heat: float = 0.9
    grown: float = 500.0

    def partitions(self, units: float) -> int:
        """How many partitions a table has after growing with this load."""
        return max(self.new, math.ceil(units / self.grown))


LIMITS = Limits()


class Bucket:
    """The units that a partition has left, full at first; unused units are kept while there is room."""

    def __init__(self, limits: Limits = LIMITS) -> None:
        self._rate, self._room = limits.write_units, limits.write_units * limits.burst_seconds
        self._left, self._at = self._room, 0.0

    def left(self, now: float) -> float:
        """How many units are left at this time."""
        self._left = min(self._room, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left

    def take(self, now: float, units: float) -> bool:
        """Take the units if enough are left."""
        if self.left(now) < units:
            return False
        self._left -= units
        return True


class Point(NamedTuple):
    """Where an item is: by the hash of its partition key, then by its sort key, both from 0 to 1."""

    hashed: float
    sort: float = 0.0


def point(partition_key: str, sort: float = 0.0) -> Point:
    """The place of an item. No split separates items of a key at one sort position (a sort key that grows)."""
    return Point(int.from_bytes(hashlib.sha256(partition_key.encode()).digest()[:8], "big") / 2**64, sort)


class Keyspace:
    """The partitions of a table, or of an index, and the units asked of each point since the last split."""

    def __init__(self, partitions: int, limits: Limits = LIMITS) -> None:
        self._limits = limits
        self._borders = [Point(number / partitions) for number in range(partitions)]
        self._buckets = [Bucket(limits) for _ in self._borders]
        self._asked: defaultdict[Point, float] = defaultdict(float)

    def bucket(self, at: Point) -> Bucket:
        """The bucket of the partition that contains the point."""
        return self._buckets[self._partition(at)]

    def ask(self, at: Point, units: float) -> None:
        """Record the demand at a point, whether it is met or not."""
        self._asked[at] += units

    def demand(self) -> list[float]:
        """The units asked of each partition."""
        asked = [0.0] * len(self._borders)
        for at, units in self._asked.items():
            asked[self._partition(at)] += units
        return asked

    def demand_at(self, at: Point) -> float:
        """The units asked of the partition that contains the point."""
        return self.demand()[self._partition(at)]

    def split_for_heat(self, seconds: float) -> int:
        """Split each recently hot partition into two of equal heat, if its keys allow; returns how many."""
        hot = [
            border
            for number, units in enumerate(self.demand())
            if units > self._limits.heat * self._limits.write_units * seconds
            and (border := self._middle(number)) is not None
        ]
        for border in hot:
            position = bisect_right(self._borders, border)
            self._borders.insert(position, border)
            self._buckets.insert(position, Bucket(self._limits))
        self._asked.clear()
        return len(hot)

    def _partition(self, at: Point) -> int:
        return bisect_right(self._borders, at) - 1

    def _middle(self, number: int) -> Point | None:
        """The point at which the upper half of a partition's heat begins; None if all of it is at one point."""
        inside = sorted((at, units) for at, units in self._asked.items() if self._partition(at) == number)
        if len(inside) < 2:
            return None
        total, below = sum(units for _, units in inside), 0.0
        splits = []
        for (_, units), (upper, _) in pairwise(inside):
            below += units
            splits.append((abs(below - total / 2), upper))
        return min(splits)[1]
