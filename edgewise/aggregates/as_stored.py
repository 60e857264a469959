"""An aggregate as it is stored, and how recounts of its extremes change it."""

from collections.abc import Mapping, Set
from dataclasses import dataclass, field, replace
from typing import Self

from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.measures import Cell, Extremes
from edgewise.aggregates.open_hours.hours import NOTHING_OPEN, OpenPart
from edgewise.aggregates.parts import Kept
from edgewise.aggregates.recounts.progress import TOGETHER, Progress, Recount, begun
from edgewise.times import Millis


@dataclass(frozen=True, slots=True)
class AsStored:
    """One aggregate as stored. `version` 0 means that it has not been stored yet.

    `checkpoints` says, for each shard, how far the aggregate has absorbed it.
    `lacks` says why the aggregate does not count everything that its checkpoints cover, until somebody repairs it. It
    is empty if nothing is lacking.

    The extremes of some cells may be unknown, and are then empty: the cells of `recount`, which is under way; the
    `queued` cells, whose recount follows; and the cells `due` for a recount at the next change, because the last
    recount found no source for them (everything that they count is being removed), or one that can't be understood.

    `unbounded`: senders may keep inventing names. Such an aggregate keeps every name that it has absorbed, even when
    the cell is empty. Once a name does not fit, the item is `full` and its names never change again: all other names
    belong to its continuations (edgewise/aggregates/continuations/items.py).

    `opened` is its open part, if its kind has one; `closed` the number of the last closing that its
    checkpoints cover.

    `kept`: what the parts of its kind keep on it, as far as there is something to keep.
    """

    id: AggregateId
    version: int = 0
    cells: Mapping[str, Cell] = field(default_factory=dict)
    checkpoints: Mapping[str, Checkpoint] = field(default_factory=dict)
    due: frozenset[str] = frozenset()
    lacks: str = ""
    unbounded: bool = False
    full: bool = False
    queued: frozenset[str] = frozenset()
    recount: Recount | None = None
    opened: OpenPart = NOTHING_OPEN
    closed: int = 0
    kept: Kept = field(default_factory=dict)

    @property
    def unknown(self) -> frozenset[str]:
        """The cells whose extremes are unknown."""
        return self.due | self.queued | (self.recount.found.keys() if self.recount else frozenset())

    @property
    def recounting(self) -> bool:
        """Whether a recount must go on even if nothing changes any more."""
        return bool(self.queued or self.recount)

    def next_version(self, now: Millis) -> int:
        """The version of the next write.

        The first version is the time in milliseconds. So when an item is removed and created again, it never reuses a
        version: an item takes at most 1,000 writes a second, and exists for at least CHECKPOINT_LIFETIME.
        """
        return self.version + 1 if self.version else now

    @property
    def emptied(self) -> bool:
        """Whether the aggregate counts nothing; never true of a full one, whose continuations may count something."""
        return not (self.full or self.opened.counts or any(cell.counts for cell in self.cells.values()))

    def to_put(self) -> Self:
        """The aggregate as it is to be stored: with what its parts keep now that it has these cells."""
        kept = self.kept
        for part in self.id.kind.parts:
            known = kept.get(type(part))
            if (following := part.following(self.id, self.cells, known)) != known:
                kept = {**kept, type(part): following}
        return self if kept is self.kept else replace(self, kept=kept)

    def with_first_step(self, names: Set[str], step: Progress | None) -> Self:
        """The aggregate after the first step of a recount of cells; `step` is None if a source can't be understood.

        If one step is enough, the extremes of the cells are known. A cell for which it found nothing is due for
        another recount: the next value added must not be joined with the extremes of values that are being removed.
        """
        if step is None:
            return replace(self, due=self.due | names, queued=self.queued - names)
        if step.position is None:
            return self._with_extremes(names, step.found, queued=step.blocked)
        if self.recount:
            return replace(self, due=self.due - names, queued=self.queued | names)
        together = frozenset(sorted(names)[:TOGETHER])
        under_way, queued = begun(self.version, together, step), (self.queued | names) - together
        return replace(self, due=self.due - names, queued=queued, recount=under_way)

    def with_next_step(self, step: Progress | None) -> Self:
        """The aggregate after the next step of the recount under way; None if a source can't be understood."""
        assert self.recount is not None
        recount, names = self.recount, self.recount.found.keys()
        if step is None:
            return replace(self, due=self.due | names, recount=None)
        after = recount.with_step(step)
        if step.position is not None:
            return replace(self, recount=after)
        return replace(self, recount=None)._with_extremes(names, after.found, queued=after.overtaken())

    def _with_extremes(self, names: Set[str], found: Mapping[str, Extremes], queued: Set[str]) -> Self:
        """The aggregate after the last step of a recount of these cells; those in `queued` must be recounted again."""
        known = {name for name in names - queued if found.get(name, Extremes()) != Extremes()}
        cells = {**self.cells, **{name: replace(self.cells[name], extremes=found[name]) for name in known}}
        due, again = (self.due | names) - known - queued, (self.queued - names) | queued
        return replace(self, cells=cells, due=due, queued=again)
