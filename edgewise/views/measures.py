"""The columns of a view: its keys, and what is measured of each group. Type checkers learn what a row has of each."""

from collections.abc import Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Generic, Literal, Never, TypeVar, overload

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Attribute
from edgewise.views.conditions import Canonical, Condition, canonical
from edgewise.views.fields import Field, Instant, Number, Text, Texts
from edgewise.views.groupings import By, Grouping

T = TypeVar("T")
Form = Literal["count", "sum", "mean", "min", "max", "first", "last", "distinct"]
EXTREMES: frozenset[Form] = frozenset({"min", "max", "first", "last"})
# What a view measures that others may be made of: it is known at every moment, exactly.
PASSED_ON: frozenset[Form] = frozenset({"count", "sum", "distinct"})


class Column(Generic[T]):
    """A column of a view: of the class it is the declaration, of a row its value."""

    def __init__(self) -> None:
        self.name = ""
        self.owner: type | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        if self.owner is None:
            self.name, self.owner = name, owner

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{self.owner.__name__}.{self.name}" if self.owner else type(self).__name__


class GroupKey(Column[str]):
    """One of the keys by which a view groups."""

    def __init__(self, by: Grouping) -> None:
        super().__init__()
        self.by = by

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        return (self.by.field,)

    @overload
    def __get__(self, row: None, owner: type) -> "GroupKey": ...
    @overload
    def __get__(self, row: object, owner: type) -> str: ...
    def __get__(self, row: object | None, owner: type) -> "GroupKey | str":
        """The declaration: a row has its value in its own attributes."""
        return self


class Measure(Column[T]):
    """What is measured of a group: of which field, and of which of its items."""

    def __init__(self, form: Form, of: Field[Any] | None = None, where: Condition | None = None) -> None:
        super().__init__()
        self.form, self.of, self.where = form, of, where

    @overload
    def __get__(self, row: None, owner: type) -> "Measure[T]": ...
    @overload
    def __get__(self, row: object, owner: type) -> T: ...
    def __get__(self, row: object | None, owner: type) -> "Measure[T] | T":
        """The declaration: a row has its value in its own attributes."""
        return self

    @property
    def canonical(self) -> Canonical:
        """What it says, however it is written."""
        return [self.form, canonical(self.of), canonical(self.where)]

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        return [*([] if self.of is None else [self.of]), *(() if self.where is None else self.where.fields)]


class Ranking(Column[Never]):
    """The values of a field with the greatest counts or sums within each group, which `View.ranking` reads."""

    def __init__(self, of: Text, by: Measure[Any]) -> None:
        super().__init__()
        self.of, self.by = of, by

    @property
    def canonical(self) -> Canonical:
        """What it says, however it is written."""
        return [self.of.canonical, self.by.canonical]

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        return (self.of,)


class _Measured(Number):
    """A measure of another view as a field of its rows: a number that the engine wrote, of any length."""

    form = "measure"

    def decoded(self, found: Attribute) -> Decimal:
        """The number."""
        return Decimal(found["N"])


def group_by(of: Text | Grouping | GroupKey) -> GroupKey:
    """A key: a group for each value of a text, of a period or of several texts, or of a key of the view below."""
    if isinstance(of, Grouping):
        return GroupKey(of)
    if isinstance(of, GroupKey):
        return GroupKey(By(_key(of)))
    if isinstance(of, Texts):
        raise DeclarationError(f"group_by needs one text, and {of} are several: write group_by(each_of({of}))")
    if not isinstance(of, Text):
        raise DeclarationError(
            f"group_by needs a field that is declared as Text(), or each_of, hour_of, day_of, month_of, and not {of!r}"
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


def distinct(of: Text | GroupKey) -> Measure[int]:
    """How many different values there are; an item without one adds none."""
    field = _key(of) if isinstance(of, GroupKey) else of
    if not isinstance(field, Text):
        raise DeclarationError(f"distinct needs a field that is declared as Text(), and not {of!r}")
    return Measure("distinct", field)


def top(of: Text | GroupKey, *, by: Measure[Any]) -> Ranking:
    """The first of the values of a field within each group, by a count or a sum that the view measures."""
    field = _key(of) if isinstance(of, GroupKey) else of
    if not isinstance(field, Text):
        raise DeclarationError(f"top needs a field that is declared as Text(), and not {of!r}")
    if not isinstance(by, Measure) or by.form not in ("count", "sum"):
        why = "nobody knows anything else of all of them at every moment"
        raise DeclarationError(f"top: by must be a count or a sum of the same view, since {why}; and not {by!r}")
    return Ranking(field, by)


def _key(of: GroupKey) -> Text:
    field = Text(of.name)
    field.owner = of.owner
    return field


def _number(word: str, of: object) -> Field[Any]:
    if isinstance(of, Measure):
        if of.form not in PASSED_ON:
            raise DeclarationError(
                f"{word}({of}): a {of.form} goes into no other view, since nobody knows it exactly at every moment; "
                "counts, sums and distinct do"
            )
        field: Field[Any] = _Measured(of.name)
        field.owner = of.owner
        return field
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
