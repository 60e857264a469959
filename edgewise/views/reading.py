"""Reads the rows of views, and tells whether they are complete."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from edgewise.aggregates import doubts, keys
from edgewise.aggregates.doubts import Told
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import COUNT
from edgewise.aggregates.recounts.attributes import unknown
from edgewise.aggregates.stored import cells, has_lost_too_much, is_lacking
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import KEYS_PER_BATCH, Table
from edgewise.own.fills import Fill
from edgewise.own.freshness import Freshness, as_of, is_all_in
from edgewise.own.looking import at_one_moment
from edgewise.views.cells import LOST
from edgewise.views.filled import check_arrived, fill_of, told_by
from edgewise.views.keeping import Kept
from edgewise.views.valuing import Counted

# The end of what all rows of a view have in common: whether they may be complete, and until when they are.
Common = tuple[bool, datetime | None]


class Found(NamedTuple):
    """A row: its keys, and what it counts."""

    keys: Mapping[str, str]
    counted: Counted
    complete: bool
    as_of: datetime | None


class FoundRows(NamedTuple):
    """Some rows. `asked`: the keys that all of them have in common, because they were asked for so."""

    rows: Sequence[Found]
    asked: Mapping[str, str]
    complete: bool
    as_of: datetime | None


def read_many(kept: Kept, table: Table, asked: Sequence[Mapping[str, str]], fresh: Freshness | None) -> FoundRows:
    """Rows in the order in which they are asked for, each once; also those that count nothing."""
    groups = list(dict.fromkeys(tuple(group_of(kept, told)) for told in asked))
    if len(groups) > KEYS_PER_BATCH:
        raise ValueError(f"{kept.declared.name}: at most {KEYS_PER_BATCH} rows are read at once, not {len(groups)}")
    abouts = [kept.main(*kept.places.dims(*group)) for group in groups]

    def look() -> tuple[Mapping[Key, Item], Mapping[Key, Item]]:
        items = table.get_many([*map(keys.of, abouts), *told_by(kept)], consistent=True)
        return items, items

    items, known = at_one_moment(look)
    common = _common(kept, known, fresh, fill_of(kept, items))
    rows = [_row(kept, keys.of(about), items.get(keys.of(about), {}), known, common) for about in abouts]
    return FoundRows(rows, {}, all(row.complete for row in rows), common[1])


def between(
    kept: Kept, table: Table, told: Mapping[str, str], ends: tuple[str, str], fresh: Freshness | None
) -> FoundRows:
    """The rows between two values of the key behind those that are told."""
    if not bool(kept.plan.lead) <= len(told) < len(kept.declared.keys):
        why = f"give the keys before the one that is read from {ends[0]} to {ends[1]}"
        raise TypeError(f"{kept.declared.name}: {why}")
    if ends[0] > ends[1]:
        why = f"the first value is at most the last one, and {ends[0]!r} > {ends[1]!r}"
        raise ValueError(f"{kept.declared.name}: {why}")
    return _listed(kept, table, kept.places.between(group_of(kept, told, len(told)), *ends), told, fresh)


def groups(kept: Kept, table: Table, told: Mapping[str, str], fresh: Freshness | None) -> FoundRows:
    """All rows with these first keys."""
    name, lead = kept.declared.name, kept.plan.lead
    if lead and not told:
        raise TypeError(
            f"{name}: give {lead}, since rows are in a partition for each, and only a scan finds all partitions. To "
            f"list them, {'' if kept.plan.feeds_others else f'declare {name} with recountable=True, and '}make a view "
            f"of it that has distinct({name}.{lead}), and read its values"
        )
    if len(told) >= len(kept.declared.keys):
        raise TypeError(f"{name}: all keys are those of one row, which get reads; groups needs fewer")
    return _listed(kept, table, kept.places.groups(group_of(kept, told, len(told))), told, fresh)


def group_of(kept: Kept, told: Mapping[str, str], number: int | None = None) -> Sequence[str]:
    """The values of the view's keys, or of so many first ones, in their order; raises TypeError for other keys."""
    names = [*kept.declared.keys][:number]
    if told.keys() != {*names} or not all(isinstance(value, str) for value in told.values()):
        wanted = ", ".join(f'{name}="..."' for name in names) or "no keys"
        got = ", ".join(f"{name}={value!r}" for name, value in told.items()) or "none"
        raise TypeError(f"{kept.declared.name} is asked for {wanted}, and got {got}")
    return [told[name] for name in names]


def look_through(kept: Kept, table: Table, query: Query) -> tuple[Sequence[Item], Told, Fill | None]:
    """What a query of a view finds, all pages of it, what must be doubted of that, and how the view was filled.

    Raises NotYetFilledError.
    """

    def look() -> tuple[tuple[Sequence[Item], Mapping[Key, Item]], Mapping[Key, Item]]:
        items = [item for page in pages.every(table, query) for item in page.items]
        told = table.get_many(told_by(kept), consistent=True)
        return (items, told), {**{key_of(item): item for item in items}, **told}

    (items, told), known = at_one_moment(look)
    return items, known, fill_of(kept, told)


def completeness(
    kind: Kind, fed_by: Sequence[Kind], known: Told, fresh: Freshness | None, *, direct: bool, by_engine: bool
) -> Common:
    """Whether aggregates may be complete, as far as that is the same for all of a kind; and until when they are.

    `direct`, `by_engine`: as of `is_all_in`.
    """
    until = as_of(kind, fresh, known)
    doubted = any(doubts.concern_any(known.names, each) for each in fed_by)
    return is_all_in(until, fresh, known, direct=direct, fed_by_engine=by_engine) and not doubted, until


def lacks(item: Item) -> bool:
    """Whether what an item of the engine's counts lacks something, as it says itself."""
    return bool(unknown(item)) or lacks_records(item)


def lacks_records(item: Item) -> bool:
    """The same, but for extremes: they come again by themselves, and nothing else depends on them."""
    return is_lacking(item) or has_lost_too_much(item) or LOST in cells(item)


def _listed(kept: Kept, table: Table, query: Query, told: Mapping[str, str], fresh: Freshness | None) -> FoundRows:
    items, known, fill = look_through(kept, table, query)
    common = _common(kept, known, fresh, fill)
    rows = [_row(kept, key_of(item), item, known, common) for item in items if COUNT in cells(item)]
    # A group that has nothing may lack what can't be read: names of doubts don't tell where they are.
    whole = common[0] and not any(map(lacks, items)) and not doubts.concern_any(known.names, kept.main)
    return FoundRows(rows, told, whole, common[1])


def _row(kept: Kept, key: Key, item: Item, known: Told, common: Common) -> Found:
    may_be_complete, until = common
    complete = may_be_complete and not (lacks(item) or doubts.concern(known.names, kept.main.at(key)))
    return Found(kept.places.group(kept.places.row.parse(*key)), Counted.of(item), complete, until)


def _common(kept: Kept, known: Told, fresh: Freshness | None, fill: Fill | None) -> Common:
    direct, by_engine = kept.plan.is_direct, bool(kept.below)
    common = completeness(kept.main, kept.below, known, fresh, direct=direct, by_engine=by_engine)
    check_arrived(kept, fill, common[1])
    return common
