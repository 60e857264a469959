"""Aggregates by name, with their numbers: what a recount of the input and a reading of the API have in common."""

from collections.abc import Mapping
from typing import NamedTuple

# A text, or the components of a path: a place, a node.
Dimension = str | tuple[str, ...]


class Name(NamedTuple):
    """The name of an aggregate: its kind, as in the table, and its dimensions."""

    kind: str
    about: tuple[Dimension, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.dimensions}"

    @property
    def dimensions(self) -> str:
        """What the aggregate is about, in words."""
        return " ".join("/".join(part) if isinstance(part, tuple) else part for part in self.about)


Fields = Mapping[str, object]
Facts = dict[Name, Fields]


def by_kind(facts: Facts) -> dict[str, Facts]:
    """The facts of each kind, in the order in which the kinds occur."""
    kinds: dict[str, Facts] = {}
    for name, fields in facts.items():
        kinds.setdefault(name.kind, {})[name] = fields
    return kinds
