"""Stores the data of an example and everything that follows from it, without a stream."""

from collections.abc import Callable

from docs.patterns.pattern import BatchGet
from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.sharding import codec
from edgewise.sharding.lists import ListSharding, ShardedList
from edgewise.stream import writer
from functions.catalog import CATALOG

# How many requests a page of a sharded list takes.
BOUND = "1 per shard, and the history"


def history(of: ShardedList) -> BatchGet:
    """The request for the history of a list."""
    return BatchGet([of.history], consistent=True)


def widened(of: ShardedList, shards: int) -> Item:
    """The history of a list that has always had this many shards.

    With one shard, it would not be stored; but DynamoDB takes a unit to find that there is no such item, and DynamoDB
    Local reports none.
    """
    return codec.list_item(of, ListSharding.starting_with(of.name, shards))


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
