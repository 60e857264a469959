"""Brings one aggregate up to date by compare and set: read it, absorb the effects, put it back if it is unchanged.

Effects that an aggregate can't absorb are isolated: they are passed over and noted on the aggregate, and it absorbs
everything else.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto

from functions import clock
from functions.aggregates import keys
from functions.aggregates.aggregate import Absorbed, Aggregate
from functions.aggregates.checkpoints import Quarantined
from functions.aggregates.continuations import left_over
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.recounts import START
from functions.aggregates.stored import aggregate, aggregate_item
from functions.dynamodb.attributes import Item
from functions.dynamodb.table import RefusedError, Table
from functions.errors import PassingError
from functions.failures import PoisonError, sorted_out
from functions.stream import incomplete
from functions.stream.recount import step

# How many sources to read at most for the extremes of one aggregate before it is written: one page.
ITEMS = 1000
# To find the effects that an aggregate can't absorb, a batch is bisected until this many tries have failed.
MAX_TRIES = 64

# Whether there is time to begin another write.
MayGoOn = Callable[[], bool]
# Writes an item if the stored version is the one given; raises RefusedError. (Table.put_version is one.)
PutVersion = Callable[[Item, int], None]
# Returns the item of an aggregate as it is now, or was a moment ago.
Read = Callable[[AggregateId], Item | None]


class Outcome(Enum):
    """The outcome of one try to bring an aggregate up to date. CURRENT: it had absorbed everything already."""

    WRITTEN = auto()
    CURRENT = auto()
    REFUSED = auto()


Outcomes = dict[AggregateId, Outcome]


class _NoTimeError(PassingError):
    """There is no time left to begin the next write."""


@dataclass(frozen=True)
class Writer:
    """Brings the aggregates of one batch up to date, one after the other.

    `lost`, if not empty, says why the effects will never be delivered: the aggregates then note that they lack them.
    `by_edges`: the effects would have come by edges. `lacking` and `full` are filled on the way: the aggregates that
    could not absorb everything, each with the reason, and the aggregates that are full.
    """

    table: Table
    shard: str
    batch: Batch
    quarantined: Quarantined
    put_version: PutVersion
    may_go_on: MayGoOn
    lost: str = ""
    by_edges: bool = False
    lacking: dict[AggregateId, str] = field(default_factory=dict)
    full: dict[AggregateId, Aggregate] = field(default_factory=dict)

    def passed_on(self) -> Batch:
        """The effects that full aggregates, once all are up to date, pass on to their continuations."""
        rest: dict[AggregateId, list[Effect]] = {}
        for aggregate_id, item in self.full.items():
            rest |= left_over(item, self.batch[aggregate_id])
        return rest

    def read(self, aggregate_id: AggregateId) -> Item | None:
        """The item of an aggregate as it is now."""
        return self.table.get(keys.of(aggregate_id))

    def write_all(self, read: Read, part: Sequence[AggregateId]) -> Outcomes:
        """Write each aggregate of the part, in order, until the time is over; their outcomes."""
        outcomes = Outcomes()
        with suppress(_NoTimeError):
            for each in part:
                outcomes[each] = self.write(read, each)
        return outcomes

    def write(self, read: Read, aggregate_id: AggregateId) -> Outcome:
        """Read an aggregate, and put it back with those of its effects that it has not absorbed yet."""
        try:
            with sorted_out():
                return self._absorbed(read(aggregate_id), aggregate_id, self.batch[aggregate_id])
        except PoisonError:
            return self._isolated(aggregate_id)

    def _absorbed(
        self, item: Item | None, aggregate_id: AggregateId, effects: Sequence[Effect], lacks: str = ""
    ) -> Outcome:
        """Put an aggregate back with these effects; or, if it `lacks` them, with its checkpoint moved and a reason."""
        current, now = aggregate(aggregate_id, item), clock.now()
        if self.lost:
            absorbed = current.deprived(self.shard, effects, self.lost, now, self.quarantined, by_edges=self.by_edges)
        elif lacks:
            absorbed = current.without(self.shard, effects, lacks, now, self.quarantined)
        else:
            absorbed = current.absorb(self.shard, effects, now, self.quarantined)
        if absorbed is None:
            self._keep_full(current)
            return Outcome.CURRENT
        if not self.may_go_on():
            raise _NoTimeError
        if absorbed.aggregate.lacks and not current.lacks:
            self._note(aggregate_id, absorbed.aggregate.lacks)
        try:
            self.put_version(aggregate_item(self._fresh(absorbed)), current.version)
        except RefusedError:
            return Outcome.REFUSED
        self._keep_full(absorbed.aggregate)
        return Outcome.WRITTEN

    def _isolated(self, aggregate_id: AggregateId) -> Outcome:
        """Absorb, in order, the effects that can be absorbed, and pass over the others."""
        parts, tries = [self.batch[aggregate_id]], 0
        while parts:
            part, outcome = parts.pop(), Outcome.WRITTEN
            try:
                with sorted_out():
                    outcome = self._absorbed(self.read(aggregate_id), aggregate_id, part)
            except PoisonError as poison:
                tries += 1
                if len(part) > 1 and tries <= MAX_TRIES:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
                else:
                    outcome = self._pass_over(aggregate_id, part, poison.reason)
            if outcome is Outcome.REFUSED:
                return outcome
        return Outcome.WRITTEN

    def _pass_over(self, aggregate_id: AggregateId, effects: Sequence[Effect], reason: str) -> Outcome:
        try:
            with sorted_out():
                return self._absorbed(self.read(aggregate_id), aggregate_id, effects, reason)
        except PoisonError:  # no item at all can be written for this aggregate
            self._note(aggregate_id, reason)
            return Outcome.WRITTEN

    def _keep_full(self, item: Aggregate) -> None:
        if item.full:
            self.full[item.id] = item

    def _note(self, aggregate_id: AggregateId, reason: str) -> None:
        incomplete.note(self.table, aggregate_id.aggregate, reason)
        self.lacking[aggregate_id] = reason

    def _fresh(self, absorbed: Absorbed) -> Aggregate:
        """The aggregate after the first bounded step of its recount; later steps follow (recounts.py)."""
        if not absorbed.stale:
            return absorbed.aggregate
        first = step(self.table, absorbed.aggregate.id, absorbed.stale, START, ITEMS, self.may_go_on)
        return absorbed.aggregate.with_first_step(absorbed.stale, first)
