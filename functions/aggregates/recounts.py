"""A recount of extremes that goes on in steps, while the aggregate that it is for goes on to change.

What is removed can't be subtracted from extremes, so they are read anew from the sources. Where these are many, that
takes several steps, and what has been read by one is kept for the next. What is added meanwhile joins what was
found, what is removed is remembered: at the end, a result that it reaches can't be trusted.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from functions.aggregates.measures import Delta, Extremes, joined


class Position(NamedTuple):
    """How far sources have been read: in which of the queries that find them, and after which sort key of it."""

    query: int
    after: str


START = Position(0, "")

# How many cells one recount in steps is for, at most: what it has found takes room in the item.
TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step of a recount has found, by cell; `position` is where the next one goes on, None at the end.

    `blocked` are cells whose extremes come from other aggregates that do not know them now.
    """

    found: Mapping[str, Extremes]
    position: Position | None = None
    blocked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Recount:
    """A recount under way of the cells in `found`.

    `begun` is the version of the aggregate in which it began: no other recount of this aggregate has the same.
    `found`: the extremes of what was read, and of what was added since. `removed`: those of what was removed since.
    """

    begun: int
    position: Position
    found: Mapping[str, Extremes]
    removed: Mapping[str, Extremes] = field(default_factory=dict)

    def is_at(self, other: "Recount") -> bool:
        """Whether it is the same recount, and has read as far."""
        return (self.begun, self.position) == (other.begun, other.position)

    def follows(self, deltas: Mapping[str, Delta]) -> "Recount":
        """The recount after changes of the aggregate."""
        found, removed = dict(self.found), dict(self.removed)
        for name in self.found.keys() & deltas.keys():
            found[name] = joined(found[name], deltas[name].added)
            removed[name] = joined(removed.get(name, Extremes()), deltas[name].removed)
        return replace(self, found=found, removed=removed)

    def only(self, names: Set[str]) -> "Recount | None":
        """The recount of those of its cells alone; None if none of them is left."""
        found = {name: extremes for name, extremes in self.found.items() if name in names}
        removed = {name: extremes for name, extremes in self.removed.items() if name in names}
        return replace(self, found=found, removed=removed) if found else None

    def with_step(self, step: Progress) -> "Recount":
        """The recount with what one more step has found."""
        found = {name: joined(extremes, step.found.get(name, Extremes())) for name, extremes in self.found.items()}
        return replace(self, position=step.position or self.position, found=found)

    def overtaken(self) -> frozenset[str]:
        """The cells in which something was removed that may have been found: they must be counted once more."""
        return frozenset(name for name, gone in self.removed.items() if self.found[name].touches(gone))


def begun(version: int, names: Iterable[str], step: Progress) -> Recount:
    """The recount that begins with this step, which is not the last one."""
    assert step.position is not None
    return Recount(version, step.position, {name: step.found.get(name, Extremes()) for name in names})
