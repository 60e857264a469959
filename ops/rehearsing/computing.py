"""Computes a kept batch again, by the release at hand: without a table, without a network, at a given time."""

import os
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from edgewise import Item, Key, Millis, aws, surroundings
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb.attributes import key_of
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out
from edgewise.freshness.telling import Teller
from edgewise.stream.invocation import absorb, shard_of
from edgewise.stream.kept import KeptBatch
from functions.replay.memory import MemoryTable
from ops.rehearsing.rereading import KeptRereading

# An invocation may take as long as it wants: the one that was kept has ended in time.
ENDLESS_MS: Final = 900_000


class Computed(NamedTuple):
    """What a release makes of a batch: the items that it writes, and its answer; `error`: why it makes nothing."""

    written: dict[Key, Item | None]
    answer: dict[str, object]
    error: str = ""


class _KeptTable(MemoryTable):
    """A table that holds what a batch has read, and no more; `written` is what is written to it."""

    def __init__(self, kept: KeptBatch) -> None:
        super().__init__()
        self.statements = True
        self.items = {key: item for key, item in kept.read.items() if item is not None}
        self.written: dict[Key, Item | None] = {}

    def changed(self, before: Item | None, after: Item | None) -> None:
        """Note what was written."""
        self.written[key_of(after or before or {})] = after


class _Unhurried:
    """What an invocation is told that has all the time that there is."""

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds."""
        return ENDLESS_MS


def compute(catalog: Catalog, kept: KeptBatch, now: Millis) -> Computed:
    """What the release at hand makes of a batch whose invocation has this time from its beginning to its end."""
    table, rereading = _KeptTable(kept), KeptRereading(kept).rereading
    event = {**kept.event}
    at_once = surroundings.in_turn(lambda: now, lambda _: None, Random(0), aws.streams)
    # Nobody counts what it says of itself here.
    with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere), surroundings.replaced(at_once):
        try:
            with sorted_out():
                answer = absorb(catalog, table, Teller(), shard_of, event, _Unhurried(), rereading=rereading)
        except (PoisonError, PassingError) as error:
            return Computed(table.written, {}, str(error))
    return Computed(table.written, answer)
