"""From when the views count that are filled, and how far their fills have come.

A view that is filled counts what was stored before it was declared, and needs no mark in anybody's items. It keeps an
entry for each item and group, which counts what the item's last record says (edgewise/aggregates/latest.py). A fill
puts an entry for each item that it reads, if there is none: then no record has told of the item in this group yet. So
whichever comes first, the entry is what the item is in the end. What has left a group has an entry that counts nothing,
which a fill that has read the item before does not replace.

Records from before the *start* of a fill count nothing, since it begins to read later than that: the release before,
which does not know the view, might have taken some of an item's records, and this one others. The start is an instant
of the stream, stored once, so a record that comes again late is read as it was before. Nor does what was kept of the
view in a former life of it, that was removed: such records are as much older as clocks may differ, or more.
"""

import json
import math
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.kinds import Kind
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.dynamodb.keys import Key, escape, unescape
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.own.backfill import is_source
from edgewise.own.former import changing_nothing
from edgewise.own.table import UNFILLED
from edgewise.stream import changes
from edgewise.stream.changes import Record
from edgewise.times import SECOND, Millis

# By how much this process's clock and the stream's may differ; the stream tells whole seconds, rounded down.
CLOCKS: Millis = 10 * SECOND
VIEWS = "VIEWS"
# What says of each view that is filled how far that is.
EVERY = Query(VIEWS, consistent=True)


@dataclass(frozen=True)
class Fill:
    """How far the fill of a view is.

    It `began` with this view, and those made of it that were declared then; of these it `fills` all that were declared
    ever since. It counts from the `start`. `end`: readers may take it as filled from then on; None while it goes on.
    `seen`: how many items were read, of which `unread` can't be understood, and `put`: how many entries were put for
    them. `after`: the key of the last item; `per_second`: how many items it looks at in a second at most.
    """

    view: str
    began: Sequence[str]
    fills: Sequence[str]
    start: Millis
    per_second: int
    version: int = 0
    seen: int = 0
    put: int = 0
    unread: int = 0
    after: Item | None = None
    end: Millis | None = None

    @property
    def complete(self) -> bool:
        """Whether it is over, and fills its view."""
        return self.end is not None and self.view in self.fills

    @property
    def names(self) -> Set[str]:
        """What the register calls what it fills, each with the start."""
        return {f"{view} {self.start}" for view in self.fills}


def key(view: str) -> Key:
    """The key of what says how far the fill of a view is."""
    return Key(VIEWS, escape(view))


def item_of(fill: Fill) -> Item:
    """A fill as an item."""
    numbers = {"Start": fill.start, "PerSecond": fill.per_second, "Version": fill.version}
    counted = {"Seen": fill.seen, "Entries": fill.put, "Unread": fill.unread}
    ended = {} if fill.end is None else {"End": fill.end}
    told = {name: n(number) for name, number in {**numbers, **counted, **ended}.items()}
    names = {"Began": {"L": list(map(s, fill.began))}, "Fills": {"L": list(map(s, fill.fills))}}
    return key_item(key(fill.view)) | {"Type": s(VIEWS), **names, "After": s(json.dumps(fill.after)), **told}


def fill_of(item: Item) -> Fill:
    """The inverse."""
    start, per_second, version = (integer(item[name]) for name in ("Start", "PerSecond", "Version"))
    seen, put, unread = (integer(item[name]) for name in ("Seen", "Entries", "Unread"))
    end = integer(item["End"]) if "End" in item else None
    began, fills = (tuple(map(string, item[name]["L"])) for name in ("Began", "Fills"))
    view, after = unescape(string(item["SK"])), json.loads(string(item["After"]))
    return Fill(view, began, fills, start, per_second, version, seen, put, unread, after, end)


def view_of(name: str) -> str:
    """The view that the register calls so."""
    return name.partition(" ")[0]


def store(table: Table, fill: Fill) -> None:
    """Store how far a fill is now; raises RefusedError if somebody else has moved it on."""
    table.put_version(item_of(replace(fill, version=fill.version + 1)), fill.version)


def every(table: Table) -> dict[str, Fill]:
    """All fills that have begun, by their view."""
    found = (fill_of(item) for page in pages.every(table, EVERY) for item in page.items)
    return {fill.view: fill for fill in found}


def disown(table: Table, views: Set[str]) -> None:
    """Let no fill say that it fills these views: their own, or that of the view below."""
    while found := [fill for fill in every(table).values() if views & {*fill.fills}]:
        left = [name for name in found[0].fills if name not in views]
        with suppress(RefusedError):  # the fill has just moved on
            store(table, replace(found[0], fills=left))


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


def kinds_filled(catalog: Catalog) -> dict[str, str]:
    """The view whose fill fills them, of all kinds that are kept for views that are filled."""
    views = filled(catalog).keys()
    return {name: view for name, kind in catalog.kinds.items() if (view := _lowest(kind)) in views}


@dataclass
class Starts:
    """When the fills of views start, asked for until that is known. `kinds`: as above."""

    kinds: Mapping[str, str]
    _known: dict[str, Millis] = field(default_factory=dict)

    def heed(self, kept: Set[str]) -> None:
        """Ask once more for what the register does not name: the view was removed perhaps, and has another life."""
        self._known = {view: start for view, start in self._known.items() if f"{view} {start}" in kept}

    def annotated(self, table: Table, records: Sequence[Record]) -> list[Record]:
        """The records, as the engine knows them; images say for which views they come too early."""
        if self._views - self._known.keys():
            self._known.update({view: fill.start for view, fill in every(table).items() if view in self._views})
        return [self._annotated(record) for record in records]

    @property
    def _views(self) -> Set[str]:
        return {*self.kinds.values()}

    def _annotated(self, record: Record) -> Record:
        change = record.get("dynamodb") or {}
        images = {name: change[name] for name in ("NewImage", "OldImage") if name in change}
        if changes.number(record) is None:
            return record
        at = changes.checkpoint(record).at
        if any(self._is_of_former(image, at) for image in images.values()):
            return changing_nothing(record)
        early = sorted(view for view in self._views if at < self._known.get(view, math.inf))
        told = {name: _early(image, early) for name, image in images.items() if early and is_source(image)}
        return {**record, "dynamodb": {**change, **told}} if told else record

    def _is_of_former(self, image: Item, at: Millis) -> bool:
        """Whether an image is of what was kept of such a view before it was removed, and declared once more."""
        view = self.kinds.get(string(image["Type"])) if "Type" in image else None
        return view is not None and at < self._known.get(view, math.inf) - CLOCKS


def _early(image: Item, views: Sequence[str]) -> Mapping[str, object]:
    return image | {UNFILLED: {"L": [s(view) for view in views]}}
