"""What is refused when totals are declared: what can't be understood, would count nothing, or could not be exact.

Each fault has one message, with the name of the argument and what is wrong with it.
"""

import re
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.keys import CARRIER, CONTINUED
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.aggregates.rankings.floor import TOP
from edgewise.dynamodb.existing import NUMBER
from edgewise.freshness.keys import HEARTBEAT
from edgewise.own.table import Items, OwnTable

# What the engine itself calls items and partitions.
_OF_PARTS = {CARRIER, CONTINUED, HEARTBEAT, RANKING}
_TAKEN = _OF_PARTS | {"QUARANTINE", "INCOMPLETE", "EMPTIED", "ITEM", "EDGE", "BACKFILL", "FRESHNESS"}
_NAME = re.compile(r"[A-Z][A-Z0-9_]{0,39}")


def check(items: Any, name: Any, by: Any, of: Any, distinct: Any, top: Any, backfill: Any) -> None:
    """Raise DeclarationError for an argument that can't be understood, or that would count nothing."""
    if not isinstance(name, str) or not _NAME.fullmatch(name) or name in _TAKEN:
        why = "of capital letters, digits and _, and not what items of the engine are called"
        raise DeclarationError(f"name must be {why}, and not {name!r}")
    if not isinstance(items, Items):
        raise DeclarationError(f"{name}: items must be what OwnTable.items gives, and not {items!r}")
    if not (_is_attribute(by) or callable(by)):
        why = "an attribute, or a function that makes a text of an item"
        raise DeclarationError(f"{name}: by must be {why}, and not {by!r}")
    for argument, named in (("of", of), ("distinct", distinct)):
        if named != "" and not _is_attribute(named):
            raise DeclarationError(f"{name}: {argument} must be an attribute, and not {named!r}")
    if type(top) is not int or not 0 <= top <= TOP:
        raise DeclarationError(f"{name}: top must be a number from 0 to {TOP}, and not {top!r}")
    if not isinstance(backfill, str):
        raise DeclarationError(f"{name}: backfill must be a text that names it, and not {backfill!r}")


def check_exact(items: Items, name: str, by: Any, of: str, *, extremes: bool, distinct: str, top: int) -> None:
    """Raise DeclarationError if the totals could not be exact."""
    for why in _inexact(items.table, by, of, extremes=extremes, distinct=distinct, top=top):
        raise DeclarationError(f"{name}: {why}")


def _inexact(table: OwnTable, by: Any, of: str, *, extremes: bool, distinct: str, top: int) -> list[str]:
    faults = list[str]()
    if table.keys.get(of, NUMBER) != NUMBER:
        faults.append(f"of must be an attribute with a number, and the key {of} has none")
    if extremes and by != table.partition:
        faults.append(
            "once the item with the minimum or maximum is gone, the next one must be found, and only a query by "
            f"{table.partition} finds items strongly consistently: group by that, or leave extremes out"
        )
    if extremes and not of:
        faults.append("only numbers have extremes: name their attribute as `of`")
    if extremes and (top or distinct):
        faults.append(
            "nobody knows an extreme while it is being recounted: declare its total apart from top and distinct"
        )
    if distinct and distinct == by:
        faults.append(f"distinct: all items of a total have the same {distinct}")
    return faults


def _is_attribute(named: Any) -> bool:
    """Whether it may name an attribute of an item itself: there are no paths, so a point would count nothing."""
    return isinstance(named, str) and bool(named) and not {".", "["} & set(named)
