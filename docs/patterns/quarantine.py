"""Access patterns of the quarantine."""

from docs.patterns.pattern import Read, Write
from edgewise.dynamodb.attributes import key_item, s
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table
from edgewise.stream import quarantine, quarantine_keys, quarantine_patterns
from edgewise.stream.changes import Record

_ADMIN = ("admin",)
_SHARD, _SEQUENCE = "00000001535544000000-0a1b2c3d", "7".zfill(40)
_RECORD = {"shard": _SHARD, "sequence": _SEQUENCE}
# What an earlier release could not read; for this one, the item feeds nothing.
_CHANGE: Record = {
    "eventName": "INSERT",
    "dynamodb": {
        "SequenceNumber": _SEQUENCE,
        "ApproximateCreationDateTime": 1535544000.0,
        "NewImage": key_item(Key("RESIDENT#ROOM#r1", "AT")) | {"Type": s("NOTHING_COUNTED")},
    },
}


def _given(table: Table) -> None:
    quarantine.quarantine(table, _SHARD, quarantine.Entry(_CHANGE, "KeyError: 'Place'"))


READS = (
    Read(
        "the records in quarantine, the oldest first",
        "GET /quarantine",
        {},
        {},
        [quarantine_patterns.RECORDS, quarantine_keys.REGISTER],
        1.5,
        _given,
        groups=_ADMIN,
    ),
    Read(
        "one record in quarantine",
        "GET /quarantine/{shard}/{sequence}",
        _RECORD,
        {},
        [quarantine_patterns.parts(_SHARD, _SEQUENCE)],
        1,
        _given,
        bound="1 per MB of the record",
        groups=_ADMIN,
    ),
)
WRITES = (
    Write(
        "redrive a record that feeds nothing",
        "POST /quarantine/{shard}/{sequence}/redrive",
        _RECORD,
        {},
        {"Query": 2, "GetItem": 4, "TransactWriteItems": 1},
        "6: its item, the register and its shard's position, in a transaction, each twice; 4 more for each aggregate",
        _given,
        groups=_ADMIN,
    ),
)
