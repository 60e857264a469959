"""Holds all that a view says against a plain count: its rows, its lists, its rankings and its different values."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from edgewise.aggregates.measures import COUNT
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.table import KEYS_PER_BATCH, Table, chunks
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import Reached, Watermark
from edgewise.own.freshness import Freshness
from edgewise.testing.counting import Group, counted, different, grouped, measured, ranked
from edgewise.times import DAY, SECOND
from edgewise.views import members, reading, valuing
from edgewise.views.counts import Counts
from edgewise.views.declared import Declared
from edgewise.views.keeping import Kept
from edgewise.views.reading import Found, FoundRows
from edgewise.views.view import kept

_MINUTE = 60 * SECOND
_LATE = 100 * 365 * DAY
_SHARD = Watermark("a", 1, tuple(Reached(at, at, at, at) for at in range(_LATE, _LATE + _MINUTE, _MINUTE // 6)))
# As if heartbeats had told that everything has come: for tables that have none, once all is delivered.
TOLD = Freshness(Known(Shards(1, {"a": NO_PARENT}), {"a": _SHARD}), _LATE + _MINUTE)


def disagreements(declared: Declared, table: Table, items: Sequence[Item], fresh: Freshness) -> Iterator[str]:
    """What a view says that is not what a plain count of these items says, or is not complete; and so the view below.

    Raises ValueError for an item that nobody can read.
    """
    if declared.lower:
        yield from disagreements(declared.lower, table, items, fresh)
    yield from _Comparison(kept(declared), table, items, fresh).found()


class _Comparison:
    """One view, held against a plain count."""

    def __init__(self, of: Kept, table: Table, items: Sequence[Item], fresh: Freshness) -> None:
        self._kept, self._table, self._fresh, self._name = of, table, fresh, of.declared.name
        self._items = grouped(of.declared, items)
        self._should = counted(of.declared, items)
        self._nothing = {name: measured(made, ()) for name, made in of.declared.measures.items()}

    def found(self) -> Iterator[str]:
        """All that is wrong."""
        yield from self._rows()
        yield from self._lists()
        for group, some in self._items.items():
            yield from self._rankings(group, some)
            yield from self._values(group, some)

    def _rows(self) -> Iterator[str]:
        groups = sorted(self._should.keys() | self._stored())
        for some in chunks(list(map(self._asked, groups)), KEYS_PER_BATCH - 1):
            for row in reading.read_many(self._kept, self._table, some, self._fresh).rows:
                yield from self._row(row)

    def _row(self, row: Found) -> Iterator[str]:
        said = valuing.measured(self._kept, row.counted)
        should = self._should.get(tuple(row.keys.values()), self._nothing)
        for name, value in said.items():
            if not _agrees(value, should[name]):
                yield f"{self._of(row.keys)}.{name} is {value}, and a plain count says {should[name]}"
        if not row.complete:
            yield f"{self._of(row.keys)} is not complete"

    def _lists(self) -> Iterator[str]:
        """The groups that there are, by the first keys that a list needs."""
        names, lead = [*self._kept.declared.keys], bool(self._kept.plan.lead)
        if len(names) <= lead:
            return
        for first in sorted({group[:lead] for group in self._should}):
            asked = dict(zip(names, first, strict=False))
            found = reading.groups(self._kept, self._table, asked, self._fresh)
            yield from self._list(asked, found, sorted(group for group in self._should if group[:lead] == first))

    def _list(self, asked: Mapping[str, str], found: FoundRows, should: Sequence[Group]) -> Iterator[str]:
        groups = sorted(tuple(row.keys.values()) for row in found.rows)
        if groups != should or not found.complete:
            whole = "" if found.complete else ", and are not complete"
            yield f"the groups of {self._of(asked)} are {groups}{whole}; a plain count says {should}"

    def _rankings(self, group: Group, some: Sequence[Item]) -> Iterator[str]:
        for name, ranking in self._kept.declared.rankings.items():
            found = members.first(self._kept, self._table, name, TOP, self._asked(group), self._fresh)
            told, should = {each.member: each.number for each in found.standings}, ranked(ranking, some)
            best = sorted(should.values(), reverse=True)[:TOP]
            wrong = sorted(told.values(), reverse=True) != best or any(should.get(one) != told[one] for one in told)
            if wrong or not found.complete:
                whole = "" if found.complete else ", and is not complete"
                yield f"{self._of(self._asked(group))}.{name} is {told}{whole}; a plain count says {should}"

    def _values(self, group: Group, some: Sequence[Item]) -> Iterator[str]:
        for name, made in self._kept.declared.of_form("distinct").items():
            found = members.values(self._kept, self._table, name, self._asked(group), self._fresh)
            if found.values != (should := different(made, some)) or not found.complete:
                whole = "" if found.complete else ", and are not complete"
                of = self._of(self._asked(group))
                yield f"the values of {of}.{name} are {found.values}{whole}; a plain count says {should}"

    def _stored(self) -> set[Group]:
        """The groups of all rows that are stored and count something."""
        client: Any = self._table.client
        found, after = set[Group](), dict[str, Any]()
        while True:
            page = client.scan(TableName=self._table.name, ConsistentRead=True, **after)
            rows = (item for item in page["Items"] if self._is_row(item))
            found |= {tuple(self._group(item).values()) for item in rows}
            if "LastEvaluatedKey" not in page:
                return found
            after = {"ExclusiveStartKey": page["LastEvaluatedKey"]}

    def _is_row(self, item: Item) -> bool:
        return string(item.get("Type", {"S": ""})) == self._kept.name and COUNT in cells(item)

    def _group(self, item: Item) -> Mapping[str, str]:
        return self._kept.places.group(self._kept.places.row.parse(*key_of(item)))

    def _asked(self, group: Group) -> Mapping[str, str]:
        return dict(zip(self._kept.declared.keys, group, strict=True))

    def _of(self, keys: Mapping[str, str]) -> str:
        return f"{self._name}({', '.join(f'{name}={value!r}' for name, value in keys.items())})"


def _agrees(said: valuing.Value, should: Any) -> bool:
    """Whether a row says what a plain count does; of values that it does not count one by one, how many they are."""
    if not isinstance(said, Counts):
        return bool(said == should)
    each = {value: should[value] for value in said}
    return dict(said) == each and said.others == sum(should.values()) - sum(each.values())
