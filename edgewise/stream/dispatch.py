"""Puts what a shard changes in shared aggregates into its carriers, exactly once, by compare and set."""

from collections import defaultdict
from typing import NamedTuple

from edgewise import clock
from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import TOO_LATE
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.groups import Groups
from edgewise.aggregates.checkpoints import Checkpoint, Quarantined
from edgewise.aggregates.effects import Batch, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.clock import MayGoOn
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Put, Replacement
from edgewise.stream import writer
from edgewise.stream.compare_and_set import Replace
from edgewise.stream.writer import UnfinishedError, Written


class _To(NamedTuple):
    """Which of a shard's carriers: to which group, and of which set what changes its aggregates is."""

    group: int
    of_set: str


_POSITION = _To(0, "")


class _Lane(NamedTuple):
    """The shard whose carriers are put, and how."""

    table: Table
    shard: str
    quarantined: Quarantined
    may_go_on: MayGoOn
    replace: Replace


def dispatch(
    table: Table,
    shard: str,
    shared: Batch,
    groups: Groups,
    quarantined: Quarantined,
    may_go_on: MayGoOn,
    *,
    upto: Checkpoint | None = None,
    replace: Replace | None = None,
) -> Written:
    """Bring the shard's carriers up to the last of these effects; may be repeated, in full or after any step.

    `upto`: the last record up to which all that waits is among them. The carrier to the group 0, of no set, keeps it as
    the shard's *position*, and is put last: whatever is in front of the position has been taken on.

    Raises UnfinishedError, and botocore's errors.
    """
    by_carrier = defaultdict[_To, dict[AggregateId, list[Effect]]](dict)
    for about, effects in shared.items():
        for effect in effects:
            to = _To(groups.group_of(about, effect.checkpoint.at), about.kind.of_set)
            by_carrier[to].setdefault(about, []).append(effect)
    if upto:
        by_carrier.setdefault(_POSITION, {})
    lane, done = _Lane(table, shard, quarantined, may_go_on, replace or table.replace), Written(0, 0, 0, {})
    for to in sorted(by_carrier, reverse=True):
        whole = False
        while not whole:
            put, whole = _put(lane, to, by_carrier[to], upto if to == _POSITION else None)
            done += put
    return done


def position(table: Table, shard: str) -> Checkpoint | None:
    """The last record up to which carriers have taken on all of a shard; None: nothing so far."""
    return carrying.carrier(0, shard, table.get(keys.carrier(0, shard))).checkpoint


def passing(table: Table, shard: str, place: Checkpoint, quarantined: Quarantined) -> list[Put]:
    """The write that moves a shard's position past a record that leaves quarantine; none if it has passed it.

    All in front of such a record has been taken on, or is in quarantine: then the position misses it.
    """
    item = table.get(keys.carrier(0, shard))
    taken = carrying.carrier(0, shard, item).absorb({}, place, clock.now(), quarantined)
    return [Replacement(taken.item, item).put()] if taken else []


def _put(lane: _Lane, to: _To, batch: Batch, upto: Checkpoint | None) -> tuple[Written, bool]:
    """One put of a carrier, which may be refused; and whether nothing is left for it."""
    item, now = lane.table.get(keys.carrier(to.group, lane.shard, to.of_set)), clock.now()
    known = carrying.carrier(to.group, lane.shard, item, to.of_set)
    taken = known.absorb(batch, upto, now, lane.quarantined)
    if taken is None:
        return Written(0, 1, 0, {}), True
    if not lane.may_go_on():
        if not batch:  # then the next window reads a little more of the shard
            return Written(0, 0, 0, {}), True
        raise UnfinishedError(0, len(batch))
    done = Written(0, 0, 0, {})
    if taken.too_late:
        told = carrying.withheld(taken.too_late)
        done = writer.deprive(lane.table, lane.shard, told, lane.quarantined, lane.may_go_on, TOO_LATE, by_edges=True)
    try:
        lane.replace(Replacement(taken.item, item))
    except RefusedError:
        return done + Written(0, 0, 1, {}), False
    return done + Written(1, 0, 0, {}), taken.whole
