"""Writes of HTTP requests against partitions, second by second: served, throttled, retried, given up."""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple

from benchmarks.partitions.load import arrivals
from benchmarks.partitions.model import Keyspace, Point
from functions.settings import HTTP_PATIENCE_SECONDS


class Touch(NamedTuple):
    """What one write takes from one table or index: a write is served by everything that it touches, or by nothing."""

    space: Keyspace
    at: Point
    units: float


@dataclass
class Counts:
    """What became of the writes: each one offered is served, given up, or still waiting."""

    offered: int = 0
    served: int = 0
    throttled: int = 0
    retries: int = 0
    given_up: int = 0

    @property
    def refused(self) -> float:
        """The share of ended writes that were given up."""
        return self.given_up / max(1, self.given_up + self.served)

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(mine + its for mine, its in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass
class Flow:
    """Identical writes: `rate` of them a second, each with the same touches."""

    rate: float
    touches: Sequence[Touch]
    counts: Counts = field(default_factory=Counts)
    waiting: deque[tuple[int, int]] = field(default_factory=deque)  # since when, how many

    @property
    def backlog(self) -> int:
        """How many writes wait for their next try."""
        return sum(count for _, count in self.waiting)

    def serve(self, now: int, wanted: int) -> int:
        """Serve as many of the writes as all touched partitions can still take; returns how many."""
        buckets = [(touch.space.bucket(touch.at), touch.units) for touch in self.touches]
        served = min(wanted, *(int(bucket.left(now) // units) for bucket, units in buckets))
        for bucket, units in buckets:
            bucket.take(now, served * units)
        self.counts.served += served
        return served


def second(now: int, flows: Iterable[Flow], random: Random) -> None:
    """Simulate one second: new writes come first, because refused ones have to pause; flows come in random order."""
    shuffled = list(flows)
    random.shuffle(shuffled)
    refused = [(flow, _new(flow, now, random)) for flow in shuffled]
    for flow, count in refused:
        _again(flow, now)
        if count:
            flow.waiting.append((now, count))


def run(flows: Sequence[Flow], start: int, seconds: int, random: Random) -> None:
    """Simulate some seconds, one after the other."""
    for now in range(start, start + seconds):
        second(now, flows, random)


def _new(flow: Flow, now: int, random: Random) -> int:
    """Serve what arrives; returns how many writes are refused."""
    offered = arrivals(flow.rate, random)
    for touch in flow.touches:
        touch.space.ask(touch.at, touch.units * offered)
    refused = offered - flow.serve(now, offered) if offered else 0
    flow.counts.offered += offered
    flow.counts.throttled += refused
    return refused


def _again(flow: Flow, now: int) -> None:
    """Retry the refused writes, oldest first, and give up those that have waited too long."""
    left: deque[tuple[int, int]] = deque()
    for since, count in flow.waiting:
        flow.counts.retries += count
        served = flow.serve(now, count)
        if now - since >= HTTP_PATIENCE_SECONDS:
            flow.counts.given_up += count - served
        elif served < count:
            left.append((since, count - served))
    flow.waiting = left
