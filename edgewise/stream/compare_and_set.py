"""Brings aggregates up to date by compare and set: read them, absorb the effects, replace those that are unchanged.

Some aggregates are read and replaced together, each on its own terms. Effects that an aggregate can't absorb are
isolated: they are passed over and noted on the aggregate, and it absorbs everything else.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Absorbed, Aggregate
from edgewise.aggregates.checkpoints import Quarantined
from edgewise.aggregates.effects import Batch, Delivery, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours import handing_on
from edgewise.aggregates.open_hours.acknowledging import Acknowledged, acknowledged
from edgewise.aggregates.open_hours.hours import TooLargeError
from edgewise.aggregates.rankings import judging
from edgewise.aggregates.recounts import reading
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import STATEMENTS_PER_BATCH, RefusedError, Table, chunks
from edgewise.dynamodb.writes import Replacement, Reply
from edgewise.errors import PassingError
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream import incomplete
from edgewise.stream.outcomes import Done, Ended, Lacking, Outcome

# To find the effects that an aggregate can't absorb, a batch is bisected until this many tries have failed.
MAX_TRIES = 64

# Replaces one item; raises RefusedError. (Table.replace is one.)
Replace = Callable[[Replacement], None]
# Replaces up to 25 items, each on its own. (Table.replace_many is one.)
ReplaceMany = Callable[[Sequence[Replacement]], Sequence[Reply]]
# What came of aggregates, one after the other.
Endings = Iterator[tuple[AggregateId, Ended]]


class _NoTimeError(PassingError):
    """There is no time left to begin the next request."""


class _Decided(NamedTuple):
    """What an aggregate that was read becomes; None: it is up to date. `lacking` was noted on the way."""

    current: Aggregate
    absorbed: Absorbed | None
    lacking: Lacking


@dataclass(frozen=True, slots=True)
class _Change:
    """An aggregate that has absorbed its effects, and the item to put in place of the one that was read."""

    before: Aggregate
    after: Aggregate
    replacement: Replacement
    lacking: Lacking

    @property
    def written(self) -> Ended:
        """What came of it once it has been written."""
        return Ended(Outcome.WRITTEN, self.after, self.lacking)

    @property
    def refused(self) -> Ended:
        """What came of it if somebody else has changed it in between."""
        return Ended(Outcome.REFUSED, lacking=self.lacking)


@dataclass(frozen=True)
class Writer:
    """Brings the aggregates of one batch up to date.

    `lost`, if not empty, says why the effects will never be delivered: the aggregates then note that they lack them.
    `by_edges`: the effects would have come by edges. `heard`: as in writer.apply.
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
    heard: int = 0

    def write(self, part: Sequence[AggregateId]) -> Done:
        """Bring up to 100 aggregates up to date: one read of all, then one request for up to 25 that change.

        What is up to date already needs none.
        """
        stored = self._stored(part)
        if stored is None:
            return self.write_alone(part)
        attempt = _Attempt(self, self._acknowledged(part, stored))
        return attempt.done(attempt.together(part, stored))

    def write_alone(self, part: Sequence[AggregateId], known: Acknowledged | None = None) -> Done:
        """The same by requests for each aggregate: it is read as it is now, right before it is replaced."""
        attempt = _Attempt(self, known or {})
        return attempt.done((about, attempt.alone(about)) for about in part)

    def _stored(self, part: Sequence[AggregateId]) -> Mapping[Key, Item] | None:
        """The items of these aggregates; None if one key is invalid, which will show when that aggregate is alone."""
        try:
            with sorted_out():
                return self.table.get_many([keys.of(each) for each in part])
        except PoisonError:
            return None

    def _acknowledged(self, part: Sequence[AggregateId], stored: Mapping[Key, Item]) -> Acknowledged:
        """The closings of these aggregates that all whom they feed have absorbed; only some kinds have closings."""
        closing = {each: keys.of(each) for each in part if each.kind.open_hours}
        items = {each: stored[key] for each, key in closing.items() if key in stored}
        return acknowledged(self.table, items, clock.now()) if items else {}


@dataclass(frozen=True)
class _Attempt:
    """One try to write aggregates of a batch as `to` says."""

    to: Writer
    acknowledged: Acknowledged = field(default_factory=dict)

    def done(self, endings: Iterable[tuple[AggregateId, Ended]]) -> Done:
        """What came of aggregates until there was no time left."""
        ended = dict[AggregateId, Ended]()
        with suppress(_NoTimeError):
            for about, each in endings:
                ended[about] = each
        return Done(ended, self.acknowledged)

    def together(self, part: Sequence[AggregateId], stored: Mapping[Key, Item]) -> Endings:
        """Bring aggregates up to date whose items are known, in one request for each 25 that change."""
        for some in chunks(part, STATEMENTS_PER_BATCH):
            changes = list[_Change]()
            try:
                for about in some:
                    decided = self._decide(stored.get(keys.of(about)), about)
                    if isinstance(decided, _Change):
                        changes.append(decided)
                    else:
                        yield about, decided
            except _NoTimeError:  # for those decided before there was
                yield from self._replace_all(changes)
                raise
            yield from self._replace_all(changes)

    def alone(self, about: AggregateId) -> Ended:
        """Bring one aggregate up to date by requests of its own."""
        try:
            with sorted_out():
                return self._read_and_put(about, self.to.batch[about])
        except PoisonError:
            return self._isolated(about)

    def _decide(self, item: Item | None, about: AggregateId) -> Ended | _Change:
        """What is to be done with one aggregate: nothing, or a change, or it is done at once.

        If its sources have to be read for its extremes, the others of its part do not wait for that.
        """
        try:
            with sorted_out():
                decided = self._absorbed(item, about, self.to.batch[about])
                if decided.absorbed is None or decided.absorbed.stale:
                    return self._put(item, decided)
                return _change(decided, decided.absorbed.aggregate, item)
        except PoisonError:
            return self._isolated(about)

    def _replace_all(self, changes: Sequence[_Change]) -> Endings:
        """Replace what has changed; whatever is neither taken nor refused is tried alone, since it then says why."""
        try:
            with sorted_out():
                self._prepare(changes)
        except PoisonError:
            yield from self._each_alone(changes)
            return
        replies = self.to.replace_many([change.replacement for change in changes]) if changes else ()
        unclear = list[_Change]()
        for change, reply in zip(changes, replies, strict=True):
            if reply is Reply.UNCLEAR:
                unclear.append(change)
            else:
                yield change.after.id, change.refused if reply is Reply.REFUSED else change.written
        yield from self._each_alone(unclear)

    def _each_alone(self, changes: Sequence[_Change]) -> Endings:
        for change in changes:
            yield change.after.id, change.refused.then(self.alone(change.after.id))

    def _prepare(self, changes: Sequence[_Change]) -> None:
        """Store what must be there before these are: members are on their rosters."""
        ranked = [(each.before, each.after) for each in changes if each.after.id.kind.ranked]
        if ranked:
            judging.enrol_risen(self.to.table, ranked)

    def _absorbed(self, item: Item | None, about: AggregateId, effects: Sequence[Effect], lacks: str = "") -> _Decided:
        """The aggregate with these effects; or, if it `lacks` them, with its checkpoint moved and a reason."""
        current, lacking = aggregate(about, item), dict[AggregateId, str]()
        if about.kind.open_hours and not (self.to.lost or lacks):
            lacking |= self._write_ahead(current, effects)
        absorbed = self._becomes(current, effects, lacks)
        if absorbed is None:
            return _Decided(current, None, lacking)
        self._see_whether_there_is_time()
        if absorbed.passed_over:
            lacking |= self._withhold(about, absorbed.passed_over, absorbed.aggregate.lacks)
        if absorbed.aggregate.lacks and not current.lacks:
            lacking |= self._note(about, absorbed.aggregate.lacks)
        return _Decided(current, absorbed, lacking)

    def _becomes(self, current: Aggregate, effects: Sequence[Effect], lacks: str) -> Absorbed | None:
        """What an aggregate becomes with these effects; None if it has absorbed them already."""
        to, now = self.to, clock.now()
        if to.lost:
            return current.deprived(to.shard, effects, to.lost, now, to.quarantined, by_edges=to.by_edges)
        if lacks:
            return current.without(to.shard, effects, lacks, now, to.quarantined)
        if to.heard > current.heard:
            current = replace(current, heard=to.heard)
        if current.id in self.acknowledged:
            current = replace(current, open=current.open.acknowledged(self.acknowledged[current.id], now))
        return current.absorb(to.shard, effects, now, to.quarantined)

    def _withhold(self, about: AggregateId, effects: Sequence[Effect], why: str) -> Lacking:
        """Note it on those who would have learned of these effects by the aggregate.

        Before the aggregate itself is written: once its checkpoint covers the effects, nobody would do so any more.
        """
        batch = handing_on.withheld(about, effects)
        return self._write_before(replace(self.to, batch=batch, lost=why, by_edges=True))

    def _write_ahead(self, current: Aggregate, effects: Sequence[Effect]) -> Lacking:
        """Bring those up to date who must be, before the aggregate itself absorbs these effects."""
        to, lacking = self.to, dict[AggregateId, str]()
        delivery = Delivery(to.shard, to.batch, to.quarantined)
        for shard, batch, quarantined in handing_on.ahead(current, effects, delivery):
            lacking |= self._write_before(replace(to, shard=shard, batch=batch, quarantined=quarantined))
        return lacking

    def _write_before(self, others: Writer) -> Lacking:
        """Let others write their batch to its end, with continuations."""
        lacking = dict[AggregateId, str]()
        for left in in_turn(others.batch):
            while left:
                self._see_whether_there_is_time()
                done = replace(others, batch=left).write_alone(list(left), self.acknowledged)
                lacking |= done.lacking
                left = {**{each: left[each] for each in done.left(list(left))}, **done.passed_on(left)}
        return lacking

    def _read_and_put(self, about: AggregateId, effects: Sequence[Effect], lacks: str = "") -> Ended:
        """Read one aggregate as it is now, and replace it."""
        self._see_whether_there_is_time()
        item = self.to.table.get(keys.of(about))
        return self._put(item, self._absorbed(item, about, effects, lacks))

    def _see_whether_there_is_time(self) -> None:
        if not self.to.may_go_on():
            raise _NoTimeError

    def _put(self, item: Item | None, decided: _Decided) -> Ended:
        """Replace one item by a request of its own, after the extremes that can be found were found."""
        if decided.absorbed is None:
            return Ended(Outcome.CURRENT, decided.current, decided.lacking)
        found = with_extremes(self.to.table, decided.absorbed, self.to.may_go_on)
        change = _change(decided, found, item)
        self._prepare([change])
        try:
            self.to.replace(change.replacement)
        except RefusedError:
            return change.refused
        return change.written

    def _isolated(self, about: AggregateId) -> Ended:
        """Absorb, in order, the effects that can be absorbed, and pass over the others."""
        effects = self.to.batch[about]
        parts, tries, ended = [range(len(effects))], 0, Ended(Outcome.WRITTEN)
        while parts and ended.outcome is not Outcome.REFUSED:
            part = parts.pop()
            upto = effects[: part.stop]  # with those before, which the aggregate has absorbed by now
            try:
                with sorted_out():
                    ended = ended.then(self._read_and_put(about, upto))
            except PoisonError as poison:
                tries += not isinstance(poison.__cause__, TooLargeError)  # its parts will fit
                if len(part) > 1 and tries <= MAX_TRIES:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
                else:
                    ended = ended.then(self._pass_over(about, upto, poison.reason))
        return ended

    def _pass_over(self, about: AggregateId, effects: Sequence[Effect], reason: str) -> Ended:
        try:
            with sorted_out():
                return self._read_and_put(about, effects, reason)
        except PoisonError:  # no item at all can be written for this aggregate
            others = self._withhold(about, effects, reason)
            return Ended(Outcome.WRITTEN, lacking={**others, **self._note(about, reason)})

    def _note(self, about: AggregateId, reason: str) -> Lacking:
        incomplete.note(self.to.table, about.aggregate, reason)
        return {about: reason}


def in_turn(batch: Batch) -> tuple[Batch, Batch]:
    """The batch in two: aggregates that must not be ahead of others come after these."""
    later = {about: effects for about, effects in batch.items() if about.kind.comes_later}
    return {about: effects for about, effects in batch.items() if about not in later}, later


def with_extremes(table: Table, absorbed: Absorbed, may_go_on: MayGoOn) -> Aggregate:
    """The aggregate with the extremes that can be found before it is written; later steps follow that.

    Whose sources can't be read is noted.
    """
    if not absorbed.stale:
        return absorbed.aggregate
    first = reading.first_step(table, absorbed.aggregate.id, absorbed.stale, may_go_on)
    if first is None:
        incomplete.note_unread(table, absorbed.aggregate.id.aggregate)
    return absorbed.aggregate.with_first_step(absorbed.stale, first)


def _change(decided: _Decided, absorbed: Aggregate, item: Item | None) -> _Change:
    after = absorbed.to_put()
    return _Change(decided.current, after, Replacement(aggregate_item(after), item), decided.lacking)
