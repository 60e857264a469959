"""The columns of a view: its keys, and what is measured of each group. Type checkers learn what a row has of each."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Generic, Literal, Never, NoReturn, TypeVar, overload

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Attribute
from edgewise.views.conditions import Canonical, Condition, canonical
from edgewise.views.fields import Field
from edgewise.views.groupings import Grouping
from edgewise.views.values import Number, Text

T = TypeVar("T")
F = TypeVar("F", bound=Field[Any])
Form = Literal["count", "sum", "mean", "stddev", "min", "max", "first", "last", "distinct", "count_by"]
EXTREMES: frozenset[Form] = frozenset({"min", "max", "first", "last"})
# What a view measures that others may be made of: it is known at every moment, exactly.
PASSED_ON: frozenset[Form] = frozenset({"count", "sum", "distinct"})
# Where a row that stands for several says which columns these don't have together, and why.
NOT_TOGETHER = "_not_together"


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

    def _of_no_row(self, row: object) -> NoReturn:
        """Say why a row lacks the column: if it had it, that would be one of its own attributes."""
        raise AttributeError(f"{self}: {vars(row)[NOT_TOGETHER][self.name]}")


class _Comparable:
    """A column that conditions of a view are about which is made of this one."""

    def _as_field(self) -> Field[Any]:
        raise NotImplementedError

    def isin(self, *values: Any) -> Condition:
        """That the value is one of these."""
        return self._as_field().isin(*values)

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        found: Condition = self._as_field() == other
        return found

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        found: Condition = self._as_field() != other
        return found

    def __lt__(self, other: object) -> Condition:
        found: Condition = self._as_field() < other
        return found

    def __le__(self, other: object) -> Condition:
        found: Condition = self._as_field() <= other
        return found

    def __gt__(self, other: object) -> Condition:
        found: Condition = self._as_field() > other
        return found

    def __ge__(self, other: object) -> Condition:
        found: Condition = self._as_field() >= other
        return found

    __hash__ = object.__hash__


class Measured(Number):
    """A measure of another view as a field of its rows: a number that the engine wrote, of any length."""

    form = "measure"

    def decoded(self, found: Attribute) -> Decimal:
        """The number."""
        return Decimal(found["N"])


class GroupKey(_Comparable, Column[str]):
    """One of the keys by which a view groups."""

    def __init__(self, by: Grouping) -> None:
        super().__init__()
        self.by = by

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        return (self.by.field,)

    @property
    def field(self) -> Text:
        """The key as a field of rows, for a view that is made of them."""
        return _of_rows(self, Text(self.name))

    def _as_field(self) -> Field[Any]:
        return self.field

    @overload
    def __get__(self, row: None, owner: type) -> "GroupKey": ...
    @overload
    def __get__(self, row: object, owner: type) -> str: ...
    def __get__(self, row: object | None, owner: type) -> "GroupKey | str":
        """The declaration."""
        return self if row is None else self._of_no_row(row)


class Measure(_Comparable, Column[T]):
    """What is measured of a group: of which field, and of which of its items."""

    def __init__(
        self, form: Form, of: Field[Any] | None = None, where: Condition | None = None, max_values: int = 0
    ) -> None:
        super().__init__()
        self.form, self.of, self.where, self.max_values = form, of, where, max_values

    def field(self, word: str) -> Field[Any]:
        """The measure as a field of rows, for a view that is made of them; raises DeclarationError."""
        if self.form == "count_by":
            why = (
                "since a row may not have each value's number: group a view by that field, too, and make it of that one"
            )
            raise DeclarationError(f"{word}({self}): a count_by goes into no other view, {why}")
        if self.form not in PASSED_ON:
            raise DeclarationError(
                f"{word}({self}): a {self.form} goes into no other view, since nobody knows it exactly at every "
                "moment; counts, sums and distinct do"
            )
        return _of_rows(self, Measured(self.name))

    def _as_field(self) -> Field[Any]:
        return self.field("where")

    @overload
    def __get__(self, row: None, owner: type) -> "Measure[T]": ...
    @overload
    def __get__(self, row: object, owner: type) -> T: ...
    def __get__(self, row: object | None, owner: type) -> "Measure[T] | T":
        """The declaration."""
        return self if row is None else self._of_no_row(row)

    @property
    def canonical(self) -> Canonical:
        """What it says, however it is written."""
        bound = [self.max_values] if self.form == "count_by" else []
        return [self.form, canonical(self.of), canonical(self.where), *bound]

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


def _of_rows(column: Column[Any], field: F) -> F:
    if column.owner is None:
        raise DeclarationError("a view counts items, or rows of another view, and no columns of its own")
    field.owner = column.owner
    return field
