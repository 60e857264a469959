"""Keys of push: partition SUBSCRIBERS#topic has the subscriptions to a topic, CONNECTION#id a connection,
LISTENER#sub the connections of a user.

A topic is the key of the partition whose items change, such as DEVICE#123. In the index by value, partition SUBSCRIBED
lists all subscriptions by when they began, partition CONNECTIONS all connections by when they end.
"""

import hashlib

from edgewise import Key, Millis, Partitions, rfc_3339
from edgewise.dynamodb.keys import digest, join, take
from edgewise.times import LATEST

TICKETS, CONNECTIONS, SUBSCRIBERS = Partitions("TICKET"), Partitions("CONNECTION"), Partitions("SUBSCRIBERS")
LISTENERS = Partitions("LISTENER")
SUBSCRIBED, OPEN = "SUBSCRIBED", "CONNECTIONS"
FOREVER = rfc_3339(LATEST)


def ticket(text: str) -> Key:
    """A ticket is stored under its hash, so whoever reads the table can't use it."""
    return Key(TICKETS(hashlib.sha256(text.encode()).hexdigest()), "TICKET")


def connection(name: str) -> Key:
    """One connection."""
    return Key(CONNECTIONS(name), "CONNECTION")


def listener(sub: str) -> Key:
    """What one user listens to."""
    return Key(LISTENERS(sub), "LISTENER")


def parse_listener(pk: str) -> str:
    """The user's `sub`; raises ValueError for another kind of key."""
    return take(pk, LISTENERS.name, 2)[1]


def subscribers(topic: str) -> str:
    """The partition of the subscriptions to a topic."""
    return SUBSCRIBERS(topic)


def subscription(topic: str, connection_id: str, address: str) -> Key:
    """One subscription."""
    return Key(subscribers(topic), join(connection_id, digest(address)))


def digest_of(key: Key) -> str:
    """What tells the addresses of subscriptions to one topic apart."""
    return key.sk.rpartition("#")[2]


def topic_of(pk: str) -> str:
    """The topic of a subscription; raises ValueError for another kind of key."""
    return take(pk, SUBSCRIBERS.name, 2)[1]


def parse_connection(pk: str) -> str:
    """The id of a connection; raises ValueError for another kind of key."""
    return take(pk, CONNECTIONS.name, 2)[1]


def instant(at: Millis) -> str:
    """The sort key in both lists."""
    return rfc_3339(at)
