"""The numbers of aggregates, by kind and dimensions, and the differences between expected and found numbers."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from local.api import Api

# A text, or the components of a path: a place, a node.
Dimension = str | tuple[str, ...]


class Name(NamedTuple):
    """The name of an aggregate: its kind, as in the table, and its dimensions."""

    kind: str
    about: tuple[Dimension, ...]

    def __str__(self) -> str:
        parts = ("/".join(part) if isinstance(part, tuple) else part for part in self.about)
        return f"{self.kind} {' '.join(parts)}"


Fields = Mapping[str, object]
Facts = dict[Name, Fields]


@dataclass(frozen=True)
class Check:
    """Aggregates that are read together: all expected numbers, and a function that reads the actual ones."""

    expected: Facts
    read: Callable[[Api], Facts]


@dataclass(frozen=True, order=True)
class Difference:
    """One number that is not as expected. `seen_by` names its source: the API, or the deployment's recount."""

    name: Name
    field: str
    expected: str
    found: str
    seen_by: str

    def __str__(self) -> str:
        return f"{self.name}: {self.field}: {self.expected} expected, {self.found} found ({self.seen_by})"


def differences(expected: Facts, found: Facts, seen_by: str) -> Iterator[Difference]:
    """Every field in which both sides differ. A side without an aggregate has none of the aggregate's fields."""
    for name in sorted(expected.keys() | found.keys(), key=str):
        there, here = expected.get(name, {}), found.get(name, {})
        for field in sorted(there.keys() | here.keys()):
            if there.get(field) != here.get(field):
                yield Difference(name, field, _text(there.get(field)), _text(here.get(field)), seen_by)


def _text(value: object) -> str:
    return "nothing" if value is None else str(value)
