"""Fields of items: which attribute, by its path, and what its value is read as."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, ClassVar, Generic, TypeVar

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.measures import measurable, shortest
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import BINARY, NUMBER, TEXT, key_text
from edgewise.times import from_epoch_seconds, parse_instant
from edgewise.views.conditions import Canonical, Compared, Condition, Exists, OneOf

T = TypeVar("T")
# A number that is written as a text.
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?", re.ASCII)
# An item is in so many groups at most, by each key.
MOST_VALUES = 100


class Field(Generic[T]):
    """A value of items by its path, such as `price.net`; by default, an attribute of the field's own name.

    Comparing it makes a condition. Raises DeclarationError for a path that names nothing, and for a value of another
    type.
    """

    form: ClassVar[str]
    # The types of values that it is compared with, and how one is written.
    compared: ClassVar[tuple[type, ...]]
    example: ClassVar[str]

    def __init__(self, path: str = "") -> None:
        if not isinstance(path, str) or (path and not all(path.split("."))):
            raise DeclarationError(
                f'path must be names with points between them, such as "price.net", and not {path!r}'
            )
        self.path = path
        # The class of items, or the view, whose field it is, and what it is called there; None outside of one.
        self.owner: type | None = None
        self.name = path

    def __set_name__(self, owner: type, name: str) -> None:
        if self.owner is None:
            self.path, self.owner, self.name = self.path or name, owner, name

    def __repr__(self) -> str:
        return f"{self.owner.__name__}.{self.name}" if self.owner else self.path

    @property
    def canonical(self) -> Canonical:
        """Its type and its path."""
        return [self.form, self.path]

    def read(self, item: Item) -> T | None:
        """The value in an item; None where it is absent or NULL. Raises ValueError, with the path, if it is none."""
        if (found := self._found(item)) is None:
            return None
        try:
            return self.decoded(found)
        except ValueError as error:
            raise ValueError(f"{self.path} {error}") from error

    def decoded(self, found: Attribute) -> T:
        """The value of an attribute; raises ValueError."""
        raise NotImplementedError

    def written(self, value: Any) -> str:
        """A value as the canonical form has it."""
        return str(value)

    def exists(self) -> Condition:
        """That an item has a value there."""
        return Exists(self)

    def isin(self, *values: Any) -> Condition:
        """That the value is one of these."""
        if not values:
            raise DeclarationError(f"{self}.isin needs the values, such as {self}.isin({self.example})")
        return OneOf(self, tuple(map(self._comparable, values)))

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        return Compared(self, "=", self._comparable(other))

    def __ne__(self, other: object) -> Condition:  # type: ignore[override]
        return ~(self == other)

    def __lt__(self, other: Any) -> Condition:
        return Compared(self, "<", self._comparable(other))

    def __le__(self, other: Any) -> Condition:
        return Compared(self, "<=", self._comparable(other))

    def __gt__(self, other: Any) -> Condition:
        return Compared(self, ">", self._comparable(other))

    def __ge__(self, other: Any) -> Condition:
        return Compared(self, ">=", self._comparable(other))

    __hash__ = object.__hash__

    def _comparable(self, value: Any) -> Any:
        if value is None:
            raise DeclarationError(f"{self} is compared with None: write {self}.exists(), or ~{self}.exists()")
        if not isinstance(value, self.compared) or isinstance(value, bool):
            raise DeclarationError(f"{self} is compared with values such as {self.example}, and not with {value!r}")
        return value

    def _found(self, item: Item) -> Attribute | None:
        """The attribute; None if it is absent, or NULL. Raises ValueError if its path leads through what is no map."""
        found: Attribute | None = {"M": item}
        for name in self.path.split("."):
            if found is None or "NULL" in found:
                return None
            if "M" not in found:
                raise ValueError(f"{self.path} is within a map, and there is {_forms(found)}")
            found = found["M"].get(name)
        return None if found is None or "NULL" in found else found


class Text(Field[str]):
    """A text; also a number, by its digits, bytes, in hexadecimal, or `true` and `false`."""

    form, compared, example = "text", (str,), '"open"'

    def decoded(self, found: Attribute) -> str:
        """The text."""
        if "BOOL" in found:
            return "true" if found["BOOL"] else "false"
        if not {TEXT, NUMBER, BINARY} & found.keys():
            raise ValueError(f"must be a text, a number, bytes or a boolean, and is {_forms(found)}")
        return key_text(found)


class Number(Field[Decimal]):
    """A number, also one that is written as a text."""

    form, compared, example = "number", (int, Decimal), '5 or Decimal("12.50")'

    def decoded(self, found: Attribute) -> Decimal:
        """The number, exactly."""
        if not {TEXT, NUMBER} & found.keys():
            raise ValueError(f"must be a number, and is {_forms(found)}")
        if not _NUMBER.fullmatch(text := key_text(found)):
            raise ValueError("must be a number, and is another text")
        return measurable(Decimal(text))

    def written(self, value: Any) -> str:
        """A number in one form, whatever its zeros."""
        try:
            return f"{shortest(Decimal(value), 38, 38):f}"
        except ValueError as error:
            raise DeclarationError(f"{self} is compared with {value}, which {error}") from error


class Instant(Field[datetime]):
    """An instant: RFC 3339 with an offset, or seconds since 1970."""

    form, compared, example = "instant", (datetime,), "datetime(2026, 11, 30, tzinfo=UTC)"

    def decoded(self, found: Attribute) -> datetime:
        """The instant, in UTC."""
        if NUMBER in found:
            return from_epoch_seconds(Decimal(found[NUMBER]))
        if TEXT not in found:
            raise ValueError(f"must be an instant, and is {_forms(found)}")
        return parse_instant(found[TEXT])

    def written(self, value: Any) -> str:
        """An instant in UTC, whatever its zone."""
        return str(value.astimezone(UTC).isoformat())

    def _comparable(self, value: Any) -> Any:
        """In UTC: in Python, an instant in the hour that a zone has twice, or never, equals none of another zone."""
        if isinstance(value, datetime) and value.tzinfo is None:
            raise DeclarationError(f"{self} is compared with {value}, which needs a zone: {self.example}")
        return super()._comparable(value).astimezone(UTC)


class Texts(Field[tuple[str, ...]]):
    """Several texts: a set or a list, or a single one. One that is there twice counts once."""

    form, compared, example = "texts", (str,), '"new"'

    def decoded(self, found: Attribute) -> tuple[str, ...]:
        """The texts, each once."""
        for form in ("SS", "NS", "BS"):
            if form in found:
                return _few(key_text({form[0]: each}) for each in found[form])
        if "L" in found:
            return _few(_TEXT.decoded(each) for each in found["L"])
        return (_TEXT.decoded(found),)

    def has(self, text: str) -> Condition:
        """That one of the texts is this one."""
        return OneOf(self, (self._comparable(text),))

    def __eq__(self, other: object) -> Condition:  # type: ignore[override]
        raise DeclarationError(f"{self} are several texts: write {self}.has({other!r})")

    __lt__ = __le__ = __gt__ = __ge__ = __eq__
    __hash__ = object.__hash__


_TEXT = Text("text")


def _few(texts: Any) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(texts))
    if len(found) > MOST_VALUES:
        raise ValueError(f"has {len(found)} different texts: an item is in {MOST_VALUES} groups at most")
    return found


def _forms(found: Attribute) -> str:
    return ", ".join(found)
