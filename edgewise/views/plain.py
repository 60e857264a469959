"""What views store for readers in any language: a row's measures by their names, and whether it lacks something.

The engine counts by cells: several measures share one, and a cell is one short text. Readers get neither, but a map of
plain numbers and texts, written by the same put. It is a contract (docs/stored-format.md).
"""

from collections.abc import Callable, Mapping, Set
from datetime import datetime
from decimal import Decimal
from functools import partial

from edgewise.aggregates.measures import COUNT, Cell
from edgewise.aggregates.plain import Plain
from edgewise.dynamodb.attributes import Attribute, Item, exact, n, s
from edgewise.own.values import marked
from edgewise.views.cells import LOST, Cells
from edgewise.views.columns import EXTREMES
from edgewise.views.counts import counts
from edgewise.views.declared import Declared

# What readers get of an item: what it counts, and, if so, that it lacks something.
ROW, INCOMPLETE = "Row", "Incomplete"
# What an edge has in its row: how many items have its value.
ITEMS = "items"
Told = Callable[[Mapping[str, Cell], Set[str]], Mapping[str, Attribute]]


def of_rows(declared: Declared, cells: Cells) -> Plain:
    """What rows say: each measure by its name, of means and deviations their parts."""
    return Plain(partial(_attributes, partial(_row, declared, cells)))


def of_edges() -> Plain:
    """What edges say."""
    return Plain(partial(_attributes, lambda found, _: {ITEMS: n(found[COUNT].count)}))


def of_ranked(by: str, number: Callable[[Cell], Decimal]) -> Plain:
    """What ranked totals say: the measure by which they are ranked."""
    return Plain(partial(_attributes, lambda found, _: {by: exact(number(found[COUNT]))}))


def _attributes(told: Told, cells: Mapping[str, Cell], unknown: Set[str], lacks: bool) -> Item:
    """The attributes of an item: no row if it counts nothing."""
    found = {name: cell for name, cell in cells.items() if cell.count > 0}
    has_lost = any(cell.count < 0 or (cell.counts and not cell.count) for cell in cells.values())
    item: Item = {ROW: {"M": told(found, unknown)}} if COUNT in found else {}
    return item | ({INCOMPLETE: {"BOOL": True}} if lacks or unknown or has_lost or LOST in found else {})


def _row(declared: Declared, cells: Cells, found: Mapping[str, Cell], unknown: Set[str]) -> Mapping[str, Attribute]:
    told = {name: _measure(declared, cells, name, found, unknown) for name in declared.measures}
    return {name: value for name, value in told.items() if value is not None}


def _measure(
    declared: Declared, cells: Cells, name: str, found: Mapping[str, Cell], unknown: Set[str]
) -> Attribute | None:
    """What a row has of a measure; None: it has no such extreme, or nobody knows it at present."""
    form, cell = declared.measures[name].form, found.get(cells.of[name], Cell())
    if form in EXTREMES:
        extreme = cells.extreme(name, found, unknown)
        if isinstance(extreme, datetime):
            return s(f"{extreme.replace(tzinfo=None).isoformat(timespec='microseconds')}Z")
        return None if extreme is None else exact(extreme)
    if form == "count_by":
        each = counts(name, found)
        values: Item = {marked(value): n(number) for value, number in each.items()}
        return {"M": {"values": {"M": values}, **({"others": n(each.others)} if each.others else {})}}
    if form in ("mean", "stddev"):
        parts = {"count": n(cell.count), "sum": exact(cell.total)}
        squares = {"squares": exact(found.get(cells.squares[name], Cell()).total)} if form == "stddev" else {}
        return {"M": parts | squares}
    return exact(Decimal(cells.number(name, found)))
