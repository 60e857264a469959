"""What is expected of aggregates, and the differences between expected and found numbers."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ops.api import Api
from ops.recounting.facts import Facts, Name


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
