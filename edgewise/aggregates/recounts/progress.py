"""A recount of extremes that proceeds in steps while its aggregate keeps changing.

Removed values can't be subtracted from extremes, so the extremes are reread from the sources. If there are many
sources, that takes several steps, and each step keeps its result for the next. Values added meanwhile are joined with
the result; values removed meanwhile are remembered: if they reach the final result, it can't be trusted.

With candidates it can: they follow each change of a source. What changes while a step is being read is remembered until
the step is kept, since the step may have read the source before that.
"""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple, TypeVar

from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Delta, Extremes, joined
from edgewise.aggregates.recounts.candidates import CELLS, Candidates, Changed, following

T = TypeVar("T")


class Position(NamedTuple):
    """How far the sources have been read: the number of the query, and the last sort key read from it."""

    query: int
    after: str


START = Position(0, "")

# How many cells one recount in steps covers at most: its intermediate results take room in the item.
TOGETHER = 64
# How many sources of one cell may change while a step is being read: if more do, the cell goes without candidates.
MEANWHILE = 100


@dataclass(frozen=True, slots=True)
class Progress:
    """What one step of a recount has found, by cell; `position` is where the next step goes on, None at the end.

    `blocked` are cells whose extremes come from other aggregates in which they are unknown at present. `sources`: the
    single values that were read for each cell, by source.
    """

    found: Mapping[str, Extremes]
    position: Position | None = None
    blocked: frozenset[str] = frozenset()
    sources: Mapping[str, Changed] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recount:
    """A recount under way of the cells in `found`.

    `begun` is the version of the aggregate at which the recount began: it identifies the recount. `found`: the extremes
    of the values read, and of those added since then. `removed`: the extremes of the values removed since then.
    `candidates`: those of some of the cells; `meanwhile`: what has changed of these cells since the last step was kept.
    """

    begun: int
    position: Position
    found: Mapping[str, Extremes]
    removed: Mapping[str, Extremes] = field(default_factory=dict)
    candidates: Mapping[str, Candidates] = field(default_factory=dict)
    meanwhile: Mapping[str, Changed] = field(default_factory=dict)

    def is_at(self, other: "Recount") -> bool:
        """Whether the other is the same recount and has read equally far."""
        return (self.begun, self.position) == (other.begun, other.position)

    def follows(self, deltas: Mapping[str, Delta], effects: Sequence[Effect]) -> "Recount":
        """The recount after these changes of the aggregate, which these effects bring."""
        found, removed = dict(self.found), dict(self.removed)
        for name in self.found.keys() & deltas.keys():
            found[name] = joined(found[name], deltas[name].added)
            removed[name] = joined(removed.get(name, Extremes()), deltas[name].removed)
        candidates, told = following(self.candidates, effects)
        meanwhile = {name: {**self.meanwhile.get(name, {}), **news} for name, news in told.items()}
        few = {name for name, each in meanwhile.items() if len(each) <= MEANWHILE}
        return replace(
            self, found=found, removed=removed, candidates=among(few, candidates), meanwhile=among(few, meanwhile)
        )

    def only(self, names: Set[str]) -> "Recount | None":
        """The recount restricted to these cells; None if it has none of them."""
        found, removed = among(names, self.found), among(names, self.removed)
        candidates, meanwhile = among(names, self.candidates), among(names, self.meanwhile)
        return Recount(self.begun, self.position, found, removed, candidates, meanwhile) if found else None

    def with_step(self, step: Progress) -> "Recount":
        """The recount with the result of one more step."""
        found = {name: joined(extremes, step.found.get(name, Extremes())) for name, extremes in self.found.items()}
        candidates = {
            name: each.after(without(self.meanwhile.get(name, {}), step.sources[name]))
            for name, each in self.candidates.items()
            if name in step.sources
        }
        return replace(self, position=step.position or self.position, found=found, candidates=candidates, meanwhile={})

    @property
    def told(self) -> dict[str, Extremes]:
        """The extremes that candidates tell: those are exact, whatever was removed meanwhile."""
        return {name: extremes for name, each in self.candidates.items() if (extremes := each.extremes)}

    def overtaken(self) -> frozenset[str]:
        """The other cells whose removed values reach the extremes found: they must be recounted once more."""
        reached = {name for name, gone in self.removed.items() if self.found[name].touches(gone)}
        return frozenset(reached - self.told.keys())


def begun(version: int, names: Iterable[str], step: Progress) -> Recount:
    """The recount that begins with this step, which must not be the last one."""
    assert step.position is not None
    found = {name: step.found.get(name, Extremes()) for name in names}
    some = islice(filter(step.sources.__contains__, found), CELLS)
    candidates = {name: Candidates().after(step.sources[name]) for name in some}
    return Recount(version, step.position, found, candidates=candidates)


def among(names: Set[str], known: Mapping[str, T]) -> dict[str, T]:
    """What is known of these names."""
    return {name: each for name, each in known.items() if name in names}


def without(names: Mapping[str, object], known: Mapping[str, T]) -> dict[str, T]:
    """What is known of other names than these."""
    return {name: each for name, each in known.items() if name not in names}
