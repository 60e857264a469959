"""Numbers of aggregates, by kind and by what they are about; and the differences between two sides."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from local.api import Api

# A text, or the components of a path: a place, a node.
Dimension = str | tuple[str, ...]


class Name(NamedTuple):
    """One aggregate: its kind, as the table calls it, and what it is about."""

    kind: str
    about: tuple[Dimension, ...]

    def __str__(self) -> str:
        parts = ("/".join(part) if isinstance(part, tuple) else part for part in self.about)
        return f"{self.kind} {' '.join(parts)}"


Fields = Mapping[str, object]
Facts = dict[Name, Fields]


@dataclass(frozen=True)
class Check:
    """Some aggregates that one reading shows, whole: what is expected there, and how to read what is."""

    expected: Facts
    read: Callable[[Api], Facts]


@dataclass(frozen=True, order=True)
class Difference:
    """One number that is not what it should be. `seen_by` says who found it: the API, or the recount there."""

    name: Name
    field: str
    expected: str
    found: str
    seen_by: str

    def __str__(self) -> str:
        return f"{self.name}: {self.field}: {self.expected} expected, {self.found} found ({self.seen_by})"


def differences(expected: Facts, found: Facts, seen_by: str) -> Iterator[Difference]:
    """Every field in which the sides differ; a side that lacks an aggregate has none of its fields."""
    for name in sorted(expected.keys() | found.keys(), key=str):
        there, here = expected.get(name, {}), found.get(name, {})
        for field in sorted(there.keys() | here.keys()):
            if there.get(field) != here.get(field):
                yield Difference(name, field, _text(there.get(field)), _text(here.get(field)), seen_by)


def _text(value: object) -> str:
    return "nothing" if value is None else str(value)
