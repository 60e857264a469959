"""Reads one aggregate with all that belongs to it: continuations, partial aggregates, what waits for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from functions.aggregates import continued, keys
from functions.aggregates.aggregate import Aggregate
from functions.aggregates.continuations import merged
from functions.aggregates.ids import AggregateId
from functions.aggregates.stored import aggregate
from functions.dynamodb.table import Table
from functions.stream.register import register


@dataclass(frozen=True)
class Opened:
    """An aggregate and its items. `waiting`: the net counts of what is open for it elsewhere, by cell."""

    items: Sequence[Aggregate]
    partials: Sequence[Aggregate]
    waiting: Mapping[str, int]

    @property
    def whole(self) -> Aggregate:
        """The aggregate with the cells of all its items."""
        return merged(self.items)


def opened(table: Table, about: AggregateId) -> Opened | None:
    """An aggregate opened up, strongly consistent; None if nothing has been stored for it yet."""
    found = Opened(continued.whole(table, about), _partials(table, about), _waiting(table, about))
    return found if found.items[0].version or found.partials or found.waiting else None


def _partials(table: Table, about: AggregateId) -> Sequence[Aggregate]:
    if not about.kind.shared:
        return ()
    found = continued.read(table, about.partials(register(table).partials.most))
    return [aggregate(part, item) for part, item in found.items()]


def _waiting(table: Table, about: AggregateId) -> Mapping[str, int]:
    opened_in = about.kind.opened_in
    item = table.get(keys.of(opened_in(*about.dimensions))) if opened_in else None
    if item is None:
        return {}
    return {name: delta.count for name, delta in about.kind.opened(item, about).items()}
