"""Consumers in processes of their own, as Lambda runs them: what they write together is decided by the engine alone."""

import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any, NamedTuple
from unittest.mock import patch

from benchmarks import engine
from benchmarks.deployment import working_on
from benchmarks.meter import Heard, Meter, Spent
from edgewise import clock
from edgewise.dynamodb.client import client
from edgewise.dynamodb.table import Table
from edgewise.times import Millis
from functions.handlers import edge_aggregator


class Answer(NamedTuple):
    """What an invocation answered, what it consumed, and the requests from whose answers its writes are read."""

    answer: dict[str, Any]
    spent: Spent
    heard: list[Heard]


class Apart:
    """One process for each lane."""

    def __init__(self, table: str, lanes: int) -> None:
        spawn = get_context("spawn")
        self._pools = [ProcessPoolExecutor(1, spawn, _deploy, (table,)) for _ in range(lanes)]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Let the processes begin, and end them."""
        with ExitStack() as stack:
            for pool in self._pools:
                stack.enter_context(pool)
            for begun in [pool.submit(_begun) for pool in self._pools]:
                begun.result()
            yield

    def answers(self, events: Mapping[int, dict[str, Any]], now: Millis) -> dict[int, Answer]:
        """Invoke these lanes at once."""
        asked: dict[int, Future[Answer]] = {
            lane: self._pools[lane].submit(_answer, event, now) for lane, event in events.items()
        }
        return {lane: each.result() for lane, each in asked.items()}


_meter = Meter()


def _deploy(name: str) -> None:
    """Let this process be a function with this table, for as long as it lives."""
    # Loggers have found their stream already: it is silenced below them.
    os.dup2(engine.SINK.fileno(), sys.stdout.fileno())
    used = Table(name, client(engine.PATIENT), statements=True)
    _meter.watch(used.client)
    working_on(name).__enter__()
    patch.object(edge_aggregator, "table", lambda: used).start()


def _begun() -> None:
    """Nothing: who has its result knows that the process is there."""


def _answer(event: dict[str, Any], now: Millis) -> Answer:
    context: Any = engine.Context()
    with patch.object(clock, "now", lambda: now), _meter.measuring():
        answer: dict[str, Any] = edge_aggregator.handler(event, context)
    return Answer(answer, *_meter.passed_on())
