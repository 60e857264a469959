"""An aggregate, and the one rule by which it takes in a batch of records exactly once."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from edgewise.aggregates.as_stored import AsStored
from edgewise.aggregates.checkpoints import (
    DIRECT,
    LATEST_DELIVERY,
    NOTHING_QUARANTINED,
    REPAIRS,
    Checkpoint,
    Quarantined,
    alive,
    moved,
)
from edgewise.aggregates.effects import Effect, extremes_in, fold, last_closing
from edgewise.aggregates.knew import names
from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.open_hours.declaration import OpenedIn, OpenHours
from edgewise.aggregates.open_hours.hours import OpenPart, Put, is_open
from edgewise.aggregates.recounts.declaration import follows
from edgewise.times import EARLIEST, Millis

TOO_LATE = "a record came so late that nothing tells whether it had been counted before"
IN_DOUBT = "a change was made while it was repaired, and nothing tells whether the repair counted it"

# An item holds at most 400 KB. Cells may take this much of it; the rest is for the checkpoints of 500 shards over
# their lifetime.
ROOM = 190_000
_NEVER = Checkpoint(EARLIEST, EARLIEST)
# The longest value of a cell: a count, a sum, and four numbers, two of them with an instant.
VALUE_BYTES = 220


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The outcome of a batch: the aggregate, ready to be written, and the cells to recount before that if possible.

    `passed_over` are the effects that it lacks now, though its checkpoint covers them.
    """

    aggregate: "Aggregate"
    stale: frozenset[str]
    passed_over: Sequence[Effect] = ()


@dataclass(frozen=True, slots=True)
class Aggregate(AsStored):
    """One aggregate, and what it becomes with the records of a batch."""

    def absorb(
        self,
        shard: str,
        effects: Sequence[Effect],
        now: Millis,
        quarantined: Quarantined = NOTHING_QUARANTINED,
        acknowledged: Set[int] = frozenset(),
    ) -> Absorbed | None:
        """Absorb, in order, the effects of one shard that have not been absorbed yet; None if all of them have.

        Effects that cancel each other still move the checkpoint: if the batch is delivered again with other
        boundaries, only some of them may arrive, and these would not cancel. `quarantined` names the records in
        quarantine: those that the checkpoint passes are noted as missing, unless they are among the effects. Effects
        older than LATEST_DELIVERY are passed over, because the checkpoint that would cover them may have been dropped;
        effects of quarantined records are absorbed at any age, because the checkpoints of their shards are kept.
        `acknowledged` are the closings that all whom they feed have absorbed.
        """
        fresh = self._fresh(shard, effects, quarantined)
        if not fresh:
            return None
        return self._absorbed(shard, fresh, Put(self.next_version(now), now, acknowledged), quarantined)

    def without(
        self,
        shard: str,
        effects: Sequence[Effect],
        why: str,
        now: Millis,
        quarantined: Quarantined = NOTHING_QUARANTINED,
    ) -> Absorbed | None:
        """Move the checkpoint past effects that the aggregate can't absorb, and say why.

        None if all of them have been absorbed already.
        """
        fresh = self._fresh(shard, effects, quarantined)
        if not fresh:
            return None
        nothing = [Effect(effect.checkpoint, {}, {}) for effect in fresh]
        told = replace(self, lacks=self.lacks or why, closed=self._closed(fresh))
        return replace(told._absorbed(shard, nothing, Put(self.next_version(now), now), quarantined), passed_over=fresh)

    def _fresh(self, shard: str, effects: Sequence[Effect], quarantined: Quarantined) -> list[Effect]:
        """The effects that concern the item and have not been absorbed yet, nor added by a repair.

        A plan has no effect on an item that has absorbed further shards since the plan was made.

        No repair has added what is in quarantine: an aggregate that this would feed is not repaired, unless nobody
        could tell, because the record could not be read then.
        """
        known, repaired = self.checkpoints.get(shard), self._repaired_until(shard)
        set_aside = quarantined.get(shard, frozenset())
        if shard == REPAIRS and not all(self.is_known_to(effect) for effect in effects):
            return []
        return [
            effect
            for effect in effects
            if (known is None or not known.covers(effect.checkpoint.sequence))
            and (effect.last > repaired or _is_uncounted(effect, repaired, set_aside))
            and (not self.full or self._concerned(effect))
        ]

    def _repaired_until(self, shard: str) -> Millis:
        """The instant until which a plan has counted all sources; before all times if the last repair was none.

        Records up to then may still come, or come again, to an aggregate that has no checkpoint for their shard.
        """
        last = self.checkpoints.get(REPAIRS) if shard != REPAIRS else None
        return last.at if last and last.at == last.sequence else EARLIEST

    def _repaired_by_hand(self, shard: str) -> Checkpoint:
        """The last repair, if somebody made it by hand: it counted all sources, whatever was still to be delivered."""
        last = self.checkpoints.get(REPAIRS) if shard != REPAIRS else None
        return last if last and last.at < last.sequence else _NEVER

    def _countable(self, effect: Effect, repaired: Checkpoint) -> Effect:
        """The part of an effect that neither a repair by hand may have counted, nor others get directly.

        What goes is passed on without weight even if others get it directly: they may still have to learn by a closing
        that it came.
        """
        own = effect.first > repaired.sequence
        if self.id.kind.part(OpenHours) is None:
            return effect if own else effect.names_only
        direct = effect.checkpoint.at <= self._directly_until()
        if own and not direct:
            return effect
        mine, others = _only(effect, lambda name: own and not is_open(name)), _only(effect, is_open)
        if direct:
            others = Effect(effect.checkpoint, {}, {name: seen.weightless for name, seen in others.removed.items()})
        return Effect(effect.checkpoint, {**mine.added, **others.added}, {**mine.removed, **others.removed})

    def is_known_to(self, plan: Effect) -> bool:
        """Whether no shard that the plan did not know can have brought what the plan adds: each went on after it."""
        later = {shard for shard, last in self.checkpoints.items() if last.at > plan.checkpoint.at}
        return plan.knew is None or names(self) - later <= plan.knew.get(self.id, frozenset())

    def _absorbed(self, shard: str, fresh: Sequence[Effect], put: Put, quarantined: Quarantined) -> Absorbed:
        known = self.checkpoints.get(shard)
        out_of_order = quarantined.get(shard, frozenset()) | (known.missing if known else frozenset())
        late = [effect for effect in fresh if effect.checkpoint.sequence in out_of_order] if out_of_order else []
        kept = quarantined.get(shard, frozenset())
        passed_over = [
            e for e in fresh if put.now - e.checkpoint.at > LATEST_DELIVERY and e.checkpoint.sequence not in kept
        ]
        too_late = {effect.checkpoint.sequence for effect in passed_over}
        countable = [effect for effect in fresh if effect.checkpoint.sequence not in too_late] if too_late else fresh
        repaired = self._repaired_by_hand(shard)
        planned = self._repaired_until(shard)
        in_doubt = any(
            (repaired.at < effect.last and effect.first <= repaired.sequence)
            or (effect.first <= planned < effect.last and not _is_uncounted(effect, planned, frozenset()))
            for effect in fresh
        )
        doubted = extremes_in(self._countable(effect, repaired) for effect in late)
        if follows(self.id.kind):  # those from which it has its extremes may only learn of it now
            doubted |= extremes_in(effect for effect in countable if effect.checkpoint.at <= repaired.sequence)
        deltas = fold(self._countable(effect, repaired) for effect in countable)
        opened = self._opened(deltas, doubted, put)
        cells, stale, full = self._fold(deltas)
        passed = moved(known, [effect.checkpoint for effect in fresh], out_of_order)
        absorbed = replace(
            self,
            version=put.version,
            cells=cells,
            checkpoints=alive({**self.checkpoints, shard: passed}, quarantined),
            lacks=self.lacks or (TOO_LATE if passed_over else IN_DOUBT if in_doubt else ""),
            full=full,
            opened=opened,
            closed=self._closed(fresh),
        )
        outcome = absorbed._doubting(stale, doubted, deltas)
        return replace(outcome, passed_over=passed_over) if passed_over else outcome

    def deprived(
        self, shard: str, effects: Sequence[Effect], why: str, now: Millis, quarantined: Quarantined, *, by_edges: bool
    ) -> Absorbed | None:
        """Move the checkpoint past effects that will never be delivered, and say why.

        None if the aggregate says so already, or if the effects have certainly been absorbed: the checkpoint stands
        exactly at the last of them. A checkpoint beyond it proves nothing, because later records may have moved it
        past them. Nor does a checkpoint prove anything about effects that would have come `by_edges`.
        """
        known, last = self.checkpoints.get(shard), effects[-1].checkpoint.sequence
        if not by_edges and known and known.sequence == last and known.covers(last):
            return None
        passed = self.without(shard, effects, why, now, quarantined)
        closed = self._closed(effects)
        if passed or (self.lacks and closed == self.closed):
            return passed
        lacking = replace(self, version=self.next_version(now), lacks=self.lacks or why, closed=closed)
        return Absorbed(lacking, frozenset())

    def closing(self, now: Millis) -> "Aggregate":
        """The aggregate after a put that passes on all that is open in it."""
        version = self.next_version(now)
        return replace(self, version=version, opened=self.opened.closed(Put(version, now)))

    def to_hand_on(self, shard: str, effects: Sequence[Effect], quarantined: Quarantined) -> list[Effect]:
        """What it has not absorbed yet of these effects, and would leave open, but hands on directly."""
        until = self._directly_until()
        late = [effect for effect in effects if effect.checkpoint.at <= until]
        return [_only(effect, is_open) for effect in self._fresh(shard, late, quarantined)] if late else []

    def _directly_until(self) -> Millis:
        last = self.checkpoints.get(DIRECT)
        return last.at if last else EARLIEST

    def admitted(self, names: Iterable[str]) -> tuple[list[str], bool]:
        """The new names that the item admits, and whether it is full after that."""
        new = [name for name in names if name not in self.cells]
        if not (new and self.unbounded) or self.full:
            return ([] if self.full else new), self.full
        weights = accumulate(map(weight, chain(self.cells, new)))
        fitting = sum(1 for reached in weights if reached <= ROOM) - len(self.cells)
        # An empty item always admits the first name, or that name would be passed on for ever.
        fitting = max(fitting, 0 if self.cells else 1)
        return new[:fitting], fitting < len(new)

    def _concerned(self, effect: Effect) -> bool:
        return any(name in self.cells for name in chain(effect.added, effect.removed))

    def _closed(self, fresh: Sequence[Effect]) -> int:
        """The number of the last closing that the checkpoints cover after these effects, absorbed or passed over."""
        return max(self.closed, last_closing(fresh)) if self.id.kind.part(OpenedIn) else 0

    def _opened(self, deltas: dict[str, Delta], late: Set[str], put: Put) -> OpenPart:
        """The open part after the changes of its names, which are taken out of `deltas`."""
        hours = self.id.kind.part(OpenHours)
        if hours is None:
            return self.opened
        names = [name for name in deltas if is_open(name)]
        return self.opened.absorbed(hours.stays, {name: deltas.pop(name) for name in names}, late, put)

    def _fold(self, deltas: Mapping[str, Delta]) -> tuple[dict[str, Cell], set[str], bool]:
        cells, stale = dict(self.cells), set[str]()
        new, full = self.admitted(deltas)
        cells.update((name, Cell()) for name in new)
        for name in cells.keys() & deltas.keys():
            cells[name], is_stale = cells[name].absorbed(deltas[name])
            if is_stale:
                stale.add(name)
        counted = {name: cell for name, cell in cells.items() if cell.counts}
        # When the item is full, records of an emptied cell may come again alone: they must find its name here.
        return cells if self.unbounded else counted, stale, full

    def _doubting(self, stale: Set[str], late: Set[str], deltas: Mapping[str, Delta]) -> Absorbed:
        """The aggregate after these changes of its cells, without the extremes that are now, or still, unknown.

        A recount under way follows the changes, but drops cells with late effects: their recount must restart.
        """
        unknown = self.unknown
        if not (stale or late or unknown):
            return Absorbed(self, frozenset())
        counting = frozenset(name for name, cell in self.cells.items() if cell.counts)
        stale = ((stale - unknown) | late) & counting
        recount = self.recount and self.recount.follows(deltas).only(counting - stale)
        due, queued = (self.due & counting) | stale, (self.queued & counting) - stale
        after = replace(self, due=due, queued=queued, recount=recount)
        cells = {**self.cells, **{name: replace(self.cells[name], extremes=Extremes()) for name in after.unknown}}
        return Absorbed(replace(after, cells=cells), due if recount else due | queued)


def _is_uncounted(effect: Effect, planned: Millis, set_aside: Set[int]) -> bool:
    """Whether no plan of this instant can have counted an effect, however old it is: nobody could read its source.

    What a carrier brings has sources of its own: a carrier that can't be read is no reason. They could not be read if
    they were in quarantine, until the carrier took them.
    """
    if effect.made is None:
        return effect.checkpoint.sequence in set_aside
    return effect.made.redriven and effect.checkpoint.at > planned


def _only(effect: Effect, wanted: Callable[[str], bool]) -> Effect:
    """The effect on the cells with these names."""
    added, removed = ({name: seen[name] for name in seen if wanted(name)} for seen in (effect.added, effect.removed))
    return Effect(effect.checkpoint, added, removed)


def weight(name: str) -> int:
    """How many bytes of an item to reserve for a cell: its name, the same name among those due, and its value."""
    return 2 * len(name.encode()) + VALUE_BYTES
