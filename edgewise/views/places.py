"""Where a view is kept, and where recounts look for what it counts.

    AT#keys                 a row
    ITEM#keys#pk#sk         an entry: what one item counts in a row
    OF#measure#keys#value   an edge: what the items of a row with the same value count in it
    TOP#name#keys#value     a total that is ranked within a row

All of a row's are in the partition of its first key; if that is a period, all rows are in one.
"""

from collections.abc import Sequence

from edgewise.aggregates.key_template import KeyTemplate
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import key_text, others
from edgewise.dynamodb.keys import Key, join, prefix
from edgewise.dynamodb.queries import BeginsWith, Between, Equals, Query
from edgewise.own.values import must_fit
from edgewise.views.declared import Selection
from edgewise.views.planning import Plan
from edgewise.views.values import Text

ROW, ENTRY, EDGE, RANKED = "AT", "ITEM", "OF", "TOP"
# The partition of rows of which no key is one.
ALL = "all"
Dims = tuple[str, ...]


class Places:
    """Where one view is kept. `lower`: where the view is that it is made of."""

    def __init__(self, plan: Plan, lower: "Places | None") -> None:
        self._plan, self._lower = plan, lower
        self._name, self._table = plan.declared.full_name, plan.declared.table
        self.row = self._key(ROW)
        # What tells items apart, in the keys of entries.
        own = range(len(lower.row.forms) if lower else 2)
        self.entry = self._key(ENTRY, more=tuple(f"_{at}" for at in own))

    def edge(self, measure: str) -> KeyTemplate:
        """The keys of the edges of a measure of different values."""
        return self._key(EDGE, measure, more=("_value",))

    def ranked(self, name: str) -> KeyTemplate:
        """The keys of the totals that are ranked within rows."""
        return self._key(RANKED, name, more=("_value",))

    def dims(self, *group: str) -> Dims:
        """What a row is about, by its keys in the order of the declaration."""
        return group if self._plan.lead else (ALL, *group)

    def group(self, dims: Sequence[str]) -> dict[str, str]:
        """The inverse of `dims`, by the names of keys."""
        return dict(zip(self._plan.declared.keys, dims if self._plan.lead else dims[1:], strict=True))

    def row_of(self, dims: Dims) -> Dims:
        """The row of an entry or an edge."""
        return dims[: len(self.row.forms)]

    def fitting(self, key: KeyTemplate, dims: Dims, *more: str) -> Dims:
        """What something is about; raises ValueError if its key would be too long. `more`: its keys beside a row's."""
        must_fit(key(*dims), ", ".join((*self._plan.declared.keys, *more)))
        return dims

    @property
    def identified_by(self) -> Sequence[str]:
        """The names of what items are told apart by."""
        return [*(self._lower._plan.declared.keys if self._lower else self._table.keys)]

    def identity(self, item: Item) -> Dims:
        """What an item is called among all that the view counts."""
        if self._lower:
            return self._lower.dims(*(item[name]["S"] for name in self._lower._plan.declared.keys))
        table = self._table
        return key_text(item[table.partition]), key_text(item[table.sort]) if table.sort else ""

    def beside(self, dims: Sequence[str], *what: str) -> Query:
        """The entries, or the edges of a measure, of a row."""
        return Query(self.row(*dims).pk, BeginsWith(prefix(*what, *dims[1:])), consistent=True)

    def near(self, dims: Sequence[str]) -> Query:
        """All items in the partition that a near row is of."""
        key = self._plan.near or ""
        value = self.group(dims)[key]
        if self._lower:
            return Query(join(self._lower._name, value), BeginsWith(ROW))
        by = self._plan.declared.keys[key].field
        value = by.after + value if isinstance(by, Text) else value
        of = self._plan.declared.of
        starts = of.starts if isinstance(of, Selection) else ""
        return Query(others(value), BeginsWith(starts) if starts else None)

    def entered(self, dims: Sequence[str]) -> Query:
        """The item that an entry is of."""
        own = dims[len(self.row.forms) :]
        pk, sk = self._lower.row(*own) if self._lower else Key(others(own[0]), own[1])
        return Query(pk, Equals(sk) if self._lower or self._table.sort else None)

    def between(self, group: Sequence[str], first: str, last: str) -> Query:
        """The rows from one value to another of the key behind these."""
        partition, *before = self.dims(*group)
        low, high = (join(ROW, *before, end) for end in (first, last))
        # If further keys follow, all rows of the last value are read, too: what joins keys sorts in front of `$`, which
        # stands in no key alone (dynamodb/keys.py).
        is_last = len(group) + 1 == len(self._plan.declared.keys)
        behind = high if is_last else high + "$"
        return Query(join(self._name, partition), Between(low, behind), consistent=True)

    def groups(self, group: Sequence[str]) -> Query:
        """All rows with these first keys."""
        partition, *before = self.dims(*group)
        return Query(join(self._name, partition), BeginsWith(prefix(ROW, *before)), consistent=True)

    def _key(self, what: str, *fixed: str, more: Dims = ()) -> KeyTemplate:
        fields = (f"{{{name}}}" for name in (*self._plan.rest, *more))
        return KeyTemplate(f"{self._name}#{{{self._plan.lead or '_all'}}}", "#".join((what, *fixed, *fields)))
