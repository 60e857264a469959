"""Brings aggregates up to date by compare and set: read them, absorb the effects, replace those that are unchanged.

Some aggregates are read and replaced together, each on its own terms. Effects that an aggregate can't absorb are
isolated: they are passed over and noted on the aggregate, and it absorbs everything else.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from enum import Enum, auto

from edgewise import clock
from edgewise.aggregates import keys, rosters
from edgewise.aggregates.aggregate import Absorbed, Aggregate
from edgewise.aggregates.checkpoints import Quarantined, direct
from edgewise.aggregates.continuations import left_over
from edgewise.aggregates.effects import Batch, Effect, in_turn
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.opening import TooLargeError
from edgewise.aggregates.recounts import START
from edgewise.aggregates.stored import aggregate, aggregate_item, enrolled
from edgewise.aggregates.withheld import handed_on, withheld
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.replacements import Replacement, Reply
from edgewise.dynamodb.table import STATEMENTS_PER_BATCH, RefusedError, Table, chunks
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream import closings, incomplete, rankings
from edgewise.stream.recount import step

# How many sources to read at most for the extremes of one aggregate before it is written: one page.
ITEMS = 1000
# To find the effects that an aggregate can't absorb, a batch is bisected until this many tries have failed.
MAX_TRIES = 64

# Whether there is time to begin another request.
MayGoOn = Callable[[], bool]
# Replaces one item; raises RefusedError. (Table.replace is one.)
Replace = Callable[[Replacement], None]
# Replaces up to 25 items, each on its own. (Table.replace_many is one.)
ReplaceMany = Callable[[Sequence[Replacement]], Sequence[Reply]]


class Outcome(Enum):
    """The outcome of one try to bring an aggregate up to date. CURRENT: it had absorbed everything already."""

    WRITTEN = auto()
    CURRENT = auto()
    REFUSED = auto()


# The closings of aggregates that all whom they feed have absorbed.
Acknowledged = dict[AggregateId, Set[int]]
_NOTHING: Acknowledged = {}


class _NoTimeError(PassingError):
    """There is no time left to begin the next request."""


@dataclass(frozen=True, slots=True)
class _Change:
    """An aggregate that has absorbed its effects, and the item to put in place of the one that was read."""

    after: Aggregate
    replacement: Replacement

    @property
    def rises(self) -> bool:
        """Whether its roster does not name it yet as it must."""
        former = self.replacement.former
        return self.after.enrolled != (enrolled(former) if former else ())


@dataclass
class Done:
    """What came of some aggregates of a batch.

    `outcomes` lack those for which there was no time. `lacking` are the aggregates that could not absorb everything,
    each with the reason; `full` those that are full; `ranked` those that rankings must judge, as they were written
    (None: they were up to date already); `acknowledged` are the closings of aggregates that all whom they feed have
    absorbed.
    """

    outcomes: dict[AggregateId, Outcome] = field(default_factory=dict)
    lacking: dict[AggregateId, str] = field(default_factory=dict)
    full: dict[AggregateId, Aggregate] = field(default_factory=dict)
    ranked: dict[AggregateId, Aggregate | None] = field(default_factory=dict)
    acknowledged: Acknowledged = field(default_factory=dict)

    def add(self, later: "Done") -> None:
        """What came of these aggregates, or of others, afterwards."""
        for each in fields(self):
            getattr(self, each.name).update(getattr(later, each.name))

    def is_current(self, about: AggregateId) -> bool:
        """Whether it is up to date now."""
        return self.outcomes.get(about, Outcome.REFUSED) is not Outcome.REFUSED

    def passed_on(self, batch: Batch) -> Batch:
        """The effects that full aggregates, once all are up to date, pass on to their continuations."""
        rest: dict[AggregateId, list[Effect]] = {}
        for aggregate_id, item in self.full.items():
            rest |= left_over(item, batch[aggregate_id])
        return rest


@dataclass(frozen=True)
class Writer:
    """Brings the aggregates of one batch up to date.

    `lost`, if not empty, says why the effects will never be delivered: the aggregates then note that they lack them.
    `by_edges`: the effects would have come by edges.
    """

    table: Table
    shard: str
    batch: Batch
    quarantined: Quarantined
    replace: Replace
    replace_many: ReplaceMany
    may_go_on: MayGoOn
    lost: str = ""
    by_edges: bool = False

    def write(self, part: Sequence[AggregateId]) -> Done:
        """Bring up to 100 aggregates up to date: one read of all, then one request for up to 25 that change.

        What is up to date already needs none.
        """
        stored = self._stored(part)
        if stored is None:
            return self.write_alone(part)
        known = {each: stored[keys.of(each)] for each in part if keys.of(each) in stored}
        attempt = _Attempt(self, Done(acknowledged={**closings.acknowledged(self.table, known, clock.now())}))
        with suppress(_NoTimeError):
            for some in chunks(part, STATEMENTS_PER_BATCH):
                attempt.write(some, stored)
        return attempt.done

    def write_alone(self, part: Sequence[AggregateId], acknowledged: Acknowledged = _NOTHING) -> Done:
        """The same by requests for each aggregate: it is read as it is now, right before it is replaced."""
        attempt = _Attempt(self, Done(acknowledged=dict(acknowledged)))
        with suppress(_NoTimeError):
            for about in part:
                attempt.done.outcomes[about] = attempt.alone(about)
        return attempt.done

    def _stored(self, part: Sequence[AggregateId]) -> Mapping[Key, Item] | None:
        """The items of these aggregates; None if one key is invalid, which will show when that aggregate is alone."""
        try:
            with sorted_out():
                return self.table.get_many([keys.of(each) for each in part])
        except PoisonError:
            return None


@dataclass(frozen=True)
class _Attempt:
    """One try to write aggregates of a batch as `to` says, and what has come of it so far."""

    to: Writer
    done: Done

    def write(self, some: Sequence[AggregateId], stored: Mapping[Key, Item]) -> None:
        """Bring aggregates up to date whose items are known, in one request for those that change."""
        changes = list[_Change]()
        try:
            for about in some:
                self._decide(stored.get(keys.of(about)), about, changes)
        except _NoTimeError:  # for those decided before there was
            self._replace_all(changes)
            raise
        self._replace_all(changes)

    def alone(self, about: AggregateId) -> Outcome:
        """Bring one aggregate up to date by requests of its own."""
        try:
            with sorted_out():
                return self._read_and_put(about, self.to.batch[about])
        except PoisonError:
            return self._isolated(about)

    def _decide(self, item: Item | None, about: AggregateId, changes: list[_Change]) -> None:
        """What is to be done with one aggregate: nothing, or a change, or it is done at once.

        If its sources have to be read for its extremes, the others of its part do not wait for that.
        """
        try:
            with sorted_out():
                absorbed = self._absorbed(item, about, self.to.batch[about])
                if absorbed is None:
                    self.done.outcomes[about] = Outcome.CURRENT
                elif absorbed.stale:
                    self.done.outcomes[about] = self._put(item, absorbed)
                else:
                    changes.append(_change(absorbed.aggregate, item))
        except PoisonError:
            self.done.outcomes[about] = self._isolated(about)

    def _replace_all(self, changes: Sequence[_Change]) -> None:
        """Replace what has changed; whatever is neither taken nor refused is tried alone, since it then says why."""
        try:
            with sorted_out():
                self._enrol(changes)
        except PoisonError:
            for change in changes:
                self.done.outcomes[change.after.id] = self.alone(change.after.id)
            return
        replies = self.to.replace_many([change.replacement for change in changes]) if changes else ()
        unclear = list[AggregateId]()
        for change, reply in zip(changes, replies, strict=True):
            if reply is Reply.UNCLEAR:
                unclear.append(change.after.id)
            elif reply is Reply.REFUSED:
                self.done.outcomes[change.after.id] = Outcome.REFUSED
            else:
                self.done.outcomes[change.after.id] = Outcome.WRITTEN
                self._keep(change.after)
        for about in unclear:
            self.done.outcomes[about] = self.alone(about)

    def _enrol(self, changes: Sequence[_Change]) -> None:
        rankings.enrol(self.to.table, [change.after for change in changes if change.rises])

    def _absorbed(
        self, item: Item | None, about: AggregateId, effects: Sequence[Effect], lacks: str = ""
    ) -> Absorbed | None:
        """The aggregate with these effects; or, if it `lacks` them, with its checkpoint moved and a reason.

        None if it has absorbed them already.
        """
        current, now = aggregate(about, item), clock.now()
        if self.to.lost:
            absorbed = current.deprived(
                self.to.shard, effects, self.to.lost, now, self.to.quarantined, by_edges=self.to.by_edges
            )
        elif lacks:
            absorbed = current.without(self.to.shard, effects, lacks, now, self.to.quarantined)
        else:
            self._hand_on(about, current.to_hand_on(self.to.shard, effects, self.to.quarantined))
            known = self.done.acknowledged.get(about, frozenset())
            absorbed = current.absorb(self.to.shard, effects, now, self.to.quarantined, known)
        if absorbed is None:
            self._keep(current, was_current=True)
            return None
        self._see_whether_there_is_time()
        if absorbed.passed_over:
            self._withhold(about, absorbed.passed_over, absorbed.aggregate.lacks)
        if absorbed.aggregate.lacks and not current.lacks:
            self._note(about, absorbed.aggregate.lacks)
        return absorbed

    def _withhold(self, about: AggregateId, effects: Sequence[Effect], why: str) -> None:
        """Note it on those who would have learned of these effects by closings of the aggregate.

        Before the aggregate itself is written: once its checkpoint covers the effects, nobody would do so any more.
        """
        self._write_before(replace(self.to, batch=withheld(about, effects), lost=why, by_edges=True))

    def _hand_on(self, about: AggregateId, effects: Sequence[Effect]) -> None:
        """Bring those up to date who would have learned of these effects by closings, before the aggregate itself.

        What the batch has for them comes first: no removal may overtake what it removes.
        """
        if effects:
            batch, shard = handed_on(about, effects), direct(self.to.shard)
            quarantined = {**self.to.quarantined, shard: self.to.quarantined.get(self.to.shard, frozenset())}
            told = {each: self.to.batch[each] for each in self.to.batch if each.is_told_by(about)}
            self._write_before(replace(self.to, batch=told))
            self._write_before(replace(self.to, shard=shard, batch=batch, quarantined=quarantined))

    def _write_before(self, others: Writer) -> None:
        """Let others write their batch to its end, with continuations."""
        for left in in_turn(others.batch):
            while left:
                self._see_whether_there_is_time()
                done = replace(others, batch=left).write_alone(list(left), self.done.acknowledged)
                self.done.lacking.update(done.lacking)
                refused = {each: effects for each, effects in left.items() if not done.is_current(each)}
                left = {**refused, **done.passed_on(left)}

    def _read_and_put(self, about: AggregateId, effects: Sequence[Effect], lacks: str = "") -> Outcome:
        """Read one aggregate as it is now, and replace it."""
        self._see_whether_there_is_time()
        item = self.to.table.get(keys.of(about))
        absorbed = self._absorbed(item, about, effects, lacks)
        return Outcome.CURRENT if absorbed is None else self._put(item, absorbed)

    def _see_whether_there_is_time(self) -> None:
        if not self.to.may_go_on():
            raise _NoTimeError

    def _put(self, item: Item | None, absorbed: Absorbed) -> Outcome:
        """Replace one item by a request of its own, after the extremes that can be found were found."""
        change = _change(self._fresh(absorbed), item)
        self._enrol([change])
        try:
            self.to.replace(change.replacement)
        except RefusedError:
            return Outcome.REFUSED
        self._keep(change.after)
        return Outcome.WRITTEN

    def _isolated(self, aggregate_id: AggregateId) -> Outcome:
        """Absorb, in order, the effects that can be absorbed, and pass over the others."""
        effects = self.to.batch[aggregate_id]
        parts, tries = [range(len(effects))], 0
        while parts:
            part, outcome = parts.pop(), Outcome.WRITTEN
            upto = effects[: part.stop]  # with those before, which the aggregate has absorbed by now
            try:
                with sorted_out():
                    outcome = self._read_and_put(aggregate_id, upto)
            except PoisonError as poison:
                tries += not isinstance(poison.__cause__, TooLargeError)  # its parts will fit
                if len(part) > 1 and tries <= MAX_TRIES:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
                else:
                    outcome = self._pass_over(aggregate_id, upto, poison.reason)
            if outcome is Outcome.REFUSED:
                return outcome
        return Outcome.WRITTEN

    def _pass_over(self, aggregate_id: AggregateId, effects: Sequence[Effect], reason: str) -> Outcome:
        try:
            with sorted_out():
                return self._read_and_put(aggregate_id, effects, reason)
        except PoisonError:  # no item at all can be written for this aggregate
            self._withhold(aggregate_id, effects, reason)
            self._note(aggregate_id, reason)
            return Outcome.WRITTEN

    def _keep(self, item: Aggregate, *, was_current: bool = False) -> None:
        """Keep what is up to date now, for what follows from it. One that `was_current` may have changed since."""
        if item.full:
            self.done.full[item.id] = item
        if item.id.kind.rankings and item.id.is_read:
            self.done.ranked[item.id] = None if was_current else item

    def _note(self, aggregate_id: AggregateId, reason: str) -> None:
        incomplete.note(self.to.table, aggregate_id.aggregate, reason)
        self.done.lacking[aggregate_id] = reason

    def _fresh(self, absorbed: Absorbed) -> Aggregate:
        """The aggregate after the first bounded step of its recount; later steps follow (recounts.py)."""
        if not absorbed.stale:
            return absorbed.aggregate
        first = step(self.to.table, absorbed.aggregate.id, absorbed.stale, START, ITEMS, self.to.may_go_on)
        return absorbed.aggregate.with_first_step(absorbed.stale, first)


def _change(absorbed: Aggregate, item: Item | None) -> _Change:
    after = rosters.enrolled(absorbed)
    return _Change(after, Replacement(aggregate_item(after), item))
