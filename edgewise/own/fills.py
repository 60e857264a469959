"""From when the views count that are filled, and how far their fills have come.

A view that is filled counts what was stored before it was declared, and needs no mark in anybody's items. It keeps an
entry for each item and group, which counts what the item's last record says (edgewise/aggregates/latest.py). A fill
puts an entry for each item that it reads, if there is none: then no record has told of the item in this group yet. So
whichever comes first, the entry is what the item is in the end. What has left a group has an entry that counts nothing,
which a fill that has read the item before does not replace.

Records from before the *start* of a fill count nothing, since it begins to read later than that: the release before,
which does not know the view, might have taken some of an item's records, and this one others. The start is an instant
of the stream, stored once, so a record that comes again late is read as it was before.
"""

import json
import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.keys import Key, escape, unescape
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.own.backfill import is_source
from edgewise.own.table import UNFILLED
from edgewise.stream import changes
from edgewise.stream.changes import Record
from edgewise.times import Millis

VIEWS = "VIEWS"
# What says of each view that is filled how far that is.
EVERY = Query(VIEWS, consistent=True)


@dataclass(frozen=True)
class Fill:
    """How far the fill of a view is.

    It `fills` this view, and those made of it that were declared when it began. It counts from the `start`. `end`:
    readers may take it as filled from then on; None while it goes on. `seen`: how many items were read, of which
    `unread` can't be understood, and `put`: how many entries were put for them. `after`: the key of the last item;
    `per_second`: how many items it looks at in a second at most.
    """

    view: str
    fills: Sequence[str]
    start: Millis
    per_second: int
    version: int = 0
    seen: int = 0
    put: int = 0
    unread: int = 0
    after: Item | None = None
    end: Millis | None = None


def key(view: str) -> Key:
    """The key of what says how far the fill of a view is."""
    return Key(VIEWS, escape(view))


def item_of(fill: Fill) -> Item:
    """A fill as an item."""
    numbers = {"Start": fill.start, "PerSecond": fill.per_second, "Version": fill.version}
    counted = {"Seen": fill.seen, "Entries": fill.put, "Unread": fill.unread}
    ended = {} if fill.end is None else {"End": fill.end}
    told = {name: n(number) for name, number in {**numbers, **counted, **ended}.items()}
    names = {"L": list(map(s, fill.fills))}
    return key_item(key(fill.view)) | {"Type": s(VIEWS), "Fills": names, "After": s(json.dumps(fill.after)), **told}


def fill_of(item: Item) -> Fill:
    """The inverse."""
    start, per_second, version = (integer(item[name]) for name in ("Start", "PerSecond", "Version"))
    seen, put, unread = (integer(item[name]) for name in ("Seen", "Entries", "Unread"))
    end = integer(item["End"]) if "End" in item else None
    fills = tuple(map(string, item["Fills"]["L"]))
    view, after = unescape(string(item["SK"])), json.loads(string(item["After"]))
    return Fill(view, fills, start, per_second, version, seen, put, unread, after, end)


def store(table: Table, fill: Fill) -> None:
    """Store how far a fill is now; raises RefusedError if somebody else has moved it on."""
    table.put_version(item_of(replace(fill, version=fill.version + 1)), fill.version)


def every(table: Table) -> dict[str, Fill]:
    """All fills that have begun, by their view."""
    found = (fill_of(item) for page in pages.every(table, EVERY) for item in page.items)
    return {fill.view: fill for fill in found}


def filled(catalog: Catalog) -> dict[str, list[str]]:
    """The views of items that are filled, each with those that are filled by it: itself, and what is made of it."""
    found = dict[str, list[str]]()
    for name, kind in catalog.kinds.items():
        if kind.filled:
            found.setdefault(_lowest(kind), []).append(name)
    return found


def _lowest(kind: Kind) -> str:
    """The set of items that aggregates of a kind are made of in the end: that of a view of items is called as it."""
    below = (feed.source.kind for feed in kind.feeds if feed.source.kind)
    return kind.of_set or _lowest(next(below))


@dataclass
class Starts:
    """When the fills of these views start, asked for until that is known: it never changes then."""

    views: Set[str]
    _known: dict[str, Millis] = field(default_factory=dict)

    def annotated(self, table: Table, records: Sequence[Record]) -> list[Record]:
        """The records, as the engine knows them; images say for which views they come too early."""
        if self.views - self._known.keys():
            self._known.update({view: fill.start for view, fill in every(table).items() if view in self.views})
        return [self._annotated(record) for record in records]

    def _annotated(self, record: Record) -> Record:
        change = record.get("dynamodb") or {}
        images = {name: change[name] for name in ("NewImage", "OldImage") if is_source(change.get(name))}
        if not images or changes.number(record) is None:
            return record
        at = changes.checkpoint(record).at
        if not (early := sorted(view for view in self.views if at < self._known.get(view, math.inf))):
            return record
        told = {name: _early(image, early) for name, image in images.items()}
        return {**record, "dynamodb": {**change, **told}}


def _early(image: Item, views: Sequence[str]) -> Mapping[str, object]:
    return image | {UNFILLED: {"L": [s(view) for view in views]}}
