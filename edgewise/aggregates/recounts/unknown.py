"""The cells of an aggregate whose extremes are unknown, what recounts find of them, and who comes next."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Self

from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.recounts.candidates import CELLS, Candidates, following
from edgewise.aggregates.recounts.progress import TOGETHER, Progress, Recount, among, begun

Cells = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The cells of an aggregate whose extremes are unknown, and empty.

    They are the cells of `recount`, which is under way; the `queued` cells, whose recount follows; and the cells `due`
    for a recount at the next change, because the last recount found no source for them (everything that they count is
    being removed), or one that can't be understood.

    `candidates`: those that a recount in steps has found for cells whose extremes are known.
    """

    due: frozenset[str] = frozenset()
    queued: frozenset[str] = frozenset()
    recount: Recount | None = None
    candidates: Mapping[str, Candidates] = field(default_factory=dict)

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.due | self.queued | (self.recount.found.keys() if self.recount else frozenset())

    @property
    def recounting(self) -> bool:
        """Whether a recount must go on even if nothing changes any more."""
        return bool(self.queued or self.recount)

    def absorbing(
        self, cells: Cells, deltas: Mapping[str, Delta], effects: Sequence[Effect], stale: Set[str], doubted: Set[str]
    ) -> tuple[Self, Cells, frozenset[str]]:
        """What is unknown once the cells have absorbed effects, the cells without that, and those to recount first.

        `deltas` is what the effects sum up. The `stale` cells can't tell their extremes any more, and the effects don't
        tell those of `doubted` ones.
        """
        if not stale and self == NOTHING_UNKNOWN:
            return self, cells, frozenset()
        told = self.told(stale - doubted, effects)
        now = self.after(cells, deltas, effects, stale - told.keys(), doubted)
        extremes = {**told, **dict.fromkeys(now.names, Extremes())}
        known = {name: replace(cells[name], extremes=each) for name, each in extremes.items()}
        return now, {**cells, **known}, now.due if now.recount else now.due | now.queued

    def told(self, stale: Set[str], effects: Sequence[Effect]) -> dict[str, Extremes]:
        """The extremes of those of the stale cells whose candidates tell them after these effects."""
        after, _ = following(among(stale, self.candidates), effects)
        return {name: extremes for name, each in after.items() if (extremes := each.extremes)}

    def after(
        self, cells: Cells, deltas: Mapping[str, Delta], effects: Sequence[Effect], stale: Set[str], doubted: Set[str]
    ) -> Self:
        """What is unknown once the cells have absorbed effects.

        A recount under way follows the changes, but drops doubted cells: their recount must restart.
        """
        counting = frozenset(name for name, cell in cells.items() if cell.counts)
        stale = ((stale - self.names) | doubted) & counting
        recount = self.recount and self.recount.follows(deltas, effects).only(counting - stale)
        due, queued = (self.due & counting) | stale, (self.queued & counting) - stale
        candidates, _ = following(among(counting - stale, self.candidates), effects)
        return replace(self, due=due, queued=queued, recount=recount, candidates=candidates)

    def with_first_step(self, cells: Cells, version: int, names: Set[str], step: Progress | None) -> tuple[Self, Cells]:
        """What is unknown after the first step of a recount; `step` is None if a source can't be understood.

        If one step is enough, the extremes of the cells are known. A cell for which it found nothing is due for
        another recount: the next value added must not be joined with the extremes of values that are being removed.
        """
        if step is None:
            return replace(self, due=self.due | names, queued=self.queued - names), cells
        if step.position is None:
            return self._with_extremes(cells, names, step.found, queued=step.blocked)
        if self.recount:
            return replace(self, due=self.due - names, queued=self.queued | names), cells
        together = frozenset(sorted(names)[:TOGETHER])
        under_way, queued = begun(version, together, step), (self.queued | names) - together
        return replace(self, due=self.due - names, queued=queued, recount=under_way), cells

    def with_next_step(self, cells: Cells, step: Progress | None) -> tuple[Self, Cells]:
        """What is unknown after the next step of the recount under way; None if a source can't be understood."""
        assert self.recount is not None
        recount, names = self.recount, self.recount.found.keys()
        if step is None:
            return replace(self, due=self.due | names, recount=None), cells
        after = recount.with_step(step)
        if step.position is not None:
            return replace(self, recount=after), cells
        candidates = dict([*self.candidates.items(), *among(after.told.keys(), after.candidates).items()][-CELLS:])
        ended = replace(self, recount=None, candidates=candidates)
        return ended._with_extremes(cells, names, {**after.found, **after.told}, queued=after.overtaken())

    def _with_extremes(
        self, cells: Cells, names: Set[str], found: Mapping[str, Extremes], queued: Set[str]
    ) -> tuple[Self, Cells]:
        """The same after the last step of a recount of these cells; those in `queued` must be recounted again."""
        known = {name for name in names - queued if found.get(name, Extremes()) != Extremes()}
        due, again = (self.due | names) - known - queued, (self.queued - names) | queued
        right = {name: replace(cells[name], extremes=found[name]) for name in known}
        return replace(self, due=due, queued=again), {**cells, **right}


NOTHING_UNKNOWN = Unknown()
