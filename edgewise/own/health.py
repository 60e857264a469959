"""How a table's views fare, as one value: for a dashboard, or for whoever is called at night."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, string
from edgewise.dynamodb.existing import FORMAT
from edgewise.dynamodb.keys import unescape
from edgewise.dynamodb.table import Table
from edgewise.freshness.hops import Hop
from edgewise.own.backfill import STATES, period
from edgewise.own.fills import every
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.stream import incomplete
from edgewise.stream.incomplete import Incomplete
from edgewise.stream.register import register
from edgewise.times import from_millis

# How many notes on what is incomplete are read: people look at the first ones.
MOST_NOTES = 100


class Fill(NamedTuple):
    """A fill of a view, by the view's name, or a backfill; how many items it has seen, and whether it has seen all."""

    name: str
    fills: Sequence[str]
    seen: int
    complete: bool


@dataclass(frozen=True)
class Health:
    """How all views of a table fare.

    `as_of`: the instant, in UTC, until which the stream's reader has counted what people wrote, and `behind`: how long
    ago that is; both are None without heartbeats. Rows that the engine feeds by items of its own are later than that.

    `quarantined`: how many records are set aside. `doubted`: the names of all that therefore may lack something, or
    lacks what was given up or discarded, or is being filled. `incomplete`: the oldest notes of what lacks something,
    a hundred at most. `fills`: those of views, and the backfills that are not forgotten.

    `format`: the number of the format in which the engine's items are stored; None: there are none yet.
    """

    as_of: datetime | None
    behind: timedelta | None
    quarantined: int
    doubted: frozenset[str]
    incomplete: Sequence[Incomplete]
    fills: Sequence[Fill]
    format: int | None


def health(table: Table) -> Health:
    """How a table's views fare: five requests, four read units while all is well.

    Raises UnknownFormatError, with the way out, if another release has stored items in a format of its own.
    """
    fresh, known = freshness_of(table), register(table)
    as_of = _as_of(fresh)
    noted, _ = incomplete.page(table, MOST_NOTES, None)
    fills = [_fill(item) for page in pages.every(table, STATES) for item in page.items]
    fills += [Fill(each.view, list(each.fills), each.seen, each.complete) for each in every(table).values()]
    behind = None if as_of is None else from_millis(fresh.seen) - as_of
    return Health(as_of, behind, known.count, known.doubted, noted, fills, FORMAT if known.version else None)


def _as_of(fresh: Freshness) -> datetime | None:
    found = fresh.known.as_of({(Hop.ABSORBED,)}, fresh.seen)
    return None if found is None else from_millis(found)


def _fill(item: Item) -> Fill:
    fills = [string(kind) for kind in item["Fills"]["L"]]
    return Fill(unescape(string(item["SK"])), fills, integer(item["Seen"]), period(item).end != math.inf)
