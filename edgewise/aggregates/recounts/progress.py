"""A recount of extremes that proceeds in steps while its aggregate keeps changing.

Removed values can't be subtracted from extremes, so the extremes are reread from the sources. If there are many
sources, that takes several steps, and each step keeps its result for the next. Values added meanwhile are joined with
the result; values removed meanwhile are remembered: if they reach the final result, it can't be trusted.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from edgewise.aggregates.measures import Delta, Extremes, joined


class Position(NamedTuple):
    """How far the sources have been read: the number of the query, and the last sort key read from it."""

    query: int
    after: str


START = Position(0, "")

# How many cells one recount in steps covers at most: its intermediate results take room in the item.
TOGETHER = 64


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step of a recount has found, by cell; `position` is where the next step goes on, None at the end.

    `blocked` are cells whose extremes come from other aggregates in which they are unknown at present.
    """

    found: Mapping[str, Extremes]
    position: Position | None = None
    blocked: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Recount:
    """A recount under way of the cells in `found`.

    `begun` is the version of the aggregate at which the recount began: it identifies the recount. `found`: the extremes
    of the values read, and of those added since then. `removed`: the extremes of the values removed since then.
    """

    begun: int
    position: Position
    found: Mapping[str, Extremes]
    removed: Mapping[str, Extremes] = field(default_factory=dict)

    def is_at(self, other: "Recount") -> bool:
        """Whether the other is the same recount and has read equally far."""
        return (self.begun, self.position) == (other.begun, other.position)

    def follows(self, deltas: Mapping[str, Delta]) -> "Recount":
        """The recount after these changes of the aggregate."""
        found, removed = dict(self.found), dict(self.removed)
        for name in self.found.keys() & deltas.keys():
            found[name] = joined(found[name], deltas[name].added)
            removed[name] = joined(removed.get(name, Extremes()), deltas[name].removed)
        return replace(self, found=found, removed=removed)

    def only(self, names: Set[str]) -> "Recount | None":
        """The recount restricted to these cells; None if it has none of them."""
        found = {name: extremes for name, extremes in self.found.items() if name in names}
        removed = {name: extremes for name, extremes in self.removed.items() if name in names}
        return replace(self, found=found, removed=removed) if found else None

    def with_step(self, step: Progress) -> "Recount":
        """The recount with the result of one more step."""
        found = {name: joined(extremes, step.found.get(name, Extremes())) for name, extremes in self.found.items()}
        return replace(self, position=step.position or self.position, found=found)

    def overtaken(self) -> frozenset[str]:
        """The cells whose removed values reach the extremes found: they must be recounted once more."""
        return frozenset(name for name, gone in self.removed.items() if self.found[name].touches(gone))


def begun(version: int, names: Iterable[str], step: Progress) -> Recount:
    """The recount that begins with this step, which must not be the last one."""
    assert step.position is not None
    return Recount(version, step.position, {name: step.found.get(name, Extremes()) for name in names})
