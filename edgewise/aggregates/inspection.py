"""One aggregate with all that belongs to it: its continuations, and what waits for it elsewhere."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.cells import as_text
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.items import merged
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours.declaration import opened, opened_in
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table


@dataclass(frozen=True)
class Inspected:
    """An aggregate and its items. `waiting`: the net counts of what is open for it elsewhere, by cell."""

    items: Sequence[Aggregate]
    waiting: Mapping[str, int]

    @cached_property
    def whole(self) -> Aggregate:
        """The aggregate with the cells of all its items."""
        return merged(self.items)

    @property
    def key(self) -> Key:
        """The key of its first item, which is the one that readers ask for."""
        return keys.of(self.items[0].id)

    @property
    def recounting(self) -> Set[str]:
        """The cells whose extremes are not known now."""
        return self.whole.unknown.names

    def packed(self, name: str) -> str:
        """A cell as it is stored."""
        return as_text(self.whole.cells[name], self.whole.id.bucket_start(name))


def inspect(table: Table, about: AggregateId) -> Inspected | None:
    """An aggregate as it is now, strongly consistent; None if nothing has been stored for it yet."""
    found = Inspected(readers.whole(table, about), _waiting(table, about))
    return found if found.items[0].version or found.waiting else None


def _waiting(table: Table, about: AggregateId) -> Mapping[str, int]:
    waits_in = opened_in(about)
    item = table.get(keys.of(waits_in)) if waits_in else None
    changes = opened(waits_in, item).get(about, {}) if waits_in and item else {}
    return {name: delta.count for name, delta in changes.items()}
