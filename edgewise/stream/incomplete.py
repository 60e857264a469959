"""Notes on incomplete aggregates: one small item each, however much is missing, so that people find them.

The aggregate's own item says so too (`Lacks`), and so do answers made from it. The notes serve the list of all
incomplete aggregates, and those that have no item because none can be written for them.

Notes of their own say whose extremes are unknown because a source can't be read: the sweep tries again to read it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from edgewise import clock
from edgewise.aggregates import doubts
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, key_item, key_of, s, string
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.queries import Position
from edgewise.dynamodb.table import KEYS_PER_BATCH, RefusedError, Table
from edgewise.dynamodb.writes import Condition, Delete, Put
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream import incomplete_keys, incomplete_patterns, register
from edgewise.times import SECOND, Millis

# Why extremes are unknown for longer than to the next change.
UNREAD = "its extremes are unknown, since a source of them can't be read: a sweep finds them once a release reads it"
_MAX_NAME, _MAX_REASON = 4000, 500
# So much later an invocation has ended that noted something, with what clocks may differ: 15 minutes and one.
LONGEST_INVOCATION: Millis = 16 * 60 * SECOND


@dataclass(frozen=True)
class Incomplete:
    """An incomplete aggregate: its kind, its dimensions as in JSON, and what it lacks.

    If its name is too long, `kind` is empty and `dimensions` is the beginning of the name's JSON.
    """

    kind: str
    dimensions: Sequence[Any] | str
    why: str


def note(table: Table, about: AggregateId, why: str) -> None:
    """Note that an aggregate lacks something; an existing note stays as it is.

    Readers of somebody's own table doubt it from then on, and a ranking that it may belong to: that reads the items of
    those only whom it names.
    """
    with suppress(RefusedError):
        table.write(Put(_note_item(_name(about), why, clock.now()), Condition.ABSENT))
    if about.kind.is_of_sets:
        register.change(table, lambda known: known.lacking_also({doubts.name(about)}))


def note_unread(table: Table, about: AggregateId) -> None:
    """Note that the extremes of an aggregate are unknown, since a source can't be read; once more if it is noted."""
    table.write(Put(_note_item(_name(about, "extremes"), UNREAD, clock.now())))


def clear(table: Table, about: AggregateId) -> None:
    """Remove the note on an aggregate that has been repaired, if there is one."""
    table.write(Delete(incomplete_keys.note(_name(about))))


def unread(table: Table, catalog: Catalog) -> Iterator[Mapping[AggregateId, Item]]:
    """The aggregates with a source that could not be read, each with its note, the oldest first; eventually consistent.

    A page of all notes at a time; it may have none of these.
    """
    for page in pages.every(table, incomplete_patterns.NOTES.part(KEYS_PER_BATCH)):
        found = dict[AggregateId, Item]()
        for item in page.items:
            with suppress(PoisonError), sorted_out():
                name, why = json.loads(string(item["Text"]))
                if why == UNREAD:
                    kind, dimensions, _ = json.loads(name)
                    found[catalog.named([kind, dimensions])] = item
        yield found


def clear_unread(table: Table, note: Item) -> None:
    """Remove such a note, unless it has been noted once more since it was read, or what it stands for may be to come.

    A note comes before the write that it stands for.
    """
    if clock.now() - incomplete_keys.parse_listed(string(note["GSI1SK"])) > LONGEST_INVOCATION:
        with suppress(RefusedError):
            table.write(Delete(key_of(note), Condition(equal={"GSI1SK": note["GSI1SK"]})))


def page(table: Table, limit: int, after: Position | None) -> tuple[list[Incomplete], Position | None]:
    """Some of the notes, the oldest first, and where to go on. Eventually consistent."""
    found = table.query(incomplete_patterns.NOTES.part(limit, after))
    return each(table, _listed, found.items), found.next


def _note_item(name: str, why: str, at: Millis) -> Item:
    return key_item(incomplete_keys.note(name)) | {
        "Type": s("INCOMPLETE"),
        "Text": s(json.dumps([name[:_MAX_NAME], why[:_MAX_REASON]])),
        "GSI1PK": s(incomplete_keys.LIST),
        "GSI1SK": s(incomplete_keys.listed(at, name)),
    }


def listed_anew(item: Item) -> Item:
    """The list's keys of a note, by its own key and the instant at which the list has it."""
    return {
        "GSI1PK": s(incomplete_keys.LIST),
        "GSI1SK": s(incomplete_keys.listed_anew(*(string(item[name]) for name in ("PK", "GSI1SK")))),
    }


def _name(about: AggregateId, *why: str) -> str:
    return json.dumps([*about.plain, *why])


def _listed(item: Item) -> Incomplete:
    name, why = json.loads(string(item["Text"]))
    try:
        kind, dimensions, *_ = json.loads(name)
    except json.JSONDecodeError:  # it was cut
        return Incomplete("", name, why)
    return Incomplete(kind, dimensions, why)
