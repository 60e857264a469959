"""Reads the rows of views, and tells whether they are complete."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from edgewise.aggregates import doubts, keys
from edgewise.aggregates.doubts import Told
from edgewise.aggregates.measures import COUNT, Cell
from edgewise.aggregates.rankings import standings
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.rankings.standings import Top
from edgewise.aggregates.recounts.attributes import unknown
from edgewise.aggregates.stored import cells, has_lost_too_much, is_lacking
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key, split
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness, as_of, is_all_in
from edgewise.own.looking import at_one_moment
from edgewise.views.cells import LOST, instant
from edgewise.views.columns import EXTREMES
from edgewise.views.keeping import Kept
from edgewise.views.ranked import RANKED_BY

# What a row has of a measure.
Value = int | Decimal | datetime | None


class Found(NamedTuple):
    """A row: its keys and its measures by name."""

    keys: Mapping[str, str]
    measured: Mapping[str, Value]
    complete: bool
    as_of: datetime | None


def get(kept: Kept, table: Table, told: Mapping[str, str], fresh: Freshness | None) -> Found:
    """One row, in one request; raises TypeError for other keys than the view's."""
    group = _group(kept, told, [*kept.declared.keys])
    about = kept.main(*kept.places.dims(*group))

    def look() -> tuple[Item, Mapping[Key, Item]]:
        items = table.get_many([keys.of(about), doubts.KEY], consistent=True)
        return items.get(keys.of(about), {}), items

    item, known = at_one_moment(look)
    complete, until = _completeness(kept, known, fresh)
    complete = complete and not (_lacks(item) or doubts.concern(known.names, about))
    return Found(dict(zip(kept.declared.keys, group, strict=True)), _measured(kept, item), complete, until)


def between(
    kept: Kept, table: Table, told: Mapping[str, str], ends: tuple[str, str], fresh: Freshness | None
) -> tuple[Sequence[Found], bool, datetime | None]:
    """The rows between two values of the key behind those that are told; whether all are complete, and until when."""
    query = _range(kept, told, ends)

    def look() -> tuple[Sequence[Item], Mapping[Key, Item]]:
        items = [item for page in pages.every(table, query) for item in page.items]
        doubted = table.get_many([doubts.KEY], consistent=True)
        return items, {**{key_of(item): item for item in items}, **doubted}

    items, known = at_one_moment(look)
    complete, until = _completeness(kept, known, fresh)
    found = list[Found]()
    for item in items:
        about = kept.main.at(key_of(item))
        is_whole = complete and not (_lacks(item) or doubts.concern(known.names, about))
        if COUNT in cells(item):
            group = kept.places.group(kept.places.row.parse(*key_of(item)))
            found.append(Found(group, _measured(kept, item), is_whole, until))
    # A group that has nothing may lack what can't be read: names of doubts don't tell where they are.
    all_whole = complete and not any(map(_lacks, items)) and not doubts.concern_any(known.names, kept.main)
    return found, all_whole, until


def first(kept: Kept, table: Table, name: str, limit: int, told: Mapping[str, str], fresh: Freshness | None) -> Top:
    """The first of a ranking within a group: one read of the ranking, and one of its members for each hundred."""
    kind, dims = kept.ranked[name], kept.places.dims(*_group(kept, told, [*kept.declared.keys]))
    about = RankingId(kind, dims, RANKED_BY)

    def look() -> tuple[Top, Mapping[Key, Item]]:
        ranking = standings.stored(table, about)
        items = standings.members(table, ranking, doubts.KEY)
        return standings.first(ranking, items, min(limit, TOP)), items

    found, known = at_one_moment(look)
    until = as_of(kind, fresh, known)
    doubted = doubts.concern_any(known.names, kind) or doubts.concern(known.names, kept.main(*dims))
    doubted = doubted or any(doubts.concern_any(known.names, each) for each in kept.below)
    direct, fed_by_engine = not kind.shared and kept.lower is None, kept.lower is not None
    all_in = is_all_in(until, fresh, known, direct=direct, fed_by_engine=fed_by_engine)
    named = [each._replace(member=split(each.member)[0]) for each in found.standings]
    return Top(named, found.complete and all_in and not doubted, until)


def _group(kept: Kept, told: Mapping[str, str], names: Sequence[str]) -> Sequence[str]:
    if told.keys() != {*names} or not all(isinstance(value, str) for value in told.values()):
        wanted = ", ".join(f'{name}="..."' for name in names) or "no keys"
        got = ", ".join(f"{name}={value!r}" for name, value in told.items()) or "none"
        raise TypeError(f"{kept.declared.name} is asked for {wanted}, and got {got}")
    return [told[name] for name in names]


def _range(kept: Kept, told: Mapping[str, str], ends: tuple[str, str]) -> Query:
    names = [*kept.declared.keys]
    if not bool(kept.plan.lead) <= len(told) < len(names):
        raise TypeError(f"{kept.declared.name}: give the keys before the one that is read from {ends[0]} to {ends[1]}")
    group = _group(kept, told, names[: len(told)])
    return kept.places.between(group, *ends)


def _completeness(kept: Kept, known: Told, fresh: Freshness | None) -> tuple[bool, datetime | None]:
    """Whether rows may be complete, as far as that is the same for all of a view; and until when they are."""
    until = as_of(kept.main, fresh, known)
    doubted = any(doubts.concern_any(known.names, kind) for kind in kept.below)
    fed_by_engine = bool(kept.below)
    all_in = is_all_in(until, fresh, known, direct=kept.plan.is_direct, fed_by_engine=fed_by_engine)
    return all_in and not doubted, until


def _lacks(item: Item) -> bool:
    return bool(unknown(item)) or is_lacking(item) or has_lost_too_much(item) or LOST in cells(item)


def _measured(kept: Kept, item: Item) -> Mapping[str, Value]:
    found, pending = cells(item), unknown(item)
    return {name: _value(kept, name, found, pending) for name in kept.declared.measures}


def _value(kept: Kept, name: str, found: Mapping[str, Cell], pending: frozenset[str]) -> Value:
    cell_name, form = kept.cells.of[name], kept.declared.measures[name].form
    cell = found.get(cell_name, Cell())
    if form == "mean":
        return cell.total / cell.count if cell.count else None
    if form in EXTREMES:
        found_one = cell.extremes.low if form in ("min", "first") else cell.extremes.high
        if cell_name in pending or found_one is None:
            return None
        return instant(found_one) if form in ("first", "last") else found_one
    return kept.cells.number(name, found)
