"""What a view should say: a plain GROUP BY of the items that a table has, without a stream and without an engine.

It reads items by the fields, conditions and groupings of the declaration; all else is counted anew.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Context, Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from edgewise.dynamodb.attributes import Item, n, s
from edgewise.views.columns import PASSED_ON, Measure, Ranking
from edgewise.views.declared import Declared

Group = tuple[str, ...]
# No sum has as many digits.
_EXACT = Context(prec=2000)
# With so many digits means and deviations are told.
_TOLD = Context(prec=28)


def counted(declared: Declared, items: Sequence[Item]) -> dict[Group, dict[str, Any]]:
    """The value of each measure by group; raises ValueError for an item that nobody can read."""
    return {
        group: {name: measured(made, some) for name, made in declared.measures.items()}
        for group, some in grouped(declared, items).items()
    }


def grouped(declared: Declared, items: Sequence[Item]) -> Mapping[Group, list[Item]]:
    """What each group counts: items of the table, or rows of the view below."""
    found = dict[Group, list[Item]]()
    for item in _rows(declared.lower, items) if declared.lower else items:
        if declared.takes(item):
            for group in product(*(by.values(item) for by in declared.keys.values())):
                found.setdefault(group, []).append(item)
    return found


def measured(made: Measure[Any], some: Sequence[Item]) -> Any:
    """The value of a measure of some items."""
    mine = [item for item in some if made.where is None or made.where.holds(item)]
    if made.of is None:
        return len(mine)
    found = [value for item in mine if (value := made.of.read(item)) is not None]
    if made.form == "count_by":
        return Counter(found)
    return len({*found}) if made.form == "distinct" else _of_numbers(made.form, found)


def ranked(ranking: Ranking, some: Sequence[Item]) -> dict[str, Decimal]:
    """The number of each value that is ranked within a group."""
    found = dict[str, list[Item]]()
    for item in some:
        value = ranking.of.read(item)
        if value is not None and (ranking.by.where is None or ranking.by.where.holds(item)):
            found.setdefault(value, []).append(item)
    return {value: Decimal(measured(ranking.by, each)) for value, each in found.items()}


def different(made: Measure[Any], some: Sequence[Item]) -> list[str]:
    """The values that a group counts by `distinct`, in order."""
    found = (made.of.read(item) for item in some if made.of and (made.where is None or made.where.holds(item)))
    return sorted({value for value in found if value is not None})


def _of_numbers(form: str, found: Sequence[Any]) -> Decimal | datetime | None:
    if form == "sum":
        return _sum(found)
    if not found:
        return None
    if form in ("min", "first"):
        least: Decimal | datetime = min(found)
        return least
    if form in ("max", "last"):
        greatest: Decimal | datetime = max(found)
        return greatest
    mean = _TOLD.divide(_sum(found), Decimal(len(found)))
    return mean if form == "mean" else _deviation(found)


def _sum(numbers: Sequence[Decimal]) -> Decimal:
    total = Decimal(0)
    for number in numbers:
        total = _EXACT.add(total, number)
    return total


def _deviation(numbers: Sequence[Decimal]) -> Decimal:
    """The root of the mean square of what each number differs from the mean by."""
    exact = list(map(Fraction, numbers))
    mean = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((each - mean) ** 2 for each in exact), Fraction(0)) / len(exact)
    return _TOLD.plus(_EXACT.sqrt(_EXACT.divide(Decimal(variance.numerator), Decimal(variance.denominator))))


def _rows(declared: Declared, items: Sequence[Item]) -> Iterator[Item]:
    """The rows of a view as items, for one that is made of them."""
    passed = declared.of_form(*PASSED_ON)
    for group, values in counted(declared, items).items():
        told = {name: s(value) for name, value in zip(declared.keys, group, strict=True)}
        yield {**told, **{name: n(values[name]) for name in passed}}
