"""Which aggregates are looked at by the way: the summaries of all entities that directories list, one by one.

They are what somebody sees first of a system, and whatever the table counts for all is in one of them, or below one.
"""

from functools import partial
from typing import Final, NamedTuple

from edgewise import AggregateId, Item, Key, Kind, Position, Table
from edgewise.aggregates import keys
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import string
from functions import directory
from functions.catalog import CATALOG, SYSTEMS

# Each directory's kind of summaries: the one that a name alone tells apart.
LISTED: Final[tuple[Kind, ...]] = tuple(
    kind
    for system in SYSTEMS
    for partitions in system.directories
    for kind in CATALOG.kinds.values()
    if kind.partitions == partitions and len(kind.key.forms) == 1 and kind.readable_by_all
)


class Place(NamedTuple):
    """Where a walk through all of them goes on: in which directory, and behind what."""

    directory: int = 0
    after: Position | None = None

    @property
    def position(self) -> Position:
        """The place as a cursor has it."""
        return {"directory": str(self.directory), **(self.after or {})}

    @classmethod
    def of(cls, position: Position | None) -> "Place":
        """The inverse; without a position, the beginning."""
        after = dict(position or {"directory": "0"})
        return cls(int(after.pop("directory")), after or None)


START: Final = Place()


def page(table: Table, start: Place, limit: int) -> tuple[list[AggregateId], Place | None]:
    """The next aggregates, in the order of directories and names, and where to go on; None after the last.

    One query for each directory that it reads of. Behind the last directory, as one of another release, there is none.
    """
    found = list[AggregateId]()
    number, after = start
    while number < len(LISTED) and len(found) < limit:
        kind = LISTED[number]
        query, missing = directory.entries(kind.partitions), limit - len(found)
        some, after = pages.listed(table, query, missing, after, partial(_summary, kind))
        found += some
        number += after is None
    return found, Place(number, after) if number < len(LISTED) else None


def _summary(kind: Kind, entry: Item) -> AggregateId:
    return kind.at(Key(string(entry["PK"]), keys.SUMMARY))
