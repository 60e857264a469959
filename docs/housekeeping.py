"""The items that requests and the stream's readers keep for themselves, as an example for docs/the-table.md.

A message that was removed, a place that carriers feed, a record that can't be understood, a room that lacks
something, a message whose sender chose its id, an audit with an `Idempotency-Key`, a caller who has taken units, and a
document that was taken from a reader.
"""

import delivery
from edgewise import clock
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete
from edgewise.stream.consumer import consume
from edgewise.stream.quarantine import Entry, quarantine
from edgewise.stream.register import register
from edgewise.times import SECOND
from functions import rates
from functions.catalog import CATALOG
from functions.revisions.store import Once
from functions.search.engine import Address
from functions.search.withdrawals import withdrawal
from functions.systems.audits import store as audits
from functions.systems.audits.entity import Audit
from functions.systems.chat import codec as chat_codec
from functions.systems.chat import messages
from functions.systems.chat.entity import Message
from functions.systems.chat.messages import Claim
from functions.systems.chat.system import ROOM
from functions.systems.documents.items import METADATA
from functions.systems.places import codec as places_codec
from functions.systems.places.entity import Resident

_SHARD = "00000001535544000000-0a1b2c3d"
# Units a second, and units.
_RATE, _TAKEN = 50, 100
# Its partitions, by the first component of their keys; the user's holds the emptied edge of the removed message.
PARTITIONS = ("QUARANTINE", "INCOMPLETE", "CARRIER", "MESSAGE-ID", "ONCE", "RATE", "WITHDRAWN", "USER")


def given(table: Table) -> None:
    """Store all of it."""
    now = clock.now()
    message = chat_codec.message_item(Message("seattle", 1, "amsg", now, "m1", "hi"))
    resident = places_codec.resident_item(Resident("EQUIPMENT", "Equipment_1", ("US", "Texas")))
    _deliver(table, (None, message), (message, None), (None, resident), (None, {**message, "SK": {"S": "no message"}}))
    incomplete.note(table, ROOM("seattle"), "no invocation took its changes for 23 hours")
    messages.first_instants(table, [Claim("seattle", "amsg", "m1")], now)
    audits.add(table, Audit("Equipment_1", "engine", 1, now, "amy", "passed"), once=Once("amy", "k1"))
    table.write(rates.taking("amy", rates.NOTHING, rates.owed(rates.NOTHING, now, _RATE, _TAKEN)))
    table.write(withdrawal("amy", Address("document", METADATA.key("handbook")), version=2))


def _deliver(table: Table, *changes: tuple[Item | None, Item | None]) -> None:
    """Pass the consumer the records of some changes."""
    at = clock.now() / SECOND
    records = [delivery.make_record(delivery.Source(), *images, n, at).form for n, images in enumerate(changes, 1)]
    consumed = consume(CATALOG, table, register(table), _SHARD, {"Records": records}, lambda: True, None, lambda *_: ())
    quarantine(table, _SHARD, *(Entry(record, str(error)) for record, error in consumed.unclear))
