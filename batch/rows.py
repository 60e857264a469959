"""Rows of data, in one process or spread over many: the jobs are written in these, whoever runs them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Generic, TypeVar

Row = TypeVar("Row")
Made = TypeVar("Made")
Name = TypeVar("Name")
Value = TypeVar("Value")


class Rows(ABC, Generic[Row]):
    """Some rows, in parts. The functions given to them may run in other processes, and more than once."""

    @abstractmethod
    def flat_map(self, make: Callable[[Iterator[Row]], Iterable[Made]]) -> "Rows[Made]":
        """What `make` makes of each part."""

    @abstractmethod
    def merged(self: "Rows[tuple[Name, Value]]", merge: Callable[[Value, Value], Value]) -> "Rows[tuple[Name, Value]]":
        """One row for each name, with all its values merged, in any order. `merge` leaves its arguments unchanged."""

    @abstractmethod
    def with_rows(self, others: "Rows[Row]") -> "Rows[Row]":
        """These rows and the others."""

    @abstractmethod
    def of(self, rows: Iterable[Made]) -> "Rows[Made]":
        """Rows like these from this process."""

    @abstractmethod
    def kept(self) -> "Rows[Row]":
        """The same rows, made once however often they are read."""

    @abstractmethod
    def all(self) -> list[Row]:
        """All rows, in this process."""


@dataclass(frozen=True)
class InProcess(Rows[Row]):
    """Rows in this process, in one part."""

    rows: Iterable[Row]

    def flat_map(self, make: Callable[[Iterator[Row]], Iterable[Made]]) -> Rows[Made]:
        """What `make` makes of them."""
        return InProcess(list(make(iter(self.rows))))

    def merged(self: Rows[tuple[Name, Value]], merge: Callable[[Value, Value], Value]) -> Rows[tuple[Name, Value]]:
        """One row for each name."""
        found: dict[Name, Value] = {}
        for name, value in self.all():
            found[name] = merge(found[name], value) if name in found else value
        return InProcess(list(found.items()))

    def with_rows(self, others: Rows[Row]) -> Rows[Row]:
        """These rows and the others."""
        return InProcess(list(chain(self.rows, others.all())))

    def of(self, rows: Iterable[Made]) -> Rows[Made]:
        """Other rows."""
        return InProcess(list(rows))

    def kept(self) -> Rows[Row]:
        """The same rows."""
        return self

    def all(self) -> list[Row]:
        """All rows."""
        return list(self.rows)
