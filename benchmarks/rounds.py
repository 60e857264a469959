"""The consumer beside a fleet as it is in life: readings of now, in simulated time, by one or several lanes at once."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any
from unittest.mock import patch

import boto3

from benchmarks.apart import Apart
from benchmarks.deployment import working_on
from benchmarks.engine import PATIENT, Context, silenced
from benchmarks.meter import Meter
from benchmarks.stream import Record, RecordedStream, window_event
from edgewise import clock
from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint
from edgewise.aggregates.keys import CARRIER
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.client import client
from edgewise.dynamodb.table import Table
from edgewise.observability import metrics
from edgewise.stream import windows
from edgewise.times import HOUR, SECOND, Millis
from functions.handlers import edge_aggregator

# So many lanes at once.
AT_ONCE = 16
# A shard of the stream closes after this time, and another one follows.
SHARD_LIFETIME: Millis = 4 * HOUR
# How many seconds after the first lane the last one learns that their windows have ended.
APART = 5


class Lanes:
    """The consumer as deployed: one invocation of each lane at a time, all of them at once.

    Windows end with every `windows.SECONDS`, but no lane learns of it at once: each begins with the records of the next
    window some seconds later, up to APART.
    """

    def __init__(self, table: Table, batch: int, lanes: int, now: Millis, *, apart: bool = False) -> None:
        """`apart`: each lane is a process of its own, as on Lambda, and their CPU is counted in place of this one's."""
        self.meter = Meter()
        self._now = now
        self._table, self._batch, self._lanes = table, batch, lanes
        self._stream = RecordedStream(table, lanes)
        self._apart = Apart(table.name, lanes) if apart else None
        self._states: dict[int, Any] = {lane: {} for lane in range(lanes)}
        self._shards = [f"shardId-{now - HOUR:020}-{lane:08x}" for lane in range(lanes)]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Be deployed, in simulated time."""
        used = Table(self._table.name, client(PATIENT), statements=True)
        self.meter.watch(used.client)
        self._stream.watch(used.client)
        deployed, timed = working_on(used.name), patch.object(clock, "now", lambda: self._now)
        there = self._apart.running() if self._apart else nullcontext()
        with (
            deployed,
            patch.object(edge_aggregator, "table", lambda: used),
            timed,
            silenced(),
            there,
            self._unmeasured(),
        ):
            yield

    def _unmeasured(self) -> AbstractContextManager[Any]:
        """Threads of one process share their metrics, so nobody can write them down while others add to them."""
        if self._apart or self._lanes == 1:
            return nullcontext()
        return patch.object(metrics.provider, "flush_metrics", lambda **_: metrics.clear_metrics())

    def second(self, items: Sequence[Item], now: Millis) -> None:
        """Store what arrives in a second, and absorb one batch of each shard, in the midst of a window."""
        self._now, self._stream.at = now, now / SECOND
        second = (now // SECOND - 1) % windows.SECONDS
        self._end([lane for lane in range(self._lanes) if lane % (APART + 1) == second])
        self._stream.write(items)
        self._take([lane for lane in range(self._lanes) if lane % (APART + 1) <= second], ends=False)

    def _end(self, lanes: Sequence[int]) -> None:
        """End the windows of these lanes."""
        self._handle({lane: [] for lane in lanes}, ends=True)

    def end(self) -> None:
        """Absorb all that is left."""
        self._end(range(self._lanes))
        self._drain()

    def age(self) -> None:
        """Give every item the checkpoints of all former shards whose changes it may have absorbed."""
        scanner: Any = boto3.client("dynamodb")
        for page in scanner.get_paginator("scan").paginate(TableName=self._table.name):
            items = [self._aged(item) for item in page["Items"] if "Seqs" in item and string(item["Type"]) != CARRIER]
            self._table.put_many(items)
            self.meter.know(items)

    def _aged(self, item: Item) -> Item:
        former = {
            f"{self._now - age - HOUR:020}-{0:08x}": Checkpoint(10**27 + age, self._now - age)
            for age in range(SHARD_LIFETIME, CHECKPOINT_LIFETIME, SHARD_LIFETIME)
        }
        return item | {"Seqs": {"B": packed_checkpoints.pack(former | packed_checkpoints.unpack(item["Seqs"]["B"]))}}

    def _drain(self) -> None:
        while len(self._stream):
            self._take(range(self._lanes), ends=True)

    def _take(self, lanes: Sequence[int], *, ends: bool) -> None:
        """One batch of each of these lanes that has any; `ends`: the window ends with it."""
        batches = {lane: self._stream.take(self._batch, lane) for lane in lanes}
        self._handle({lane: records for lane, records in batches.items() if records}, ends=ends)

    def _handle(self, batches: Mapping[int, Sequence[Record]], *, ends: bool) -> None:
        """One invocation of each of these lanes."""
        events = {
            lane: window_event(records, self._shards[lane])
            | {"state": self._states[lane], "isFinalInvokeForWindow": ends}
            for lane, records in batches.items()
        }
        answers = self._by_processes(self._apart, events) if self._apart else self._by_threads(events)
        self._states |= {lane: answer["state"] for lane, answer in answers.items()}

    def _by_threads(self, events: Mapping[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
        with self.meter.measuring(), ThreadPoolExecutor(min(self._lanes, AT_ONCE)) as pool:
            return dict(zip(events, pool.map(_answer, events.values()), strict=True))

    def _by_processes(self, apart: Apart, events: Mapping[int, dict[str, Any]]) -> dict[int, dict[str, Any]]:
        answers = apart.answers(events, self._now)
        for each in answers.values():
            self.meter.count(each.spent, each.heard)
            for _, params, parsed in each.heard:
                self._stream.hear(params, parsed)
        return {lane: each.answer for lane, each in answers.items()}


def _answer(event: dict[str, Any]) -> dict[str, Any]:
    context: Any = Context()
    answer: dict[str, Any] = edge_aggregator.handler(event, context)
    return answer
