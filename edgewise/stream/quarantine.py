"""Records that can't be understood are kept in full, so that their shard goes on and nothing is lost."""

import gzip
import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple, Self, cast

from edgewise import clock
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint
from edgewise.aggregates.doubts import Names
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_item, key_of, n, s, string
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.queries import Position
from edgewise.dynamodb.renewal import insist
from edgewise.dynamodb.table import Table, chunks
from edgewise.dynamodb.writes import Condition, Delete, Put
from edgewise.errors import MalformedRecordError
from edgewise.stream import quarantine_keys, quarantine_patterns
from edgewise.stream.changes import Record, checkpoint, number
from edgewise.stream.dispatch import passing, position
from edgewise.stream.register import register, replacements
from edgewise.times import Millis

# An item holds 400 KB, and a record carries two images: it is compressed, and split into parts if still too large.
PART_BYTES = 350_000
# How much of that goes into one transaction, of up to 100 actions and 4 MB, with the register and what readers learn.
MOST_PARTS, MOST_BYTES = 98, 3_000_000
_TYPE = "QUARANTINE"


@dataclass(frozen=True)
class QuarantinedRecord:
    """A record in quarantine: its shard, its sequence number as in keys, when it was written, and the error."""

    shard: str
    sequence: str
    at: str
    error: str


@dataclass(frozen=True)
class SetAside:
    """A record in quarantine as the stream delivered it, and when it was set aside."""

    record: Record
    at: Millis

    @property
    def in_time(self) -> bool:
        """Whether it was set aside while all checkpoints that cover it still existed; they have been kept since."""
        return self.at - checkpoint(self.record).at <= LATEST_DELIVERY


class Entry(NamedTuple):
    """A record that is to enter quarantine, and why. `doubted`: what it concerns, perhaps.

    That was announced, but another invocation may have read the record meanwhile, and called it off.
    """

    record: Record
    error: str
    doubted: Names = frozenset()


def quarantine(table: Table, shard: str, *entries: Entry) -> Sequence[Entry]:
    """Store records with their shard and the errors, and register them; storing them again changes nothing.

    Returns those that are in quarantine then: a record that the shard's position covers has been there before, or was
    read. Raises QuarantineFullError, or UnprocessedError when too many writers do the same at once.
    """
    every = {each.sequence: each for each in (_Stored.of(shard, entry) for entry in entries)}
    left, entered = list(every.values()), list[Entry]()
    while left:
        together = left[: _at_once(left)]
        entered += _enter(table, shard, together)
        left = left[len(together) :]
    return entered


def release(table: Table, shard: str, sequence: str, place: Checkpoint | None, lacking: Names = frozenset()) -> None:
    """Remove a record from quarantine for good; nothing happens if it is not there any more.

    The shard's position passes it at the same moment, so whoever meets it again knows that it is done with. `place`:
    the record's, None if it has none. `lacking`: what readers must doubt from then on, since it has been discarded.
    """

    def attempt() -> None:
        known = register(table)
        if known.has(shard, sequence):
            parts = [Delete(key_of(item)) for item in _parts(table, shard, sequence)]
            changed = known.without(shard, sequence).lacking_also(lacking)
            passed = passing(table, shard, place, known.quarantined) if place else []
            table.transact([*parts, *passed, *replacements(known, changed)])

    insist("the register", attempt)


def find(table: Table, shard: str, sequence: str) -> SetAside | None:
    """A record in quarantine as the stream delivered it; None if it is not there."""
    parts = list(_parts(table, shard, sequence))
    if not parts:
        return None
    return SetAside(_whole(parts), integer(parts[0]["SetAsideAt"]))


def is_set_aside(item: Item) -> bool:
    """Whether an item is a part of a record in quarantine."""
    return item.get("Type") == s(_TYPE)


def records(items: Iterable[Item]) -> Iterator[Record]:
    """The records of which these are all parts."""
    parts: dict[tuple[str, str], list[Item]] = {}
    for item in sorted(items, key=key_of):
        parts.setdefault(quarantine_keys.parse(*key_of(item)), []).append(item)
    return map(_whole, parts.values())


def page(table: Table, limit: int, after: Position | None) -> tuple[list[QuarantinedRecord], Position | None]:
    """Some of the records in quarantine, the oldest first, and where to go on. Eventually consistent."""
    found = table.query(quarantine_patterns.RECORDS.part(limit, after))
    return each(table, _listed, found.items), found.next


def quarantine_items(shard: str, record: Record, error: str) -> list[Item]:
    """The items of one record: its JSON, compressed, in parts. Only the first part is in the list of all records."""
    whole = json.dumps(record).encode()
    sequence = (record.get("dynamodb") or {}).get("SequenceNumber") or record.get("eventID") or _content_id(whole)
    parts = list(chunks(gzip.compress(whole, mtime=0), PART_BYTES))
    items = [
        key_item(quarantine_keys.quarantine(shard, str(sequence), number))
        | {"Type": s(_TYPE), "Parts": n(len(parts)), "Record": {"B": part}}
        for number, part in enumerate(parts, start=1)
    ]
    items[0] |= {
        "Text": s(error[:1000]),
        "SetAsideAt": n(clock.now()),
        "GSI1PK": s(quarantine_keys.LIST),
        "GSI1SK": s(quarantine_keys.listed(_written(record), shard, str(sequence))),
    }
    return items


def listed_anew(item: Item) -> Item:
    """The list's keys of a part: only the first one is listed, by when the record was written, which the list says."""
    if "SetAsideAt" not in item:
        return {}
    listed = quarantine_keys.listed_anew(key_of(item), string(item["GSI1SK"]))
    return {"GSI1PK": s(quarantine_keys.LIST), "GSI1SK": s(listed)}


class _Stored(NamedTuple):
    """A record as it is stored: its sequence number as in keys, and its parts."""

    entry: Entry
    sequence: str
    parts: Sequence[Item]

    @classmethod
    def of(cls, shard: str, entry: Entry) -> Self:
        parts = quarantine_items(shard, entry.record, entry.error)
        return cls(entry, quarantine_keys.parse(*key_of(parts[0]))[1], parts)

    def is_passed(self, reached: Checkpoint | None) -> bool:
        """Whether the shard's position covers it."""
        place = number(self.entry.record)
        return reached is not None and place is not None and reached.covers(place)


def _at_once(left: Sequence[_Stored]) -> int:
    """How many of these enter quarantine together: one at least."""
    counts = accumulate(len(each.parts) for each in left)
    sizes = accumulate(sum(len(part["Record"]["B"]) for part in each.parts) for each in left)
    return max(1, sum(count <= MOST_PARTS and size <= MOST_BYTES for count, size in zip(counts, sizes, strict=True)))


def _enter(table: Table, shard: str, together: Sequence[_Stored]) -> Sequence[Entry]:
    """Store these in one transaction, except for those that are done with: what was announced of them is called off."""

    def attempt() -> Sequence[Entry]:
        # In this order: whoever lets a record leave after that changes the register.
        known, reached = register(table), position(table, shard)
        missing = [each for each in together if not known.has(shard, each.sequence)]
        done = {each.sequence for each in missing if each.is_passed(reached)}
        new = {each.sequence: each for each in missing if each.sequence not in done}
        changed = known.without_doubts(shard, done).with_records(shard, new)
        announced = known.announced(shard)
        untold = {name: names for name, each in new.items() if (names := each.entry.doubted) and name not in announced}
        changed = changed.with_doubts(shard, untold, clock.now()) if untold else changed
        puts = [Put(part, Condition.ABSENT) for each in new.values() for part in each.parts]
        if changed != known:
            table.transact([*puts, *replacements(known, changed)])
        return [each.entry for each in together if each.sequence not in done]

    return insist("the register", attempt)


def _whole(parts: Sequence[Item]) -> Record:
    return cast(Record, json.loads(gzip.decompress(b"".join(part["Record"]["B"] for part in parts))))


def _parts(table: Table, shard: str, sequence: str) -> Iterator[Item]:
    """The parts in order, strongly consistent; each page (1 MB) holds a few of them."""
    for found in pages.every(table, quarantine_patterns.parts(shard, sequence)):
        yield from found.items


def _listed(item: Item) -> QuarantinedRecord:
    shard, sequence = quarantine_keys.parse(string(item["PK"]), string(item["SK"]))
    return QuarantinedRecord(
        shard, sequence, quarantine_keys.parse_listed(string(item["GSI1SK"])), string(item["Text"])
    )


def _written(record: Record) -> Millis:
    try:
        return checkpoint(record).at
    except MalformedRecordError:
        return 0


def _content_id(whole: bytes) -> str:
    return hashlib.sha256(whole).hexdigest()
