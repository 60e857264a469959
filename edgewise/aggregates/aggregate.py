"""An aggregate, and the one rule by which it takes in a batch of records exactly once."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Self

from edgewise.aggregates.alerts import Held
from edgewise.aggregates.checkpoints import (
    LATEST_DELIVERY,
    NOTHING_QUARANTINED,
    REPAIRS,
    Checkpoint,
    Quarantined,
    alive,
    moved,
)
from edgewise.aggregates.continuations.declaration import admitted
from edgewise.aggregates.effects import Effect, extremes_in, fold
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.knew import names
from edgewise.aggregates.latest import NOWHERE, Place, newest
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.open_hours.hours import (
    NOTHING_OPEN,
    OpenPart,
    Put,
    directly_until,
    is_open,
    last_closing,
    with_open,
)
from edgewise.aggregates.rankings.declaration import Enrolled
from edgewise.aggregates.recounts.declaration import FromOthers
from edgewise.aggregates.recounts.progress import Progress
from edgewise.aggregates.recounts.unknown import NOTHING_UNKNOWN, Unknown
from edgewise.times import EARLIEST, Millis

TOO_LATE = "a record came so late that nothing tells whether it had been counted before"
IN_DOUBT = "a change was made while it was repaired, and nothing tells whether the repair counted it"

_NEVER = Checkpoint(EARLIEST, EARLIEST)


@dataclass(frozen=True, slots=True)
class Absorbed:
    """The outcome of a batch: the aggregate, ready to be written, and the cells to recount before that if possible.

    `passed_over` are the effects that it lacks now, though its checkpoint covers them.
    """

    aggregate: "Aggregate"
    stale: frozenset[str]
    passed_over: Sequence[Effect] = ()


@dataclass(frozen=True, slots=True)
class Aggregate:
    """One aggregate, and what it becomes with the records of a batch. `version` 0: it has not been stored yet.

    `checkpoints` says, for each shard, how far the aggregate has absorbed it.
    `lacks` says why the aggregate does not count everything that its checkpoints cover, until somebody repairs it. It
    is empty if nothing is lacking.
    `full`: its names never change again; others are in continuations.
    `open`: what it has for others and has not passed on yet. `closed`: the number of the last closing that its
    checkpoints cover; 0 if none.
    `unknown`: the extremes that nobody knows at present.
    `heard`: the version of the last change of doubts that its writers knew, as far as one was recent (doubts.py).
    `enrolled`: the orders of magnitude at which its roster names it. `alerts`: which of its kind's conditions hold.
    `state`: what an application derives from the cells. `told`: which record has said what it counts, if it counts what
    the last one says.
    """

    id: AggregateId
    version: int = 0
    cells: Mapping[str, Cell] = field(default_factory=dict)
    checkpoints: Mapping[str, Checkpoint] = field(default_factory=dict)
    lacks: str = ""
    heard: int = 0
    full: bool = False
    open: OpenPart = NOTHING_OPEN
    closed: int = 0
    unknown: Unknown = NOTHING_UNKNOWN
    enrolled: Enrolled = ()
    alerts: Mapping[str, Held] = field(default_factory=dict)
    state: Any = None
    told: Place = NOWHERE

    def absorb(
        self, shard: str, effects: Sequence[Effect], now: Millis, quarantined: Quarantined = NOTHING_QUARANTINED
    ) -> Absorbed | None:
        """Absorb, in order, the effects of one shard that have not been absorbed yet; None if all of them have.

        Effects that cancel each other still move the checkpoint: if the batch is delivered again with other
        boundaries, only some of them may arrive, and these would not cancel. `quarantined` names the records in
        quarantine: those that the checkpoint passes are noted as missing, unless they are among the effects. Effects
        older than LATEST_DELIVERY are passed over, because the checkpoint that would cover them may have been dropped;
        effects of quarantined records are absorbed at any age, because the checkpoints of their shards are kept.
        """
        fresh = self.fresh(shard, effects, quarantined)
        return self._absorbed(shard, fresh, now, quarantined) if fresh else None

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
        fresh = self.fresh(shard, effects, quarantined)
        if not fresh:
            return None
        nothing = [Effect(effect.checkpoint, {}, {}) for effect in fresh]
        told = replace(self, lacks=self.lacks or why, closed=self._closed_by(fresh))
        return replace(told._absorbed(shard, nothing, now, quarantined), passed_over=fresh)

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
        passed, closed = self.without(shard, effects, why, now, quarantined), self._closed_by(effects)
        if passed or (self.lacks and closed == self.closed):
            return passed
        lacking = replace(self, version=self.next_version(now), lacks=self.lacks or why, closed=closed)
        return Absorbed(lacking, frozenset())

    def fresh(self, shard: str, effects: Sequence[Effect], quarantined: Quarantined) -> list[Effect]:
        """The effects that concern the item and have not been absorbed yet, nor added by a repair; of each record once.

        A plan has no effect on an item that has absorbed further shards since the plan was made.

        No repair has added what is in quarantine: an aggregate that this would feed is not repaired, unless nobody
        could tell, because the record could not be read then.
        """
        known, repaired = self.checkpoints.get(shard), self._repaired_until(shard)
        set_aside = quarantined.get(shard, frozenset())
        if shard == REPAIRS and not all(self.is_known_to(effect) for effect in effects):
            return []
        once = {effect.checkpoint.sequence: effect for effect in effects}
        return [
            effect
            for effect in once.values()
            if (known is None or not known.covers(effect.checkpoint.sequence))
            and (effect.last > repaired or effect.is_uncounted(repaired, set_aside))
            and (not self.full or self._has_names_of(effect))
        ]

    def _has_names_of(self, effect: Effect) -> bool:
        return any(name in self.cells for name in chain(effect.added, effect.removed))

    @property
    def repaired(self) -> int:
        """The number of the last repair that it has absorbed; 0 if there was none."""
        known = self.checkpoints.get(REPAIRS)
        return known.sequence if known else 0

    def is_known_to(self, plan: Effect) -> bool:
        """Whether no shard that the plan did not know can have brought what the plan adds: each went on after it."""
        later = {shard for shard, last in self.checkpoints.items() if last.at > plan.checkpoint.at}
        known = names(self.id.kind, self.checkpoints)
        return plan.knew is None or known - later <= plan.knew.get(self.id, frozenset())

    def next_version(self, now: Millis) -> int:
        """The version of the next write.

        The first version is the time in milliseconds. So when an item is removed and created again, it never reuses a
        version: an item takes at most 1,000 writes a second, and exists for at least CHECKPOINT_LIFETIME.
        """
        return self.version + 1 if self.version else now

    @property
    def emptied(self) -> bool:
        """Whether the aggregate counts nothing, in cells or otherwise."""
        # The continuations of a full item may count something.
        if self.full or any(cell.counts for cell in self.cells.values()):
            return False
        return not (self.id.kind.open_hours and self.open.counts)

    def with_first_step(self, names: Set[str], step: Progress | None) -> Self:
        """The aggregate after the first step of a recount of these cells; None if a source can't be understood."""
        unknown, cells = self.unknown.with_first_step(self.cells, self.version, names, step)
        return replace(self, cells=cells, unknown=unknown)

    def with_next_step(self, step: Progress | None) -> Self:
        """The aggregate after the next step of the recount under way; None if a source can't be understood."""
        unknown, cells = self.unknown.with_next_step(self.cells, step)
        return replace(self, cells=cells, unknown=unknown)

    def to_put(self) -> Self:
        """The aggregate as it is to be stored: with all that follows from its cells."""
        after, ranked = self.derived(), self.id.kind.ranked
        if self.lacks and self.unknown.candidates:  # who has missed a change has missed it of a candidate, perhaps
            after = replace(after, unknown=replace(self.unknown, candidates={}))
        if ranked and self.id.is_read:
            after = replace(after, enrolled=ranked.enrolled(self.cells, self.enrolled))
        return after

    def derived(self) -> Self:
        """The aggregate with what follows from its cells alone, derived anew; the very same if nothing has changed."""
        kind, alerts, state = self.id.kind, self.alerts, self.state
        if kind.alerts and self.id.is_read:
            alerts = kind.alerts.held(self.id, self.version, self.cells, alerts)
        if kind.derives:
            state = kind.derives.following(self.id, self.version, self.cells, state)
        return self if alerts is self.alerts and state is self.state else replace(self, alerts=alerts, state=state)

    def _repaired_until(self, shard: str) -> Millis:
        """The instant until which a plan has counted all sources; before all times if the last repair was none.

        Records up to then may still come, or come again, to an aggregate that has no checkpoint for their shard.
        """
        last = self.checkpoints.get(REPAIRS) if shard != REPAIRS else None
        return last.at if last and last.at == last.sequence else EARLIEST

    def _repaired_by_hand(self, shard: str) -> Checkpoint:
        """The last repair, if somebody made it by hand: it counted all sources, whatever was still to be delivered.

        What counts its one source as the last record says needs not know what a repair has counted.
        """
        last = self.checkpoints.get(REPAIRS) if shard != REPAIRS and not self.id.kind.latest else None
        return last if last and last.at < last.sequence else _NEVER

    def _countable(self, effect: Effect, repaired: Checkpoint) -> Effect:
        """What counts of an effect: nothing that a repair by hand may have counted, nor what others get directly."""
        rest = effect if effect.first > repaired.sequence else effect.names_only
        return with_open(effect, rest, directly_until(self.checkpoints)) if self.id.kind.open_hours else rest

    def _closed_by(self, effects: Sequence[Effect]) -> int:
        """The number of the last closing once the checkpoint passes these effects, absorbed or passed over."""
        return max(self.closed, last_closing(effects)) if self.id.kind.opened_in else self.closed

    def _absorbed(self, shard: str, fresh: Sequence[Effect], now: Millis, quarantined: Quarantined) -> Absorbed:
        known, kept = self.checkpoints.get(shard), quarantined.get(shard, frozenset())
        out_of_order = kept | (known.missing if known else frozenset())
        late = [effect for effect in fresh if effect.checkpoint.sequence in out_of_order] if out_of_order else []
        passed_over = [
            effect
            for effect in fresh
            if now - effect.checkpoint.at > LATEST_DELIVERY and effect.checkpoint.sequence not in kept
        ]
        too_late = {effect.checkpoint.sequence for effect in passed_over}
        countable = [effect for effect in fresh if effect.checkpoint.sequence not in too_late] if too_late else fresh
        repaired = self._repaired_by_hand(shard)
        put = Put(self.next_version(now), now)
        counted = [self._countable(effect, repaired) for effect in countable]
        counting, stale = self._counting(counted, self._doubted(countable, late, repaired), put)
        passed = moved(known, [effect.checkpoint for effect in fresh], out_of_order)
        absorbed = replace(
            counting,
            closed=self._closed_by(fresh),
            checkpoints=alive({**self.checkpoints, shard: passed}, quarantined),
            lacks=self.lacks or (TOO_LATE if passed_over else IN_DOUBT if self._doubts(shard, fresh) else ""),
        )
        return Absorbed(absorbed, frozenset(stale), passed_over)

    def _doubts(self, shard: str, fresh: Sequence[Effect]) -> bool:
        """Whether nothing tells of one of these effects if the last repair has counted it, or a part of it."""
        repaired, planned = self._repaired_by_hand(shard), self._repaired_until(shard)
        return any(
            (repaired.at < effect.last and effect.first <= repaired.sequence)
            or (effect.first <= planned < effect.last and not effect.is_uncounted(planned, frozenset()))
            for effect in fresh
        )

    def _doubted(self, effects: Sequence[Effect], late: Sequence[Effect], repaired: Checkpoint) -> set[str]:
        """The cells whose extremes these effects don't tell, some of which come late."""
        doubted = extremes_in(self._countable(effect, repaired) for effect in late)
        extremal = self.id.kind.extremes
        if extremal and isinstance(extremal.found, FromOthers):
            # Those from which it has its extremes may only learn now of what a repair has counted.
            doubted |= extremes_in(effect for effect in effects if effect.checkpoint.at <= repaired.sequence)
        return doubted

    def _counting(self, effects: Sequence[Effect], doubted: Set[str], put: Put) -> tuple[Self, Set[str]]:
        """The aggregate after a put that counts these effects, and the cells to recount before that if possible.

        These are all steps, in their order. One that names a feature is taken by kinds that declare it.
        """
        kind, cells, told = self.id.kind, dict(self.cells), self.told
        if kind.latest:
            effects = newest(effects, told)
            cells, told = ({}, Place.of(effects[0])) if effects else (cells, told)
        deltas = fold(effects)
        opened, full = self.open, self.full
        if hours := kind.open_hours:  # what is open waits for others
            waiting = {name: deltas.pop(name) for name in [*filter(is_open, deltas)]}
            opened = opened.absorbed(hours.stays, waiting, doubted, put)
        if unbounded := kind.unbounded:  # new names while they fit; others are its continuations'
            new, full = admitted(self.cells, deltas, full=full)
            for name in deltas.keys() - self.cells.keys() - set(new):
                del deltas[name]
        changed = set[str]()
        for name, delta in deltas.items():
            cells[name], is_stale = cells.get(name, Cell()).absorbed(delta)
            if is_stale:
                changed.add(name)
        # Of cells that are called after values, there may be so many.
        named, counting = kind.named, {name: cell for name, cell in cells.items() if cell.counts}
        counted = named.fitting(self.cells, cells) if named else counting
        stale: Set[str] = changed | (doubted & counted.keys())
        kept = cells if unbounded else counted
        after = replace(self, version=put.version, cells=kept, full=full, open=opened, told=told)
        if kind.extremes:
            unknown, known, stale = self.unknown.absorbing(after.cells, deltas, effects, stale, doubted)
            after = replace(after, cells=known, unknown=unknown)
        return after, stale
