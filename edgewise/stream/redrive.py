"""Applies a record in quarantine as if the stream delivered it again.

The record takes the same path as the stream's batches, and each aggregate knows whether it has absorbed the record: it
has not if its checkpoint has not reached the record or names it as missing. So a redrive may be killed, repeated, and
run beside deliveries of the same record. But the shard's checkpoints are only kept while the record is in quarantine,
so each write also checks that it is still there.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.clock import MayGoOn
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.writes import Check, Condition, Replacement
from edgewise.errors import InvalidInputError, MalformedRecordError, NotFoundError, PassingError
from edgewise.stream import changes, doubting, quarantine, quarantine_keys, writer
from edgewise.stream.changes import Record, UnclearError
from edgewise.stream.compare_and_set import Replace
from edgewise.stream.dialect import PLAIN, Dialect
from edgewise.stream.dispatch import dispatch
from edgewise.stream.follow_ups import SHARD as FOLLOW_UPS_SHARD
from edgewise.stream.follow_ups import FollowUps
from edgewise.stream.quarantine import QuarantinedRecord, SetAside
from edgewise.stream.register import register

_PAGE = 100


class _ReleasedError(PassingError):
    """Somebody else has removed the record from quarantine: every aggregate has absorbed it."""


def redrive(table: Table, follow_ups: FollowUps, shard: str, sequence: str, dialect: Dialect = PLAIN) -> None:
    """Apply a record and remove it from quarantine. `sequence` is its sequence number as in keys.

    Raises NotFoundError, or MalformedRecordError if not all of the record can be understood yet; it then stays in
    quarantine.
    """
    found = _read(_found(table, shard, sequence), dialect)
    if shard == FOLLOW_UPS_SHARD:
        _finish(table, follow_ups, found.record)
    else:
        _absorb(table, follow_ups.catalog, shard, sequence, found)
    quarantine.release(table, shard, sequence, _place(shard, found))


def redriven(
    table: Table, follow_ups: FollowUps, may_go_on: MayGoOn, dialect: Dialect = PLAIN
) -> Iterator[tuple[QuarantinedRecord, MalformedRecordError | None]]:
    """Apply every record in quarantine, the oldest first: gives each, with the error of one that stays there.

    Not all of them if the time ran out: the register still counts the others.
    """
    for record in _all(table):
        if not may_go_on():
            return
        with suppress(NotFoundError):  # the index is a little behind, or somebody else has just applied the record
            try:
                redrive(table, follow_ups, record.shard, record.sequence, dialect)
                yield record, None
            except MalformedRecordError as error:
                yield record, error


def _all(table: Table) -> Iterator[QuarantinedRecord]:
    after = None
    while True:
        found, after = quarantine.page(table, _PAGE, after)
        yield from found
        if after is None:
            return


def discard(table: Table, follow_ups: FollowUps, shard: str, sequence: str, dialect: Dialect = PLAIN) -> None:
    """Remove a record that can't be understood from quarantine, and apply only what of it can be.

    What it concerns, perhaps, lacks it from then on. Raises NotFoundError, or InvalidInputError if the record can be
    understood: it must be applied.
    """
    found = _found(table, shard, sequence)
    try:
        record = _read(found, dialect).record
        if shard == FOLLOW_UPS_SHARD:
            follow_ups.pending(record)
        else:
            changes.understand(follow_ups.catalog, record)
    except UnclearError as error:
        with suppress(MalformedRecordError):
            _absorb(table, follow_ups.catalog, shard, sequence, _read(found, dialect))
        doubting.lack(table, shard, found.at, error.doubts, f"a record was discarded: {error}", lambda: True)
        quarantine.release(table, shard, sequence, _place(shard, found), doubting.names(error.doubts))
    except MalformedRecordError:
        quarantine.release(table, shard, sequence, _place(shard, found))
    else:
        raise InvalidInputError.of("sequence", "names a record that can be understood: apply it")


def _found(table: Table, shard: str, sequence: str) -> SetAside:
    found = quarantine.find(table, shard, sequence)
    if found is None:
        raise NotFoundError("quarantined record", f"{shard} {sequence}")
    return found


def _read(found: SetAside, dialect: Dialect) -> SetAside:
    (record,) = dialect.read([found.record])
    return replace(found, record=record)


def _place(shard: str, found: SetAside) -> Checkpoint | None:
    """A record's place in its shard; None if it has none, or if the name stands for many shards, as for follow-ups."""
    with suppress(MalformedRecordError):
        return None if shard == FOLLOW_UPS_SHARD else changes.checkpoint(found.record)
    return None


def _finish(table: Table, follow_ups: FollowUps, record: Record) -> None:
    follow_ups.finish(table, [follow_ups.pending(record)])


def _absorb(table: Table, catalog: Catalog, shard: str, sequence: str, found: SetAside) -> None:
    """Apply the record to one aggregate after the other: parallel transactions would conflict, as all check one item.

    Aggregates that take their extremes from others come last, as in the stream. A record that entered quarantine too
    late is applied as if it were not in quarantine: checkpoints that cover it may have been dropped, so aggregates
    note that they lack it.
    """
    known = register(table)
    own, shared, brought, unclear = changes.changes(catalog, [found.record])
    quarantined = known.quarantined if found.in_time else known.without(shard, sequence).quarantined
    replacing = _while_quarantined(table, quarantine_keys.quarantine(shard, sequence, 1))
    effects = {**own, **brought}
    try:
        for aggregate_id in sorted(effects, key=lambda each: each.kind.comes_later):
            one = {aggregate_id: effects[aggregate_id]}
            writer.apply(table, shard, one, quarantined, replacing, heard=known.heard(clock.now()))
        dispatch(table, shard, shared, known.groups, quarantined, lambda: True, replace=replacing)
    except _ReleasedError:
        return
    for _, error in unclear:
        raise MalformedRecordError(str(error)) from error


def _while_quarantined(table: Table, first_part: Key) -> Replace:
    def replace(replacement: Replacement) -> None:
        try:
            table.transact([replacement.put(), Check(first_part, Condition.PRESENT)])
        except TransactionRefusedError as refusal:
            if 1 in refusal.found:
                raise _ReleasedError from refusal
            raise RefusedError(refusal.found[0]) from refusal

    return replace
