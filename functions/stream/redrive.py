"""A record out of quarantine, applied as if the stream delivered it again.

It goes through the writer that the stream's batches go through, and each aggregate itself knows whether the record is
in: its checkpoint has not reached the record, or names it as missing. So a redrive may be killed, repeated, and run
beside deliveries of the same record. One thing only the quarantine knows: that checkpoints of the shard are being kept.
Each write therefore also checks that the record is still there.
"""

from functools import partial

from functions.aggregates.catalog import Catalog
from functions.dynamodb.attributes import Item
from functions.dynamodb.keys import Key
from functions.dynamodb.table import RefusedError, Table, TransactionRefusedError
from functions.dynamodb.writes import PRESENT, Check, Put, at_version
from functions.errors import InvalidInputError, MalformedRecordError, NotFoundError, PassingError
from functions.stream import changes, quarantine, quarantine_keys, writer
from functions.stream.changes import Record
from functions.stream.compare_and_set import PutVersion
from functions.stream.follow_ups import SHARD as FOLLOW_UPS_SHARD
from functions.stream.follow_ups import FollowUps
from functions.stream.quarantine import SetAside
from functions.stream.register import register


class _ReleasedError(PassingError):
    """Somebody else has taken the record out of quarantine: it is in everywhere."""


def redrive(table: Table, follow_ups: FollowUps, shard: str, sequence: str) -> None:
    """Apply a record and take it out of quarantine. `sequence` is its number as it stands in keys.

    Raises NotFoundError, or MalformedRecordError if it still can't be understood: it stays.
    """
    found = _found(table, shard, sequence)
    if shard == FOLLOW_UPS_SHARD:
        _finish(table, follow_ups, found.record)
    else:
        _absorb(table, follow_ups.catalog, shard, sequence, found)
    quarantine.release(table, shard, sequence)


def discard(table: Table, follow_ups: FollowUps, shard: str, sequence: str) -> None:
    """Take a record that can't be understood out of quarantine, unapplied.

    Raises NotFoundError, or InvalidInputError for one that can be understood: it is to be applied.
    """
    record = _found(table, shard, sequence).record
    try:
        follow_ups.pending(record) if shard == FOLLOW_UPS_SHARD else changes.effects(follow_ups.catalog, record)
    except MalformedRecordError:
        quarantine.release(table, shard, sequence)
    else:
        raise InvalidInputError.of("sequence", "is that of a record that can be understood: apply it")


def _found(table: Table, shard: str, sequence: str) -> SetAside:
    found = quarantine.find(table, shard, sequence)
    if found is None:
        raise NotFoundError("quarantined record", f"{shard} {sequence}")
    return found


def _finish(table: Table, follow_ups: FollowUps, record: Record) -> None:
    pending = follow_ups.pending(record)
    if pending is not None:
        follow_ups.finish(table, [pending])


def _absorb(table: Table, catalog: Catalog, shard: str, sequence: str, found: SetAside) -> None:
    """One aggregate after the other: their transactions all check one item, which allows one at a time.

    Those come last that take their extremes from others, as in the stream. A record that came into quarantine too late
    is delivered as if it were in none: checkpoints that cover it may be gone, and aggregates note that they lack it.
    """
    known = register(table)
    effects = changes.effects(catalog, found.record, partial(known.partials.partial_of, shard))
    quarantined = known.quarantined if found.in_time else known.without(shard, sequence).quarantined
    put_version = _while_quarantined(table, quarantine_keys.quarantine(shard, sequence, 1))
    try:
        for aggregate_id in sorted(effects, key=lambda each: each.kind.follows):
            writer.apply(table, shard, {aggregate_id: [effects[aggregate_id]]}, quarantined, put_version)
    except _ReleasedError:
        return


def _while_quarantined(table: Table, first_part: Key) -> PutVersion:
    def put_version(item: Item, replaces: int) -> None:
        try:
            table.transact([Put(item, at_version(replaces)), Check(first_part, PRESENT)])
        except TransactionRefusedError as refusal:
            if 1 in refusal.found:
                raise _ReleasedError from refusal
            raise RefusedError(refusal.found[0]) from refusal

    return put_version
