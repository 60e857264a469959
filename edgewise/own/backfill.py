"""Counts what was stored before a view was declared, beside live writes, exactly.

Each item of the table is *marked*, by an update that sets one attribute and nothing else. The stream tells of it in the
order of the item's own changes, and so says exactly what the item was: the record counts the item in full. Of an item
that is not counted yet, no other change counts.

An item is counted if its image has the mark, or if a *note* says so. A note is an item of the engine's, written before
the record is absorbed, when an item comes into being (it counts at once, and its writer knows no marks), and when a
writer that replaces whole items drops the mark. The note has the record's sequence number, and speaks for all later
records of the item. So each record counts the same however often it is delivered.

What comes into being before the backfill's *start* is marked as all else. The start is later than the deployment of the
views, or the release before, which does not know them, might take some of an item's records, and this one others. At
its *end* all items are counted, and later records count as they always do. Both are instants of the stream, stored
once, so a record that comes again late is read as it was before.
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Attribute, Item, integer, key_item, key_of, n, s, string
from edgewise.dynamodb.existing import ITEM, PREFIX, SOURCE
from edgewise.dynamodb.keys import Key, Partitions, escape, join, prefix, unescape
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.own.table import UNCOUNTED
from edgewise.stream import changes, doubting, register
from edgewise.stream.changes import Record
from edgewise.stream.register import Register
from edgewise.times import Millis

# The attribute that marks an item, in the table's own items.
MARK = f"{PREFIX}Counted"
NOTED = "BACKFILL"
_NOTES = Partitions(NOTED)
# What says how far each backfill has come that is not forgotten.
STATES = Query(NOTED, consistent=True)


def note(run: str, of: Key) -> Key:
    """The key of the note that an item is counted, which is short however long the item's is.

    Its digest is whole: of a short one, two of a billion items might have the same.
    """
    return Key(_NOTES(run, hashlib.sha256(join(*of).encode()).hexdigest()), "NOTE")


def state(run: str) -> Key:
    """The key of what says how far the marking of items has come; those of all backfills are in one partition."""
    return Key(NOTED, escape(run))


def mark_of(run: str, start: Millis) -> Attribute:
    """The mark of a backfill by its start: one that is asked for once more by the same name counts all anew."""
    return s(f"{run}@{start}")


class Period(NamedTuple):
    """When a backfill starts and ends; infinitely late if nobody has asked for it yet, or it is not complete."""

    start: float = math.inf
    end: float = math.inf


def period(stored: Item | None) -> Period:
    """When a backfill starts and ends, by its state."""
    return Period(*(integer(stored[name]) for name in ("Start", "End") if name in stored)) if stored else Period()


def is_note(run: str, item: Item) -> bool:
    """Whether an item of the engine's is a note of this backfill."""
    return string(item["PK"]).startswith(prefix(_NOTES.name, run))


def is_source(image: Item | None) -> bool:
    """Whether an image is one of a source."""
    return image is not None and ITEM in image and image.get("Type") == s(SOURCE)


def tell_declared(table: Table, run: str, catalog: Catalog) -> None:
    """Tell the register which kinds count from now on, and which a backfill is to fill; before anything is absorbed.

    Until it is complete, these are doubted, also if they are declared without it before anybody has asked for it: what
    changed until then they have not counted.
    """
    filled = {name for name, kind in catalog.kinds.items() if kind.backfilling}

    def told(known: Register) -> Register:
        known = replace(known, counting=known.counting | (catalog.kinds.keys() - filled))
        complete = not run or period(table.get(state(run))).end != math.inf
        return known if complete else known.while_filling(doubting.names(filled))

    register.change(table, told)


def refuse_undeclared(table: Table, run: str, catalog: Catalog, records: Sequence[Record]) -> None:
    """Raise UnclearError for a record from before the end of a backfill of these views, but for the declared `run`.

    Only views that are declared with it take an item for what it was then: not counted yet. `records`: as the engine
    knows them.
    """
    for item in (item for page in pages.every(table, STATES) for item in page.items):
        name, end = unescape(string(item["SK"])), period(item).end
        if name == run or not {string(kind) for kind in item["Fills"]["L"]} & catalog.kinds.keys():
            continue
        for record in records:
            if changes.number(record) is not None and _sources(record) and changes.checkpoint(record).at < end:
                why = (
                    f"a backfill went on when it was written: declare its views with backfill={name!r} once more, "
                    "apply, and declare them without it then"
                )
                raise changes.unclear_to_all(catalog, record, why)


def annotated(table: Table, run: str, records: Sequence[Record]) -> list[Record]:
    """The records, as the engine knows them; images of items that are not counted yet say so.

    It first stores the notes that the records ask for.
    """
    during = period(table.get(state(run)))
    told = [_told(run, during, record) for record in records]
    asking = list(dict.fromkeys(each.key for each in told if each and each.needs_note))
    noted = _notes(table, run, asking)
    fresh: dict[Key, int] = {}
    for each in told:
        if each and each.is_noted_now and each.key not in noted:
            fresh.setdefault(each.key, each.number)
    table.put_many([_note_item(run, key, number) for key, number in fresh.items()])
    return [
        each.annotated(record, {**fresh, **noted}.get(each.key)) if each else record
        for each, record in zip(told, records, strict=True)
    ]


class _Told(NamedTuple):
    """What a record tells of one of the table's own items: whether its images are sources, and have the mark."""

    key: Key
    number: int
    old: bool
    new: bool
    in_time: bool
    old_marked: bool
    new_marked: bool

    @property
    def enters(self) -> bool:
        """Whether the item is a source from now on, and counts at once."""
        return self.new and not self.old and self.in_time

    @property
    def is_noted_now(self) -> bool:
        """Whether nothing but a note can say later that the item is counted."""
        return self.enters or (self.old_marked and self.new and not self.new_marked)

    @property
    def needs_note(self) -> bool:
        """Whether it matters if there is a note."""
        return self.is_noted_now or (self.old and not self.old_marked)

    def annotated(self, record: Record, noted: int | None) -> Record:
        """The record; `noted`: the number of the note, if there is one."""
        old = self.old_marked or (noted is not None and noted < self.number)
        new = self.enters or self.new_marked or old
        change = dict(record["dynamodb"])
        if self.new and not new:
            change["NewImage"] = change["NewImage"] | _NOT_COUNTED
        if self.old and not old:
            change["OldImage"] = change["OldImage"] | _NOT_COUNTED
        return {**record, "dynamodb": change}


_NOT_COUNTED: Mapping[str, Any] = {UNCOUNTED: {"BOOL": True}}


def _told(run: str, during: Period, record: Record) -> _Told | None:
    """None: the backfill is over, the record is of no source of the table's own, or it has no place in the stream."""
    change, number = record.get("dynamodb") or {}, changes.number(record)
    old, new = change.get("OldImage"), change.get("NewImage")
    sources = _sources(record)
    if number is None or not sources:
        return None
    key = key_of(sources[0])
    at = changes.checkpoint(record).at
    if at >= during.end:
        return None
    in_time = at >= during.start
    marked = [_is_marked(run, during, image) for image in (old, new)]
    return _Told(key, number, is_source(old), is_source(new), in_time, *marked)


def _sources(record: Record) -> list[Item]:
    """Those of a record's images that are of a source, the new one first."""
    change = record.get("dynamodb") or {}
    images = (change.get(name) for name in ("NewImage", "OldImage"))
    return [image for image in images if image is not None and is_source(image)]


def _is_marked(run: str, during: Period, image: Item | None) -> bool:
    if image is None or ITEM not in image or during.start == math.inf:
        return False
    return bool(image[ITEM]["M"].get(MARK) == mark_of(run, int(during.start)))


def _notes(table: Table, run: str, keys: Sequence[Key]) -> dict[Key, int]:
    """The numbers of the notes on these items."""
    by_note = {note(run, key): key for key in keys}
    found = table.get_many(list(by_note), consistent=True) if by_note else {}
    return {by_note[each]: integer(item["Number"]) for each, item in found.items()}


def _note_item(run: str, key: Key, number: int) -> Item:
    return key_item(note(run, key)) | {"Type": s(NOTED), "Number": n(number)}
