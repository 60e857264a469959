"""Removes many of the engine's items, a page of the table at a time; after each it stores how far it is.

So a removal may take any number of invocations, and die before any of its writes: a page is looked at again then, of
which nothing is left.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import NamedTuple

from edgewise import clock, surroundings
from edgewise.clock import MayGoOn
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_item, key_of, n, s, string
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import CONNECTIONS, RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.writes import Action, Condition, Delete, Put
from edgewise.own import scanning
from edgewise.times import Millis

REMOVALS = "REMOVALS"
_EVERY = Query(REMOVALS, consistent=True)


class Removed(NamedTuple):
    """How many items were seen, and how many removed, in all steps so far; not `complete`: ask once more."""

    seen: int
    removed: int
    complete: bool


@dataclass(frozen=True)
class Removal:
    """How far the removal of something is. `what`: its name as in keys; `views`: those that it removes, if any.

    `asked`: when somebody asked for it. `after`: the key of the last item seen; `end`: when all was removed, or None.
    """

    what: str
    views: Sequence[str]
    asked: Millis
    version: int = 0
    seen: int = 0
    removed: int = 0
    after: Item | None = None
    end: Millis | None = None

    @property
    def key(self) -> Key:
        """The key of its item."""
        return Key(REMOVALS, self.what)

    @property
    def told(self) -> Removed:
        """How far it is, for whoever asks."""
        return Removed(self.seen, self.removed, self.end is not None)

    def put(self) -> Put:
        """The write that moves it on, if nobody else has."""
        numbers = {"Asked": self.asked, "Version": self.version + 1, "Seen": self.seen, "Removed": self.removed}
        ended = {} if self.end is None else {"End": n(self.end)}
        told: Item = {"Views": {"L": list(map(s, self.views))}, "After": s(json.dumps(self.after)), **ended}
        item = key_item(self.key) | {"Type": s(REMOVALS), **told, **{name: n(each) for name, each in numbers.items()}}
        return Put(item, Condition.at_version(self.version))


def find(table: Table, what: str) -> Removal | None:
    """How far a removal is; None: nobody has asked for it, or it was over long ago."""
    item = table.get(Key(REMOVALS, what))
    return _removal(item) if item else None


def every(table: Table) -> Iterator[Removal]:
    """All that have begun and are not forgotten."""
    for page in pages.every(table, _EVERY):
        yield from map(_removal, page.items)


def begin(table: Table, removal: Removal) -> Removal:
    """Begin one, or begin once more; returns it as it is then, though somebody else has done the same."""
    with suppress(RefusedError):
        table.write(removal.put())
    return find(table, removal.what) or removal


def go_on(
    table: Table,
    removal: Removal,
    is_one: Callable[[Item], bool],
    may_go_on: MayGoOn,
    ends: Callable[[Removal], Sequence[Action]],
) -> Removed:
    """Remove all of which a function says so, until the table ends, there is no time, or somebody else goes on with it.

    `ends`: the writes that say that it is over, all or none.
    """
    with surroundings.threads(CONNECTIONS) as pool:
        while removal.end is None and may_go_on():
            items, after = scanning.page(table, removal.after, scanning.PAGE, own=True)
            deletes = [Delete(key_of(item)) for item in items if is_one(item)]
            list(pool.map(table.write, deletes))
            seen, removed = removal.seen + len(items), removal.removed + len(deletes)
            further = replace(removal, seen=seen, removed=removed, after=after, end=None if after else clock.now())
            try:
                if after:
                    table.write(further.put())
                else:
                    table.transact(ends(further))
            except (RefusedError, TransactionRefusedError):
                break
            removal = replace(further, version=further.version + 1)
    return removal.told


def _removal(item: Item) -> Removal:
    asked, version, seen, removed = (integer(item[name]) for name in ("Asked", "Version", "Seen", "Removed"))
    views, after = tuple(map(string, item["Views"]["L"])), json.loads(string(item["After"]))
    end = integer(item["End"]) if "End" in item else None
    return Removal(string(item["SK"]), views, asked, version, seen, removed, after, end)
