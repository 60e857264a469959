"""The cells of a view's rows: which one each measure is read from, and what an item adds to each.

A cell serves all measures of the same field and the same items, and is called as the first of them; `Count` counts all.
"""

from collections.abc import Callable, Iterator, Mapping, Set
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple

from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import COUNT, EXACT, Cell, Observation, Observations
from edgewise.aggregates.stored import cells, has_lost_too_much
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.views import columns
from edgewise.views.columns import EXTREMES
from edgewise.views.conditions import Condition
from edgewise.views.counts import cell_of
from edgewise.views.declared import Declared
from edgewise.views.fields import Field

_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
# The cell that counts what has lost more than it ever had, of all that feeds a row: that was stored before it counted.
LOST = "Lost"
# Measures that have cells of their own, whatever others measure.
APART: frozenset[columns.Form] = frozenset({"distinct", "count_by"})


class Measured(NamedTuple):
    """What a cell measures: of which field, None if it only counts; of which items.

    `extremal`: whether its extremes are kept; `squared`: whether it adds up squares.
    """

    of: Field[Any] | None
    where: Condition | None
    extremal: bool
    squared: bool = False

    def seen(self, item: Item, *, as_value: bool) -> Observation | None:
        """What an item adds to it; None: nothing. `as_value`: its extremes are of the items themselves."""
        if self.where is not None and not self.where.holds(item):
            return None
        if self.of is None:
            return Observation()
        if (found := self.of.read(item)) is None:
            return None
        number = micros(found) if isinstance(found, datetime) else found
        number = EXACT.multiply(number, number) if self.squared else number
        return Observation(value=number) if as_value and self.extremal else Observation(amount=number)


def micros(at: datetime) -> Decimal:
    """An instant as a number of microseconds since 1970: cells keep the first and the last as least and greatest."""
    return Decimal((at - _EPOCH) // _MICROSECOND)


def instant(number: Decimal) -> datetime:
    """The inverse."""
    return _EPOCH + int(number) * _MICROSECOND


class Cells:
    """The cells of one view."""

    def __init__(self, declared: Declared) -> None:
        self._declared = declared

    @cached_property
    def of(self) -> Mapping[str, str]:
        """The cell that each measure is read from."""
        found, first = dict[str, str](), dict[str, str]()
        for name, made in sorted(self._declared.measures.items()):
            if made.form in APART:
                found[name] = name
            elif made.of is None and made.where is None:
                found[name] = COUNT
            else:
                found[name] = first.setdefault(str(made.canonical[1:]), name)
        return found

    @cached_property
    def measured(self) -> Mapping[str, Measured]:
        """What each cell measures, but for `Count`, those of `distinct`, which edges feed, and those of values."""
        found = dict[str, Measured]()
        for name, cell in self.of.items():
            made = self._declared.measures[name]
            if cell != COUNT and made.form not in APART:
                known = found.get(cell)
                extremal = made.form in EXTREMES or (known is not None and known.extremal)
                found[cell] = Measured(made.of, made.where, extremal)
        for name, cell in self.squares.items():
            made = self._declared.measures[name]
            found[cell] = Measured(made.of, made.where, extremal=False, squared=True)
        return found

    @cached_property
    def squares(self) -> Mapping[str, str]:
        """The cell of the squares of each measure that needs them, beside that of its numbers."""
        return {name: f"{self.of[name]}^2" for name in self._declared.of_form("stddev")}

    def takes(self, item: Item) -> bool:
        """Whether an item is counted, or a row of the view below: also one of which nobody knows if it would be.

        Raises ValueError. A row that has lost too much has no numbers.
        """
        where = self._declared.where
        asks_for_numbers = where is not None and any(isinstance(each, columns.Measured) for each in where.fields)
        return (LOST in item and asks_for_numbers) or self._declared.takes(item)

    def observed(self, item: Item, *, as_value: bool) -> Observations:
        """What an item adds to each cell; raises ValueError if it can't be read.

        A row of the view below that has lost too much adds nothing else than that.
        """
        if LOST in item:
            return {LOST: Observation()}
        seen = {name: measured.seen(item, as_value=as_value) for name, measured in self.measured.items()}
        counted = dict.fromkeys((COUNT, *self._of_values(item)), Observation())
        return {**counted, **{name: each for name, each in seen.items() if each is not None}}

    def _of_values(self, item: Item) -> Iterator[str]:
        """The cells of the values that an item has."""
        for name, made in self._declared.of_form("count_by").items():
            if made.of is None or (made.where is not None and not made.where.holds(item)):
                continue
            if (value := made.of.read(item)) is not None:
                try:
                    yield cell_of(name, value)
                except ValueError as error:
                    raise ValueError(f"{made.of.source} {error}") from error

    @staticmethod
    def told(item: Item) -> Mapping[str, Cell]:
        """The cells of an entry, an edge or a row, as a source; none if it counts nothing."""
        found = cells(item)
        if LOST in found or has_lost_too_much(item):
            return {LOST: Cell(1)}
        return found if COUNT in found else {}

    def again(self, name: str, cell: Cell) -> Observation:
        """What an entry or an edge adds to a cell of its row. An entry has the number of its one item."""
        measured = self.measured.get(name)
        if measured is not None and measured.extremal:
            return Observation(cell.count, value=cell.total)
        return Observation(cell.count, amount=cell.total if measured and measured.of is not None else None)

    def number(self, name: str, found: Mapping[str, Cell]) -> int | Decimal:
        """A count or a sum, by the cells of a row."""
        cell = found.get(self.of[name], Cell())
        return cell.total if self._declared.measures[name].form == "sum" else cell.count

    def extreme(self, name: str, found: Mapping[str, Cell], unknown: Set[str]) -> Decimal | datetime | None:
        """An extreme, by the cells of a row; None: it has none, or nobody knows it at present."""
        form, extremes = self._declared.measures[name].form, found.get(self.of[name], Cell()).extremes
        one = extremes.low if form in ("min", "first") else extremes.high
        if self.of[name] in unknown or one is None:
            return None
        return instant(one) if form in ("first", "last") else one


class Told(NamedTuple):
    """What an entry or an edge tells of what it counts, as a source."""

    dims: tuple[str, ...]
    cells: Mapping[str, Cell]


def told_by(kind: Kind) -> Callable[[Item], Told | None]:
    """What reads the entries or edges of a kind, as a source."""

    def decode(item: Item) -> Told | None:
        found = Cells.told(item)
        return Told(kind.key.parse(*key_of(item)), found) if found else None

    return decode
