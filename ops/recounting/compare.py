"""Compares the aggregates that the API returned with the recount, one by one and field by field."""

from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from ops.recounting.facts import Facts, Fields, Name

Number = int | float | Decimal


@dataclass(frozen=True)
class Line:
    """One aggregate as found and as expected; None if that side lacks it."""

    name: Name
    found: Fields | None
    expected: Fields | None

    @property
    def verdict(self) -> str:
        """`exact`, or a list of the differences."""
        if self.found is None or self.expected is None:
            return "missing" if self.found is None else "unexpected"
        names = self.found.keys() | self.expected.keys()
        wrong = [name for name in sorted(names) if self.found.get(name) != self.expected.get(name)]
        return ", ".join(map(self._difference, wrong)) or "exact"

    def _difference(self, name: str) -> str:
        assert self.found is not None
        assert self.expected is not None
        found, expected = self.found.get(name), self.expected.get(name)
        if isinstance(found, Number) and isinstance(expected, Number):
            return f"{name}: {float(found) - float(expected):+g}"
        return f"{name}: {found} instead of {expected}"


@dataclass(frozen=True)
class Comparison:
    """All aggregates of one kind. Totals add up the first field: messages, events or a count."""

    kind: str
    lines: list[Line]

    @property
    def different(self) -> list[Line]:
        """The lines with differences."""
        return [line for line in self.lines if line.verdict != "exact"]

    @property
    def total_found(self) -> int:
        """The sum of the first field over what was read."""
        return _total([line.found for line in self.lines])

    @property
    def total_expected(self) -> int:
        """The sum of the first field over what was recounted."""
        return _total([line.expected for line in self.lines])

    @property
    def totaled(self) -> str:
        """The name of the field that the totals add up."""
        return next((name for line in self.lines for name in line.expected or line.found or {}), "")

    def without(self, names: Collection[Name]) -> "Comparison":
        """The same without the aggregates of these names."""
        return Comparison(self.kind, [line for line in self.lines if line.name not in names])


def compare(kind: str, found: Facts, expected: Facts) -> Comparison:
    """Compare the aggregates of both sides, in the order of their names."""
    names = sorted(found.keys() | expected.keys())
    return Comparison(kind, [Line(name, found.get(name), expected.get(name)) for name in names])


def first_field(side: Fields | None) -> int:
    """The first field of an aggregate, which is a count; 0 if there is no such aggregate."""
    first = next(iter(side.values())) if side else 0
    assert isinstance(first, Number)
    return int(first)


def _total(sides: list[Fields | None]) -> int:
    return sum(map(first_field, sides))
