"""Access patterns of push over HTTP; those of the socket are in docs/push.md."""

from docs.patterns import example
from docs.patterns.pattern import Write
from edgewise.times import HOUR, SECOND, from_rfc_3339
from functions.push import codec
from functions.push.entity import Connection, Listener, Subscription, Ticket

RATE = 50
_NOW = from_rfc_3339("2018-08-29T12:00:00.000Z")
_TO_DEVICE = Subscription("DEVICE#123", "MWRjZGQ2", "amy", "/devices/123", _NOW, _NOW + HOUR, RATE)
_TO_ROOM = Subscription("CHAT#seattle", "MWRjZGQ2", "amy", "/rooms/seattle/messages", _NOW + SECOND, _NOW + HOUR, RATE)
_KEYS = tuple(codec.key_of_subscription(each) for each in (_TO_DEVICE, _TO_ROOM))
given = example.stored(
    codec.ticket_item("a ticket that nobody has", Ticket("amy", _NOW + 60 * SECOND, _NOW, _NOW + HOUR, RATE)),
    codec.connection_item(Connection("MWRjZGQ2", "amy", 0, _NOW + HOUR, RATE)),
    codec.listener_item(Listener("amy", {"MWRjZGQ2": _NOW + HOUR}, {"MWRjZGQ2": _KEYS}, _NOW + HOUR)),
    codec.subscription_item(_TO_DEVICE),
    codec.subscription_item(_TO_ROOM),
)

READS = ()
WRITES = (
    Write(
        "fetch a ticket for a socket",
        "POST /push/tickets",
        {},
        None,
        {"PutItem": 1},
        "1; the socket that opens with it deletes it, for 1 more",
    ),
)
