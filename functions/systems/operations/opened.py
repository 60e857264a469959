"""Reads one aggregate with all that belongs to it: continuations, and what waits for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from edgewise import AggregateId, Table
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.items import merged
from edgewise.aggregates.open_hours.declaration import opened as waiting
from edgewise.aggregates.open_hours.declaration import opened_in


@dataclass(frozen=True)
class Opened:
    """An aggregate and its items. `waiting`: the net counts of what is open for it elsewhere, by cell."""

    items: Sequence[Aggregate]
    waiting: Mapping[str, int]

    @property
    def whole(self) -> Aggregate:
        """The aggregate with the cells of all its items."""
        return merged(self.items)


def opened(table: Table, about: AggregateId) -> Opened | None:
    """An aggregate opened up, strongly consistent; None if nothing has been stored for it yet."""
    found = Opened(readers.whole(table, about), _waiting(table, about))
    return found if found.items[0].version or found.waiting else None


def _waiting(table: Table, about: AggregateId) -> Mapping[str, int]:
    waits_in = opened_in(about)
    item = table.get(keys.of(waits_in)) if waits_in else None
    return {name: delta.count for name, delta in waiting(item, about).items()} if item else {}
