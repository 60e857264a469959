"""Reads what is within the rows of views: the first of a ranking, and the values that are counted as different."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from edgewise.aggregates import doubts, keys
from edgewise.aggregates.measures import COUNT
from edgewise.aggregates.rankings import standings
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.rankings.standings import Top
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key, split
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness
from edgewise.own.looking import at_one_moment
from edgewise.own.values import NOTHING, unmarked
from edgewise.views.filled import check_arrived, fill_of, told_by
from edgewise.views.keeping import Kept
from edgewise.views.places import EDGE
from edgewise.views.ranked import RANKED_BY
from edgewise.views.reading import completeness, group_of, lacks, lacks_records, look_through


class Values(NamedTuple):
    """Different values, in order. `complete` and `as_of`: as rows have them."""

    values: Sequence[str]
    complete: bool
    as_of: datetime | None


def first(kept: Kept, table: Table, name: str, limit: int, told: Mapping[str, str], fresh: Freshness | None) -> Top:
    """The first of a ranking within a group: one read of the ranking, and one of its members for each hundred."""
    kind, dims = kept.ranked[name], kept.places.dims(*group_of(kept, told))
    about, row = RankingId(kind, dims, RANKED_BY), keys.of(kept.main(*dims))

    def look() -> tuple[tuple[Top, Mapping[Key, Item]], Mapping[Key, Item]]:
        ranking = standings.stored(table, about)
        items = standings.members(table, ranking, row, *told_by(kept))
        return (standings.first(ranking, items, min(limit, TOP)), items), items

    (found, items), known = at_one_moment(look)
    fill = fill_of(kept, items)
    # What the row lacks may be of somebody whom the ranking does not name.
    lacking = lacks_records(items.get(row, {}))
    direct, by_engine = not kind.shared and kept.lower is None, kept.lower is not None
    fed_by = (*kept.below, kind)
    complete, until = completeness(kind, fed_by, known, fresh, direct=direct, by_engine=by_engine)
    check_arrived(kept, fill, until)
    complete = complete and found.complete and not (lacking or doubts.concern(known.names, kept.main(*dims)))
    return Top([each._replace(member=split(each.member)[0]) for each in found.standings], complete, until)


def values(kept: Kept, table: Table, name: str, told: Mapping[str, str], fresh: Freshness | None) -> Values:
    """The values that a row counts by one of its measures of different values."""
    kind, dims = kept.edges[name], kept.places.dims(*group_of(kept, told))
    items, known, fill = look_through(kept, table, kept.places.beside(dims, EDGE, name))
    is_lowest = kept.lower is None
    complete, until = completeness(kind, (*kept.below, kind), known, fresh, direct=is_lowest, by_engine=not is_lowest)
    check_arrived(kept, fill, until)
    complete = complete and not (any(map(lacks, items)) or doubts.concern(known.names, kept.main(*dims)))
    found = [kind.key.parse(*key_of(item))[-1] for item in items if COUNT in cells(item)]
    return Values(sorted(unmarked(each) for each in found if each != NOTHING), complete, until)
