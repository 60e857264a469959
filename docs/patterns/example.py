"""Storing the data of an example together with all that follows from it, without a stream."""

from functions.domain.aggregates import AggregateId, Entry, Mark
from functions.domain.catalog import contributions
from functions.store import aggregate_writer, clock, codec, keys
from functions.store.attributes import Item, string
from functions.store.table import Table


def store(table: Table, *items: Item) -> None:
    """Store new items, let the aggregates absorb them, and what follows from those."""
    table.put_many(items)
    _absorb(table, items, sequence=1)


def _absorb(table: Table, sources: "tuple[Item, ...] | list[Item]", sequence: int) -> None:
    batch: dict[AggregateId, list[Entry]] = {}
    for item in sources:
        kind = string(item["Type"])
        if kind in codec.SOURCES:
            for aggregate_id, observations in contributions(kind, codec.SOURCES[kind](item)).items():
                sequence += 1
                batch.setdefault(aggregate_id, []).append(Entry(Mark(sequence, clock.now()), observations, {}))
    if batch:
        aggregate_writer.apply(table, "example", batch)
        _absorb(table, list(table.get_many([keys.aggregate(each) for each in batch]).values()), sequence)
