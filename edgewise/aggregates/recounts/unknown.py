"""The cells of an aggregate whose extremes are unknown, and what recounts find of them."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Self

from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.recounts.progress import TOGETHER, Progress, Recount, begun

Cells = Mapping[str, Cell]


@dataclass(frozen=True, slots=True)
class Unknown:
    """The cells of an aggregate whose extremes are unknown, and empty.

    They are the cells of `recount`, which is under way; the `queued` cells, whose recount follows; and the cells `due`
    for a recount at the next change, because the last recount found no source for them (everything that they count is
    being removed), or one that can't be understood.
    """

    due: frozenset[str] = frozenset()
    queued: frozenset[str] = frozenset()
    recount: Recount | None = None

    @property
    def names(self) -> frozenset[str]:
        """All of them."""
        return self.due | self.queued | (self.recount.found.keys() if self.recount else frozenset())

    @property
    def recounting(self) -> bool:
        """Whether a recount must go on even if nothing changes any more."""
        return bool(self.queued or self.recount)

    def after(self, cells: Cells, deltas: Mapping[str, Delta], stale: Set[str], doubted: Set[str]) -> Self:
        """What is unknown once the cells have absorbed these changes, which don't tell some cells' extremes.

        A recount under way follows the changes, but drops doubted cells: their recount must restart.
        """
        counting = frozenset(name for name, cell in cells.items() if cell.counts)
        stale = ((stale - self.names) | doubted) & counting
        recount = self.recount and self.recount.follows(deltas).only(counting - stale)
        due, queued = (self.due & counting) | stale, (self.queued & counting) - stale
        return replace(self, due=due, queued=queued, recount=recount)

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
        return replace(self, recount=None)._with_extremes(cells, names, after.found, queued=after.overtaken())

    def _with_extremes(
        self, cells: Cells, names: Set[str], found: Mapping[str, Extremes], queued: Set[str]
    ) -> tuple[Self, Cells]:
        """The same after the last step of a recount of these cells; those in `queued` must be recounted again."""
        known = {name for name in names - queued if found.get(name, Extremes()) != Extremes()}
        due, again = (self.due | names) - known - queued, (self.queued - names) | queued
        right = {name: replace(cells[name], extremes=found[name]) for name in known}
        return replace(self, due=due, queued=again), {**cells, **right}


NOTHING_UNKNOWN = Unknown()
