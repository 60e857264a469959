"""Fields of items by the types of their values."""

import re
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import Attribute, Item
from edgewise.dynamodb.existing import BINARY, NUMBER, TEXT, key_text
from edgewise.times import from_epoch_seconds, parse_instant
from edgewise.views.conditions import Canonical, Condition, OneOf
from edgewise.views.fields import Field, forms

# How some write an offset: ISO 8601 lets them leave the colon out, which RFC 3339 asks for.
_OFFSET = re.compile(r"([+-]\d\d)(\d\d)", re.ASCII)
# A number that is written as a text.
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,4})?", re.ASCII)
# An item is in so many groups at most, by each key.
MOST_VALUES = 100


class Text(Field[str]):
    """A text; also a number, by its digits, bytes, in hexadecimal, or `true` and `false`.

    `after`: what is no part of the value, as `CUSTOMER#` in the key `CUSTOMER#ann`. A text that does not begin so is no
    value.
    """

    form, compared, example, wanted = "text", (str,), '"open"', "a text or None"

    def __init__(self, path: str = "", *, after: str = "") -> None:
        super().__init__(path)
        if not isinstance(after, str):
            why = 'a text that others begin with, such as "CUSTOMER#"'
            raise DeclarationError(f"after must be {why}, and not {after!r}")
        self.after = after

    @property
    def canonical(self) -> Canonical:
        """Its type, where it is read, and what is no part of it."""
        return [*super().canonical, *([self.after] if self.after else [])]

    def read(self, item: Item) -> str | None:
        """The text in an item; None where there is none that begins so. Raises ValueError if it is no text."""
        found = super().read(item)
        return found[len(self.after) :] if found is not None and found.startswith(self.after) else None

    def encoded(self, value: object) -> Attribute | None:
        """A text."""
        return {TEXT: value} if isinstance(value, str) else None

    def decoded(self, found: Attribute) -> str:
        """The text."""
        if "BOOL" in found:
            return "true" if found["BOOL"] else "false"
        if not {TEXT, NUMBER, BINARY} & found.keys():
            raise ValueError(f"must be a text, a number, bytes or a boolean, and is {forms(found)}")
        return key_text(found)


class Number(Field[Decimal]):
    """A number, also one that is written as a text."""

    form, compared, example, wanted = "number", (int, Decimal), '5 or Decimal("12.50")', "a Decimal or None"

    def encoded(self, value: object) -> Attribute | None:
        """An exact number: of others, nobody knows which one is meant."""
        return {NUMBER: str(value)} if isinstance(value, int | Decimal) and not isinstance(value, bool) else None

    def decoded(self, found: Attribute) -> Decimal:
        """The number, exactly."""
        if not {TEXT, NUMBER} & found.keys():
            raise ValueError(f"must be a number, and is {forms(found)}")
        if not _NUMBER.fullmatch(text := key_text(found)):
            raise ValueError("must be a number, and is another text")
        return measurable(Decimal(text))

    def written(self, value: Any) -> str:
        """A number in one form, whatever its zeros."""
        try:
            return f"{measurable(Decimal(value)):f}"
        except ValueError as error:
            raise DeclarationError(f"{self} is compared with {value}, which {error}") from error


class Instant(Field[datetime]):
    """An instant: RFC 3339 with an offset, also without its colon; or seconds since 1970, or `milliseconds`."""

    form, compared, example = "instant", (datetime,), "datetime(2026, 11, 30, tzinfo=UTC)"
    wanted = "a datetime with a zone, or None"

    def __init__(self, path: str = "", *, milliseconds: bool = False) -> None:
        super().__init__(path)
        if not isinstance(milliseconds, bool):
            raise DeclarationError(f"milliseconds must be True or False, and not {milliseconds!r}")
        self.milliseconds = milliseconds

    @property
    def canonical(self) -> Canonical:
        """Its type, where it is read, and what its numbers are."""
        return [*super().canonical, *(["milliseconds"] if self.milliseconds else [])]

    def encoded(self, value: object) -> Attribute | None:
        """An instant, in UTC."""
        return {TEXT: self.written(value)} if isinstance(value, datetime) and value.tzinfo else None

    def decoded(self, found: Attribute) -> datetime:
        """The instant, in UTC."""
        if NUMBER in found:
            number = Decimal(found[NUMBER])
            return from_epoch_seconds(number.scaleb(-3) if self.milliseconds else number)
        if TEXT not in found:
            raise ValueError(f"must be an instant, and is {forms(found)}")
        text: str = found[TEXT]
        has_colon = not _OFFSET.fullmatch(text[-5:])
        return parse_instant(text if has_colon else f"{text[:-2]}:{text[-2:]}")

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

    form, compared, example, wanted = "texts", (str,), '"new"', "a tuple of texts or None"

    def encoded(self, value: object) -> Attribute | None:
        """A tuple of texts."""
        if not isinstance(value, tuple) or not all(isinstance(each, str) for each in value):
            return None
        return {"L": [{TEXT: each} for each in value]}

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
