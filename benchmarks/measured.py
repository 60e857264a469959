"""One way measured: the batches of all shards through a handler, in turn, as they would come."""

import itertools
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks import engine
from benchmarks.baselines.add import Handler
from benchmarks.meter import Meter, Spent
from benchmarks.stream import Record, window_event
from benchmarks.ways import Way
from functions.dynamodb.table import Table, chunks
from infra.edge_stream import BATCHES_PER_WINDOW

Lanes = Sequence[Sequence[Record]]


class Turn(NamedTuple):
    """One batch of a shard, and whether its window ends with it."""

    shard: str
    records: Sequence[Record]
    ends_window: bool


@dataclass(frozen=True)
class Cost:
    """What a way spent for how many records, and the peak of its memory in bytes a record of the first batch."""

    records: int
    spent: Spent
    memory: float


def cost(name: str, way: Way, lanes: Lanes, batch: int, done: Callable[[int], None]) -> tuple[Cost, Table]:
    """Handle all records, into a new table, and the first batch once more for its memory, into another."""
    table, meter = way.table(name), Meter()
    meter.watch(table.client)
    with way.handler(table) as handle, engine.silenced():
        (_at_once if way.at_once else _in_turn)(handle, meter, lanes, batch, done)
    return Cost(sum(map(len, lanes)), meter.spent, peak_memory(f"{name}-memory", way, lanes[0][:batch])), table


def _in_turn(handle: Handler, meter: Meter, lanes: Lanes, batch: int, done: Callable[[int], None]) -> None:
    """Windows have ten batches, as deployed; the last one comes with the window's end, which saves a call."""
    states: dict[str, Any] = {}
    for turn in turns(lanes, batch):
        window = {"state": states.get(turn.shard, {}), "isFinalInvokeForWindow": turn.ends_window}
        event = window_event(turn.records, turn.shard) | window
        with meter.measuring():
            answer = handle(event)
        states[turn.shard] = answer.get("state", {})
        done(len(turn.records))


def _at_once(handle: Handler, meter: Meter, lanes: Lanes, batch: int, done: Callable[[int], None]) -> None:
    """One invocation for each shard at any time, as on Lambda: they meet at what they share."""

    def consume(lane: Sequence[Record], shard: str) -> None:
        for records in chunks(lane, batch):
            handle(window_event(records, shard))
            done(len(records))

    with meter.measuring(), ThreadPoolExecutor(len(lanes)) as pool:
        list(pool.map(consume, lanes, map(shard_id, range(len(lanes)))))


def shard_id(lane: int) -> str:
    """What the shard of a lane is called."""
    return f"shardId-{lane}"


def turns(lanes: Lanes, batch: int) -> list[Turn]:
    """The batches with their shards: the first of each, then the second of each."""
    by_lane = [_turns(shard_id(number), chunks(lane, batch)) for number, lane in enumerate(lanes)]
    return [turn for each in itertools.zip_longest(*by_lane) for turn in each if turn]


def _turns(shard: str, batches: Iterable[Sequence[Record]]) -> list[Turn]:
    numbered = list(enumerate(batches, start=1))
    return [
        Turn(shard, records, number == len(numbered) or number % BATCHES_PER_WINDOW == 0)
        for number, records in numbered
    ]


def peak_memory(name: str, way: Way, records: Sequence[Record]) -> float:
    """Bytes of Python's objects for each record while a batch is handled, without the event."""
    with way.handler(way.table(name)) as handle:
        event = window_event(records)
        tracemalloc.start()
        with engine.silenced():
            handle(event)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak / len(records)
