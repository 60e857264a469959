"""A record out of quarantine, applied as if the stream delivered it again.

It goes through the writer that the stream's batches go through, and each aggregate itself knows whether the record is
in: its mark has not reached the record, or names it as missing. So a redrive may be killed, repeated, and run beside
deliveries of the same record. One thing only the quarantine knows: that marks of the lane are being kept. Each write
therefore also checks that the record is still there.
"""

from functools import partial

from functions.domain.catalog import follows
from functions.domain.errors import InvalidInputError, MalformedRecordError, NotFoundError, PassingError
from functions.store import aggregate_writer, cascade, keys, quarantine, stream
from functions.store.aggregate_writer import PutVersion
from functions.store.attributes import Item
from functions.store.held import register
from functions.store.keys import Key
from functions.store.quarantine import SetAside
from functions.store.stream import Record
from functions.store.table import RefusedError, Table, TransactionRefusedError
from functions.store.writes import PRESENT, Check, Put, at_version


class _ReleasedError(PassingError):
    """Somebody else has taken the record out of quarantine: it is in everywhere."""


def redrive(table: Table, lane: str, sequence: str) -> None:
    """Apply a record and take it out of quarantine. `sequence` is its number as it stands in keys.

    Raises NotFoundError, or MalformedRecordError if it still can't be understood: it stays.
    """
    found = _found(table, lane, sequence)
    if lane == cascade.LANE:
        _finish(table, found.record)
    else:
        _absorb(table, lane, sequence, found)
    quarantine.release(table, lane, sequence)


def discard(table: Table, lane: str, sequence: str) -> None:
    """Take a record that can't be understood out of quarantine, unapplied.

    Raises NotFoundError, or InvalidInputError for one that can be understood: it is to be applied.
    """
    record = _found(table, lane, sequence).record
    try:
        cascade.due(record) if lane == cascade.LANE else stream.entries(record)
    except MalformedRecordError:
        quarantine.release(table, lane, sequence)
    else:
        raise InvalidInputError.of("sequence", "is that of a record that can be understood: apply it")


def _found(table: Table, lane: str, sequence: str) -> SetAside:
    found = quarantine.find(table, lane, sequence)
    if found is None:
        raise NotFoundError("quarantined record", f"{lane} {sequence}")
    return found


def _finish(table: Table, record: Record) -> None:
    due = cascade.due(record)
    if due is not None:
        cascade.finish(table, [due])


def _absorb(table: Table, lane: str, sequence: str, found: SetAside) -> None:
    """One aggregate after the other: their transactions all check one item, which allows one at a time.

    Those come last that take their extremes from others, as in the stream. A record that came into quarantine too late
    is delivered as if it were in none: marks that cover it may be gone, and aggregates note that they lack it.
    """
    known = register(table)
    entries = stream.entries(found.record, partial(known.slots.slot_of, lane))
    held = known.held if found.in_time else known.without(lane, sequence).held
    put_version = _while_held(table, keys.quarantine.quarantine(lane, sequence, 1))
    try:
        for aggregate_id in sorted(entries, key=lambda each: follows(each.kind)):
            aggregate_writer.apply(table, lane, {aggregate_id: [entries[aggregate_id]]}, held, put_version)
    except _ReleasedError:
        return


def _while_held(table: Table, first_part: Key) -> PutVersion:
    def put_version(item: Item, replaces: int) -> None:
        try:
            table.transact([Put(item, at_version(replaces)), Check(first_part, PRESENT)])
        except TransactionRefusedError as refusal:
            if 1 in refusal.found:
                raise _ReleasedError from refusal
            raise RefusedError(refusal.found[0]) from refusal

    return put_version
