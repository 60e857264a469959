"""Records that are applied so late that what has left a group has left it without a trace.

Of a view that is filled, an entry counts what its item's last record says; what has left a group keeps an empty entry,
but not for longer than a record may be on its way. A record that leaves quarantine after that is read as if the item
had become at once what it is by now: then it puts nothing that a later record has taken away. Whatever changes the item
while that is read has a record of its own, with a greater number.
"""

from collections.abc import Sequence

from edgewise import clock
from edgewise.aggregates.checkpoints import LATEST_DELIVERY
from edgewise.dynamodb.attributes import Attribute, key_of
from edgewise.dynamodb.existing import ITEM
from edgewise.dynamodb.table import Table
from edgewise.own.backfill import is_source
from edgewise.own.table import BY_NOW
from edgewise.stream import changes
from edgewise.stream.changes import Record


def as_by_now(table: Table, records: Sequence[Record]) -> list[Record]:
    """The records, as the engine knows them; new images of late ones say what their items are by now."""
    return [_told(table, record) if _is_late(record) else record for record in records]


def _is_late(record: Record) -> bool:
    image = (record.get("dynamodb") or {}).get("NewImage")
    if not is_source(image) or changes.number(record) is None:
        return False
    return clock.now() - changes.checkpoint(record).at > LATEST_DELIVERY


def _told(table: Table, record: Record) -> Record:
    change = record["dynamodb"]
    found = table.get(key_of(change["NewImage"]))
    by_now: Attribute = found[ITEM] if found else {"NULL": True}
    return {**record, "dynamodb": {**change, "NewImage": change["NewImage"] | {BY_NOW: by_now}}}
