"""Finishes the follow-ups of a batch of changes; records whose follow-up fails are set aside."""

from collections.abc import Sequence

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, sorted_out, unless_passing
from edgewise.freshness import unfinished
from edgewise.freshness.telling import tell_followed
from edgewise.freshness.watermarks import absorbed_until
from edgewise.pending import Pending
from edgewise.stream import changes
from edgewise.stream.changes import Record
from edgewise.stream.follow_ups import SHARD, FollowUps
from edgewise.stream.quarantine import Entry
from edgewise.stream.register import register
from edgewise.stream.telling import set_aside, untold
from edgewise.times import Millis

_Entailed = Sequence[tuple[Record, Pending]]


def finish(table: Table, follow_ups: FollowUps, records: Sequence[Record]) -> int:
    """Finish what these records entail; returns how many of them entail something.

    Passing faults are raised. Then the batch must be delivered again: finished work is only checked, not repeated.
    """
    entailed = _entailed(table, follow_ups, records)
    try:
        with sorted_out():
            follow_ups.finish(table, [pending for _, pending in entailed])
    except PoisonError:
        _finish_apart(table, follow_ups, entailed)
    return len(entailed)


def tell_how_far(table: Table, records: Sequence[Record]) -> int:
    """Say with each heartbeat how far the follow-ups are in its shard, once those of these records are finished.

    Returns how many heartbeats there are. What is finished need not come again because the table did not take this: a
    later heartbeat tells as much.
    """
    beats, last = changes.heartbeats(records), changes.last_time(records)
    if beats and last is not None:
        until = absorbed_until(last, [each.at for each in beats])
        with unless_passing(untold):
            since, now = _unfinished_since(table), clock.now()
            tell_followed(table, sorted({each.name for each in beats}), now, until, since)
    return len(beats)


def _unfinished_since(table: Table) -> Millis | None:
    """When the oldest follow-up began that is not finished; None: there is none.

    What is set aside may be of any time, but no shard has said that it is done: so all of them stand still.
    """
    # In this order: what is redriven is noted as unfinished before it leaves the register.
    is_set_aside = SHARD in register(table).shards
    since = unfinished.oldest(table)
    return clock.now() if since is None and is_set_aside else since


def _entailed(table: Table, follow_ups: FollowUps, records: Sequence[Record]) -> _Entailed:
    """What these records entail; sets those aside that can't be understood."""
    entailed, unclear = list[tuple[Record, Pending]](), list[Entry]()
    for record in records:
        try:
            entailed += [(record, pending)] if (pending := follow_ups.pending(record)) else []
        except MalformedRecordError as error:
            unclear.append(Entry(record, str(error)))
    set_aside(table, SHARD, *unclear)
    return entailed


def _finish_apart(table: Table, follow_ups: FollowUps, entailed: _Entailed) -> None:
    """Finish one follow-up after the other, and set aside the records whose follow-up fails."""
    failed = list[Entry]()
    for record, pending in entailed:
        try:
            with sorted_out():
                follow_ups.finish(table, [pending])
        except PoisonError as poison:
            failed.append(Entry(record, poison.reason))
    set_aside(table, SHARD, *failed)
