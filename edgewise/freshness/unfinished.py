"""Follow-ups that take many steps: until one is done, no shard says that its follow-ups are further than before.

Each step is the follow-up of the step before it, so no heartbeat tells when the last one is done. What begins one
therefore notes it here, and its end removes the note, in one transaction with whatever leads it.
"""

from edgewise.dynamodb.attributes import Item, key_item, key_of, s
from edgewise.dynamodb.keys import Key, digest, join
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Delete, Put
from edgewise.freshness import keys
from edgewise.times import Millis, from_rfc_3339, rfc_3339

_OLDEST = Query(keys.UNFINISHED, consistent=True).part(1)


def noted(begun: Millis, what: Key) -> Put:
    """The write that notes what began at this instant; `what` leads it."""
    item: Item = key_item(_key(begun, what)) | {"Type": s(keys.UNFINISHED), "Leads": {"L": list(map(s, what))}}
    return Put(item)


def done(begun: Millis, what: Key) -> Delete:
    """The write that removes the note."""
    return Delete(_key(begun, what))


def oldest(table: Table) -> Millis | None:
    """When the oldest of them began; None: there is none."""
    found = [keys.parse_unfinished(key_of(item).sk) for item in table.query(_OLDEST).items]
    return from_rfc_3339(found[0]) if found else None


def _key(begun: Millis, what: Key) -> Key:
    return Key(keys.UNFINISHED, join(rfc_3339(begun), digest(*what)))
