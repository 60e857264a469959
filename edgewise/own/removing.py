"""Removes what is kept of a view that is declared no more, such as a former version of one.

It begins to read only when no invocation of the release before can run any more, which might write what is read
already. For as long as records of what was removed may come, the register names the view: whoever declares it again
meanwhile learns of it (edgewise/own/declaring.py).
"""

from collections.abc import Sequence, Set
from contextlib import suppress
from dataclasses import replace
from functools import partial

from edgewise import clock
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.keys import escape, prefix
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Action, Condition, Delete
from edgewise.own import fills, removals
from edgewise.own.removals import Removal, Removed
from edgewise.stream.incomplete import LONGEST_INVOCATION
from edgewise.stream.register import Register, change, register
from edgewise.times import Millis


def remove(table: Table, view: str, may_go_on: MayGoOn) -> Removed:
    """Remove all rows of a view, and what the engine keeps beside them; first what says that it is filled.

    So whoever still reads it is told that it is not filled, and not that it counts nothing. What its fill has filled,
    too, goes with it. That a fill has been there goes last: another one would find entries that are not removed yet,
    and take them for what items are.
    """
    removal = _asked(table, view)
    if clock.now() < removal.asked + LONGEST_INVOCATION:
        return removal.told
    return removals.go_on(table, removal, partial(_is_of, removal.views), may_go_on, partial(_ends, view))


def go_on(table: Table, declared: Set[str], may_go_on: MayGoOn) -> None:
    """Go on with all removals of views that are not declared; forget those of which no record can come any more."""
    for removal in removals.every(table):
        if not removal.views or declared & {*removal.views} or not may_go_on():
            continue
        if removal.end is None:
            remove(table, removal.views[0], may_go_on)
        elif removal.end + CHECKPOINT_LIFETIME < clock.now():
            _forget(table, removal)


def ended(table: Table, view: str) -> Millis | None:
    """When the removal of a view ended, unless that was long ago; None: nobody has removed it."""
    removal = removals.find(table, escape(view))
    return removal.end if removal else None


def _asked(table: Table, view: str) -> Removal:
    """The removal of a view, from its beginning if nobody has asked for it, or the view was declared since."""
    known = removals.find(table, escape(view))
    if known and view in register(table).removing:
        return known
    fill = fills.every(table).get(view)
    views = list(dict.fromkeys([view, *(fill.began if fill else ())]))
    fills.disown(table, {*views})
    version = known.version if known else 0
    removal = removals.begin(table, Removal(escape(view), views, clock.now(), version))
    change(table, partial(_with, views))
    return removal


def _with(views: Sequence[str], known: Register) -> Register:
    """The register while these views are removed."""
    kept = frozenset(name for name in known.kept if fills.view_of(name) not in views)
    return replace(known, removing=known.removing.union(views), kept=kept)


def _forget(table: Table, removal: Removal) -> None:
    change(table, lambda known: replace(known, removing=known.removing.difference(removal.views)))
    with suppress(RefusedError):  # somebody has just asked for it once more
        table.write(Delete(removal.key, Condition.at_version(removal.version)))


def _ends(view: str, removal: Removal) -> Sequence[Action]:
    return [Delete(fills.key(view)), removal.put()]


def _is_of(views: Sequence[str], item: Item) -> bool:
    """Whether an item is a row or beside one, or of a ranking of one of the views, which is called by it, too."""
    return string(item["PK"]).startswith(tuple(begins for view in views for begins in (prefix(view), f"{view}-")))
