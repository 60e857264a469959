"""Stores the data of an example and everything that follows from it, without a stream."""

from collections.abc import Callable

from functions import clock
from functions.aggregates import keys
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Effect
from functions.aggregates.ids import AggregateId
from functions.catalog import CATALOG
from functions.dynamodb.attributes import Item
from functions.dynamodb.table import Table
from functions.stream import writer


def store(table: Table, *items: Item) -> None:
    """Store new items, and let the aggregates absorb them and the changes that follow."""
    table.put_many(items)
    _absorb(table, items, sequence=1)


def stored(*items: Item) -> Callable[[Table], None]:
    """Return a function that stores these items, for an example's `given`."""
    return lambda table: store(table, *items)


def _absorb(table: Table, sources: "tuple[Item, ...] | list[Item]", sequence: int) -> None:
    batch: dict[AggregateId, list[Effect]] = {}
    for item in sources:
        for aggregate_id, observations in CATALOG.contributions_of(item).items():
            sequence += 1
            batch.setdefault(aggregate_id, []).append(Effect(Checkpoint(sequence, clock.now()), observations, {}))
    if batch:
        writer.apply(table, "example", batch)
        _absorb(table, list(table.get_many([keys.of(each) for each in batch]).values()), sequence)
