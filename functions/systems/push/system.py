"""Push: tickets, with which a client opens a socket (docs/push.md)."""

from functions.push import codec, keys
from functions.system import Rights, Route, System

POST_TICKET = Route("POST /push/tickets", "A ticket that opens one socket within a minute")

SYSTEM = System(
    name="push",
    routes=(POST_TICKET,),
    rights=Rights(actions=("PutItem",), writes=(keys.TICKETS,)),
    ignored=codec.TYPES,
)
