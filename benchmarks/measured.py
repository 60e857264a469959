"""Measures one method: the batches of all shards go through a handler in turn, as they would arrive."""

import itertools
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchmarks import engine
from benchmarks.baselines.add import Handler
from benchmarks.meter import Meter, Spent
from benchmarks.methods import Method
from benchmarks.stream import Record, window_event
from edgewise.dynamodb.table import Table, chunks
from edgewise.stream import windows

Shards = Sequence[Sequence[Record]]


class Turn(NamedTuple):
    """One batch of a shard, and whether its window ends with it."""

    shard: str
    records: Sequence[Record]
    ends_window: bool


@dataclass(frozen=True)
class Cost:
    """What a method spent on how many records, and its peak memory in bytes per record of the first batch."""

    records: int
    spent: Spent
    memory: float


def cost(name: str, method: Method, shards: Shards, batch: int, done: Callable[[int], None]) -> tuple[Cost, Table]:
    """Handle all records into a new table, and the first batch once more into another to measure memory."""
    table, meter = method.table(name), Meter()
    meter.watch(table.client)
    with method.handler(table) as handle, engine.silenced():
        (_at_once if method.at_once else _in_turn)(handle, meter, shards, batch, done)
    return Cost(sum(map(len, shards)), meter.spent, peak_memory(f"{name}-memory", method, shards[0][:batch])), table


def _in_turn(handle: Handler, meter: Meter, shards: Shards, batch: int, done: Callable[[int], None]) -> None:
    """As deployed, with a batch each second; the last one comes together with its window's end, which saves a call."""
    states: dict[str, Any] = {}
    for turn in turns(shards, batch):
        window = {"state": states.get(turn.shard, {}), "isFinalInvokeForWindow": turn.ends_window}
        event = window_event(turn.records, turn.shard) | window
        with meter.measuring():
            answer = handle(event)
        states[turn.shard] = answer.get("state", {})
        done(len(turn.records))


def _at_once(handle: Handler, meter: Meter, shards: Shards, batch: int, done: Callable[[int], None]) -> None:
    """One invocation per shard at a time, as on Lambda: they contend for the aggregates that they share."""

    def consume(records_of: Sequence[Record], shard: str) -> None:
        for records in chunks(records_of, batch):
            handle(window_event(records, shard))
            done(len(records))

    with meter.measuring(), ThreadPoolExecutor(len(shards)) as pool:
        list(pool.map(consume, shards, map(shard_id, range(len(shards)))))


def shard_id(number: int) -> str:
    """The name of a shard."""
    return f"shardId-{number}"


def turns(shards: Shards, batch: int) -> list[Turn]:
    """The batches with their shards: the first of each, then the second of each."""
    by_shard = [_turns(shard_id(number), chunks(shard, batch)) for number, shard in enumerate(shards)]
    return [turn for each in itertools.zip_longest(*by_shard) for turn in each if turn]


def _turns(shard: str, batches: Iterable[Sequence[Record]]) -> list[Turn]:
    numbered = list(enumerate(batches, start=1))
    return [
        Turn(shard, records, number == len(numbered) or number % windows.SECONDS == 0) for number, records in numbered
    ]


def peak_memory(name: str, method: Method, records: Sequence[Record]) -> float:
    """Bytes of Python objects per record while a batch is handled, without the event."""
    with method.handler(method.table(name)) as handle:
        event = window_event(records)
        tracemalloc.start()
        with engine.silenced():
            handle(event)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return peak / len(records)
