"""The words that make columns: keys, and what is measured of each group."""

from datetime import datetime
from decimal import Decimal
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.views.columns import GroupKey, Measure, Ranking
from edgewise.views.conditions import Condition
from edgewise.views.counts import MOST, Counts
from edgewise.views.fields import Field
from edgewise.views.groupings import By, Grouping
from edgewise.views.values import Instant, Number, Text, Texts


def group_by(of: Text | Grouping | GroupKey) -> GroupKey:
    """A key: a group for each value of a text, of a period or of several texts, or of a key of the view below."""
    if isinstance(of, Grouping):
        return GroupKey(of)
    if isinstance(of, GroupKey):
        return GroupKey(By(of.field))
    if isinstance(of, Texts):
        raise DeclarationError(f"group_by needs one text, and {of} are several: write group_by(each_of({of}))")
    if not isinstance(of, Text):
        raise DeclarationError(
            "group_by needs a field that is declared as Text(), or each_of, levels_of, hour_of, day_of, month_of, "
            f"and not {of!r}"
        )
    return GroupKey(By(of))


def count(*, where: Condition | None = None) -> Measure[int]:
    """How many items there are; `where`: only those of which that holds, as FILTER does in SQL."""
    return Measure("count", where=_where("count", where))


def sum_of(of: Number | Measure[Any], *, where: Condition | None = None) -> Measure[Decimal]:
    """What the numbers add up to; an item without one adds nothing."""
    return Measure("sum", _number("sum_of", of), _where("sum_of", where))


def mean_of(of: Number | Measure[Any], *, where: Condition | None = None) -> Measure[Decimal | None]:
    """The mean of the numbers, to 28 digits; None if there are none."""
    return Measure("mean", _number("mean_of", of), _where("mean_of", where))


def min_of(of: Number | Measure[Any], *, where: Condition | None = None) -> Measure[Decimal | None]:
    """The smallest number; None if there is none, or while it is being recounted."""
    return Measure("min", _number("min_of", of), _where("min_of", where))


def max_of(of: Number | Measure[Any], *, where: Condition | None = None) -> Measure[Decimal | None]:
    """The greatest number; None if there is none, or while it is being recounted."""
    return Measure("max", _number("max_of", of), _where("max_of", where))


def first_of(of: Instant, *, where: Condition | None = None) -> Measure[datetime | None]:
    """The earliest instant, in UTC; None if there is none, or while it is being recounted."""
    return Measure("first", _instant("first_of", of), _where("first_of", where))


def last_of(of: Instant, *, where: Condition | None = None) -> Measure[datetime | None]:
    """The latest instant, in UTC; None if there is none, or while it is being recounted."""
    return Measure("last", _instant("last_of", of), _where("last_of", where))


def stddev_of(of: Number | Measure[Any], *, where: Condition | None = None) -> Measure[Decimal | None]:
    """The standard deviation of all the numbers (of the population), to 28 digits; None if there are none.

    It is exact up to its root: squares are added up with all their digits, of up to 10^18 items.
    """
    return Measure("stddev", _number("stddev_of", of), _where("stddev_of", where))


def distinct(of: Text | GroupKey) -> Measure[int]:
    """How many different values there are; an item without one adds none."""
    field = of.field if isinstance(of, GroupKey) else of
    if not isinstance(field, Text):
        raise DeclarationError(f"distinct needs a field that is declared as Text(), and not {of!r}")
    return Measure("distinct", field)


def count_by(of: Text | GroupKey, *, max_values: int = 20, where: Condition | None = None) -> Measure[Counts]:
    """How many items have each value of a text; an item without one adds nothing.

    `max_values`: how many values a group has a number of at once, all of a view 100 at most. What comes beyond is
    counted together, exactly, too (`Counts.others`). An item whose value is longer than 256 bytes is set aside.
    """
    field = of.field if isinstance(of, GroupKey) else of
    if not isinstance(field, Text):
        raise DeclarationError(f"count_by needs a field that is declared as Text(), and not {of!r}")
    if type(max_values) is not int or not 1 <= max_values <= MOST:
        raise DeclarationError(f"count_by: max_values must be a whole number from 1 to {MOST}, and not {max_values!r}")
    return Measure("count_by", field, _where("count_by", where), max_values)


def top(of: Text | GroupKey, *, by: Measure[Any]) -> Ranking:
    """The first of the values of a field within each group, by a count or a sum that the view measures."""
    field = of.field if isinstance(of, GroupKey) else of
    if not isinstance(field, Text):
        raise DeclarationError(f"top needs a field that is declared as Text(), and not {of!r}")
    if not isinstance(by, Measure) or by.form not in ("count", "sum"):
        why = "nobody knows anything else of all of them at every moment"
        raise DeclarationError(f"top: by must be a count or a sum of the same view, since {why}; and not {by!r}")
    return Ranking(field, by)


def _number(word: str, of: object) -> Field[Any]:
    if isinstance(of, Measure):
        return of.field(word)
    if not isinstance(of, Number):
        raise DeclarationError(f"{word} needs a field that is declared as Number(), and not {of!r}")
    return of


def _instant(word: str, of: object) -> Instant:
    if not isinstance(of, Instant):
        raise DeclarationError(f"{word} needs a field that is declared as Instant(), and not {of!r}")
    return of


def _where(word: str, where: object) -> Condition | None:
    if where is not None and not isinstance(where, Condition):
        raise DeclarationError(f'{word}: where must be a condition, such as Order.status == "open", and not {where!r}')
    return where
