"""Push: tickets, with which a client opens a socket (docs/push.md)."""

from functions import revocations
from functions.push import codec, keys
from functions.system import ByHand, Rights, System

SYSTEM = System(
    name="push",
    rights=Rights(actions=("PutItem",), writes=(keys.TICKETS,)),
    ignored=(*codec.TYPES, revocations.TYPE),
    unindexed=(codec.TICKET, codec.LISTENER, revocations.TYPE),
    by_hand=(
        ByHand(codec.CONNECTION, codec.connection, codec.connection_item),
        ByHand(codec.SUBSCRIPTION, codec.subscription, codec.subscription_item),
    ),
    unjudged={
        codec.LISTENER: "whether its connections and subscriptions are there: all end with their sockets",
        codec.SUBSCRIPTION: "whether its user's item names it: both end with their socket",
    },
)
