"""Conditions: what must hold of an item, as values that are tested, written down, and are a part of a view's version.

A condition holds or does not: an attribute that is absent, or NULL, equals nothing and is neither less nor greater. So
`!=` and `~` hold of such an item.
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt
from typing import Any, NoReturn, Protocol

from edgewise.dynamodb.attributes import Item

# A declaration, or a part of it, as plain JSON values: the same for all ways to write what means the same.
Canonical = Any
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {"=": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


class Said(Protocol):
    """A part of a declaration."""

    @property
    def canonical(self) -> Canonical:
        """What it says, however it is written."""


def canonical(said: "Said | None") -> Canonical:
    """What a part says that may not be there."""
    return None if said is None else said.canonical


class Readable(Protocol):
    """What a condition is about: a field of items."""

    @property
    def canonical(self) -> Canonical:
        """What it reads."""

    def read(self, item: Item) -> Any:
        """Its value in an item, None if it has none; raises ValueError for what is no value of its type."""

    def written(self, value: Any) -> str:
        """A value as the canonical form has it."""


class Condition(ABC):
    """What must hold of an item. Combine them by `&`, `|` and `~`."""

    @abstractmethod
    def holds(self, item: Item) -> bool:
        """Whether it holds of an item; raises ValueError if nobody can tell."""

    @property
    @abstractmethod
    def canonical(self) -> Canonical:
        """What it says, however it is written."""

    @property
    @abstractmethod
    def fields(self) -> Sequence[Any]:
        """The fields that it asks for."""

    def __and__(self, other: "Condition") -> "Condition":
        return Both((self, _condition(other)))

    def __or__(self, other: "Condition") -> "Condition":
        return Either((self, _condition(other)))

    def __invert__(self) -> "Condition":
        return Not(self)

    def __bool__(self) -> NoReturn:
        raise TypeError("a condition is a part of a declaration: combine conditions by &, | and ~, not and, or and not")


def _condition(other: object) -> Condition:
    if not isinstance(other, Condition):
        raise TypeError(f"a condition is combined with another one, and not with {other!r}: are there parentheses?")
    return other


@dataclass(frozen=True, eq=False)
class Compared(Condition):
    """A field compared with a value."""

    field: Readable
    operator: str
    value: Any

    def holds(self, item: Item) -> bool:
        """Whether the field has a value that compares so."""
        found = self.field.read(item)
        return found is not None and _OPERATORS[self.operator](found, self.value)

    @property
    def canonical(self) -> Canonical:
        """The operator, the field and the value."""
        return [self.operator, self.field.canonical, self.field.written(self.value)]

    @property
    def fields(self) -> Sequence[Any]:
        """The one field."""
        return (self.field,)


@dataclass(frozen=True, eq=False)
class OneOf(Condition):
    """A field that has one of these values; one of several values, such as tags, that has one of these among them."""

    field: Readable
    values: tuple[Any, ...]

    def holds(self, item: Item) -> bool:
        """Whether the field has one of the values."""
        found = self.field.read(item)
        return not {*(found if isinstance(found, tuple) else (found,))}.isdisjoint(self.values)

    @property
    def canonical(self) -> Canonical:
        """The values in one order; a single one is a comparison."""
        values = sorted({self.field.written(value) for value in self.values})
        return ["=", self.field.canonical, values[0]] if len(values) == 1 else ["in", self.field.canonical, values]

    @property
    def fields(self) -> Sequence[Any]:
        """The one field."""
        return (self.field,)


@dataclass(frozen=True, eq=False)
class Exists(Condition):
    """A field that has a value."""

    field: Readable

    def holds(self, item: Item) -> bool:
        """Whether it is there, and not NULL."""
        return self.field.read(item) is not None

    @property
    def canonical(self) -> Canonical:
        """The field."""
        return ["exists", self.field.canonical]

    @property
    def fields(self) -> Sequence[Any]:
        """The one field."""
        return (self.field,)


@dataclass(frozen=True, eq=False)
class Holds(Condition):
    """What a function says of an item (edgewise/views/flags.py)."""

    field: Readable

    def holds(self, item: Item) -> bool:
        """Whether the function says so."""
        return bool(self.field.read(item))

    @property
    def canonical(self) -> Canonical:
        """The function."""
        return self.field.canonical

    @property
    def fields(self) -> Sequence[Any]:
        """The one field."""
        return (self.field,)


@dataclass(frozen=True, eq=False)
class Not(Condition):
    """The contrary of a condition."""

    of: Condition

    def holds(self, item: Item) -> bool:
        """Whether the condition does not hold."""
        return not self.of.holds(item)

    @property
    def canonical(self) -> Canonical:
        """The condition; the contrary of its contrary is itself."""
        inner = self.of.canonical
        return inner[1] if inner[0] == "not" else ["not", inner]

    @property
    def fields(self) -> Sequence[Any]:
        """Those of the condition."""
        return self.of.fields


@dataclass(frozen=True, eq=False)
class _Combined(Condition):
    parts: tuple[Condition, ...]
    word = ""

    @property
    def canonical(self) -> Canonical:
        """The parts in one order, each once; those of a part that combines the same way are parts of this one."""
        told = [each.canonical for each in self.parts]
        flat = [part for each in told for part in (each[1:] if each[0] == self.word else [each])]
        parts = {json.dumps(part): part for part in flat}
        return [self.word, *(parts[key] for key in sorted(parts))] if len(parts) > 1 else flat[0]

    @property
    def fields(self) -> Sequence[Any]:
        """Those of all parts."""
        return [field for part in self.parts for field in part.fields]


class Both(_Combined):
    """What holds if all its parts do."""

    word = "and"

    def holds(self, item: Item) -> bool:
        """Whether all of them hold."""
        return not _one_is(False, self.parts, item)


class Either(_Combined):
    """What holds if one of its parts does."""

    word = "or"

    def holds(self, item: Item) -> bool:
        """Whether one of them holds."""
        return _one_is(True, self.parts, item)


def _one_is(holding: bool, parts: Sequence[Condition], item: Item) -> bool:
    """Whether one of the parts holds, or doesn't; raises ValueError if no other part tells, and one can't be read.

    So it does not matter in which order they are written, as it does not for the version of a view.
    """
    unread: ValueError | None = None
    for part in parts:
        try:
            if part.holds(item) is holding:
                return True
        except ValueError as error:
            unread = unread or error
    if unread:
        raise unread
    return False
