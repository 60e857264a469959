"""What a row has of each measure, by its cells; and what several rows come to together."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from decimal import Context, Decimal
from typing import NamedTuple

from edgewise.aggregates.measures import EXACT, Cell, joined
from edgewise.aggregates.recounts.attributes import unknown
from edgewise.aggregates.stored import cells
from edgewise.dynamodb.attributes import Item
from edgewise.views.columns import EXTREMES
from edgewise.views.counts import Counts, certain, counts
from edgewise.views.keeping import Kept

# What a row has of a measure.
Value = int | Decimal | datetime | Counts | None
# Twice the digits of a sum are those of its square; what is divided, or is a root, is told with as many as a mean, of
# a hundred.
_EXACTLY, _ROOT, _TOLD = Context(prec=2 * EXACT.prec), Context(prec=100), Context(prec=28)


class Counted(NamedTuple):
    """What a row counts: its cells, and those of them whose extremes are unknown."""

    cells: Mapping[str, Cell]
    unknown: frozenset[str]

    @classmethod
    def of(cls, item: Item) -> "Counted":
        """What the item of a row says."""
        return cls(cells(item), unknown(item))


def measured(kept: Kept, found: Counted) -> Mapping[str, Value]:
    """The value of each measure."""
    return {name: _value(kept, name, found) for name in kept.declared.measures}


def together(rows: Iterable[Counted]) -> Counted:
    """What rows count together; an extreme that one of them does not know is unknown."""
    found, pending, every = dict[str, Cell](), frozenset[str](), [*rows]
    for row in every:
        pending |= row.unknown
        for name, each in row.cells.items():
            one = found.get(name, Cell())
            total = EXACT.add(one.total, each.total)
            found[name] = Cell(one.count + each.count, total, joined(one.extremes, each.extremes))
    return Counted(certain(found, [row.cells for row in every]), pending)


def inseparable(kept: Kept, varying: Sequence[str]) -> Mapping[str, str]:
    """The columns that rows which may differ in these keys don't have together, each with the reason."""
    keys = kept.declared.keys
    overlapping = next((name for name in varying if keys[name].overlaps), None)
    found = {name: "rows that differ in it have none together" for name in varying}
    for name, made in kept.declared.measures.items():
        if made.form == "distinct":
            found[name] = (
                "rows don't tell which values they have in common, so nobody knows how many they have together"
            )
        elif overlapping and made.form not in EXTREMES:
            found[name] = f"one item is in several groups by {overlapping}, and would count more than once"
    return found


def _value(kept: Kept, name: str, found: Counted) -> Value:
    form, cell = kept.declared.measures[name].form, found.cells.get(kept.cells.of[name], Cell())
    if form == "count_by":
        return counts(name, found.cells)
    if form == "mean":
        return _TOLD.divide(cell.total, cell.count) if cell.count else None
    if form == "stddev":
        return _deviation(cell, found.cells.get(kept.cells.squares[name], Cell()))
    if form in EXTREMES:
        return kept.cells.extreme(name, found.cells, found.unknown)
    return kept.cells.number(name, found.cells)


def _deviation(numbers: Cell, squares: Cell) -> Decimal | None:
    """The standard deviation of all numbers; None of none, or of a row that lacks so much that it has none."""
    count = Decimal(numbers.count)
    of_sum, of_squares = _EXACTLY.power(numbers.total, 2), _EXACTLY.multiply(count, squares.total)
    if not count or of_squares < of_sum:
        return None
    return _TOLD.plus(_ROOT.divide(_ROOT.sqrt(_EXACTLY.subtract(of_squares, of_sum)), count))
