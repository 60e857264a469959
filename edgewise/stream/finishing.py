"""Finishes the follow-ups of a batch of changes; records whose follow-up fails are set aside."""

from collections.abc import Sequence

from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, sorted_out
from edgewise.pending import Pending
from edgewise.stream.changes import Record
from edgewise.stream.follow_ups import SHARD, FollowUps
from edgewise.stream.telling import set_aside

_Entailed = Sequence[tuple[Record, Pending]]


def finish(table: Table, follow_ups: FollowUps, records: Sequence[Record]) -> int:
    """Finish what these records entail; returns how many of them entail something.

    Passing faults are raised. Then the batch must be delivered again: finished work is only checked, not repeated.
    """
    entailed = [(record, pending) for record in records if (pending := _pending(table, follow_ups, record))]
    try:
        with sorted_out():
            follow_ups.finish(table, [pending for _, pending in entailed])
    except PoisonError:
        _finish_apart(table, follow_ups, entailed)
    return len(entailed)


def _pending(table: Table, follow_ups: FollowUps, record: Record) -> Pending | None:
    try:
        return follow_ups.pending(record)
    except MalformedRecordError as error:
        set_aside(table, SHARD, record, str(error))
        return None


def _finish_apart(table: Table, follow_ups: FollowUps, entailed: _Entailed) -> None:
    """Finish one follow-up after the other, and set aside the records whose follow-up fails."""
    for record, pending in entailed:
        try:
            with sorted_out():
                follow_ups.finish(table, [pending])
        except PoisonError as poison:
            set_aside(table, SHARD, record, poison.reason)
