"""Removes what is kept of a view that is declared no more, such as a former version of one."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.keys import prefix
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Delete
from edgewise.own import fills, scanning
from edgewise.own.scanning import Removed


def remove(table: Table, view: str, may_go_on: MayGoOn) -> Removed:
    """Remove all rows of a view, and what the engine keeps beside them; first what says that it is filled.

    So whoever still reads it is told that it is not filled, and not that it counts nothing. That a fill has been there
    goes last: another one would find entries that are not removed yet, and take them for what items are.
    """
    _disown(table, view)
    removed = scanning.remove(table, partial(_is_of, view), may_go_on)
    if removed.complete:
        table.write(Delete(fills.key(view)))
    return removed


def _disown(table: Table, view: str) -> None:
    """Let no fill say that it fills a view: its own, or that of the view below it."""
    while found := [fill for fill in fills.every(table).values() if view in fill.fills]:
        left = [name for name in found[0].fills if name != view]
        with suppress(RefusedError):  # the fill has just moved on
            fills.store(table, replace(found[0], fills=left))


def _is_of(view: str, item: Item) -> bool:
    """Whether an item is a row or beside one, or of one of the view's rankings, which are called by it, too."""
    return string(item["PK"]).startswith((prefix(view), f"{view}-"))
