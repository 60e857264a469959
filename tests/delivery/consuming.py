"""The stream consumer on a table of the test's own, by whatever release is running."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from delivery import Handler
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.store import aggregate_writer, codec, stream, throttling
from functions.store.attributes import Item
from functions.store.table import Table
from tests.support.memory import key_of

Consume = Callable[[Table], Handler]


@contextmanager
def consuming() -> Iterator[Consume]:
    """Gives, for a table, the consumer that works on it."""
    now: list[Table] = []

    def on(table: Table) -> Handler:
        now[:] = [table]
        handler: Handler = edge_aggregator.handler
        return handler

    with (
        patch.object(aggregate_writer, "CONNECTIONS", 1),  # writes in a known order, so that a failure repeats
        patch.object(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "shard")),
        patch.object(edge_aggregator, "table", lambda: now[0]),
        patch.object(throttling, "time", SimpleNamespace(sleep=lambda _: None)),  # pauses between rounds
    ):
        yield on


@dataclass(frozen=True)
class Release:
    """One that can't read these kinds of items; if `some`, every second of them only."""

    unreadable: frozenset[str] = frozenset()
    some: bool = False

    def reads(self, kind: str, item: Item) -> bool:
        chosen = hashlib.sha256(f"{key_of(item)}".encode()).digest()[0] % 2 == 0
        return kind not in self.unreadable or (self.some and not chosen)


READS_ALL = Release()


class Releases:
    """What the consumer reads items with: a dictionary of decoders, like the real one."""

    def __init__(self, decoders: Mapping[str, Callable[[Item], Any]]) -> None:
        self._decoders = decoders
        self.current = READS_ALL

    def __contains__(self, kind: object) -> bool:
        return kind in self._decoders

    def __getitem__(self, kind: str) -> Callable[[Item], Any]:
        return self._decode_if_readable if kind in self.current.unreadable else self._decoders[kind]

    def _decode_if_readable(self, item: Item) -> Any:
        kind = item["Type"]["S"]
        if not self.current.reads(kind, item):
            raise KeyError(kind)
        return self._decoders[kind](item)


@contextmanager
def released() -> Iterator[Releases]:
    """Lets the running release be changed."""
    releases = Releases(codec.SOURCES)
    with patch.object(stream, "SOURCES", releases):
        yield releases
