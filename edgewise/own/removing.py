"""Removes what is kept of a view that is declared no more, such as a former version of one."""

from typing import NamedTuple

from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import prefix
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete
from edgewise.own import fills, scanning

PAGE = 100


class Removed(NamedTuple):
    """How many items were seen, and how many removed; not `complete` if the time ran out: ask once more then."""

    seen: int
    removed: int
    complete: bool


def remove(table: Table, view: str, may_go_on: MayGoOn) -> Removed:
    """Remove all rows of a view, and what the engine keeps beside them. What says that it is filled goes first.

    So whoever still reads it is told that it is not filled, and not that it counts nothing.
    """
    table.write(Delete(fills.key(view)))
    seen, removed, after, more = 0, 0, None, True
    while more and may_go_on():
        items, after = scanning.page(table, after, PAGE, own=True)
        for key in (key_of(item) for item in items if _is_of(view, item)):
            table.write(Delete(key))
            removed += 1
        seen, more = seen + len(items), after is not None
    return Removed(seen, removed, complete=not more)


def _is_of(view: str, item: Item) -> bool:
    return string(item["PK"]).startswith(prefix(view))
