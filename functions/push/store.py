"""Stores who listens to what."""

import secrets
from collections.abc import Callable, Iterator

from edgewise import (
    BY_VALUE,
    Between,
    ConcurrentChangeError,
    Condition,
    Delete,
    Key,
    Millis,
    Put,
    Query,
    RefusedError,
    Table,
    decoded,
    each,
)
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of
from functions.push import codec, keys
from functions.push.entity import TICKET_LIFE, Connection, Listener, Subscription, Ticket
from functions.revocations import Revocations

_TRIES = 10


def issue(table: Table, sub: str, rate: int, issued: Millis, ends: Millis, now: Millis) -> tuple[str, Ticket]:
    """A new ticket for a user with this rate, whose token was issued and ends then, and what it is worth."""
    text, ticket = secrets.token_urlsafe(32), Ticket(sub, min(now + TICKET_LIFE, ends), issued, ends, rate)
    table.write(Put(codec.ticket_item(text, ticket)))
    return text, ticket


def redeem(table: Table, text: str, now: Millis) -> Ticket | None:
    """What a ticket is worth; None if it has expired, was redeemed before, or never existed."""
    key = keys.ticket(text)
    item = table.get(key)
    if item is None:
        return None
    try:
        table.write(Delete(key, Condition.PRESENT))
    except RefusedError:  # somebody else was faster
        return None
    ticket = decoded(codec.ticket, item)
    return ticket if ticket.expires > now else None


def connect(table: Table, connection: Connection, now: Millis) -> None:
    """Store a new connection; raises TooManyError if its user has as many as one may have."""
    _change(table, connection, lambda listener: listener.with_connection(connection, now))
    table.write(Put(codec.connection_item(connection)))


def find(table: Table, connection_id: str) -> Connection | None:
    """A connection, None if it has been closed."""
    item = table.get(keys.connection(connection_id))
    return decoded(codec.connection, item) if item else None


def subscribe(table: Table, connection: Connection, subscription: Subscription) -> None:
    """Store a subscription of a connection; raises TooManyError, ClosedError or ConcurrentChangeError."""
    key = codec.key_of_subscription(subscription)
    # First where a closing connection looks for what to remove.
    _change(table, connection, lambda listener: listener.with_subscription(connection.id, key))
    table.write(Put(codec.subscription_item(subscription)))


def unsubscribe(table: Table, connection: Connection, topic: str, address: str) -> None:
    """Remove a subscription of a connection, if there is one; raises ClosedError or ConcurrentChangeError."""
    key = keys.subscription(topic, connection.id, address)
    table.write(Delete(key))
    _change(table, connection, lambda listener: listener.without_subscription(connection.id, key))


def disconnect(table: Table, connection_id: str) -> Connection | None:
    """Remove a connection with its subscriptions, and return it, if there is one; raises ConcurrentChangeError."""
    connection = find(table, connection_id)
    if connection is None:
        return None

    def without(listener: Listener) -> Listener:
        for key in listener.subscriptions.get(connection_id, ()):
            table.write(Delete(key))
        return listener.without_connection(connection_id)

    _change(table, connection, without)
    table.write(Delete(keys.connection(connection_id)))
    return connection


def forget(table: Table, subscription: Key) -> None:
    """Remove a subscription whose connection is gone."""
    table.write(Delete(subscription))


def subscribers(table: Table, topic: str, now: Millis) -> Iterator[Subscription]:
    """The subscriptions to a topic that have not ended, strongly consistent."""
    for page in pages.every(table, Query(keys.subscribers(topic), consistent=True)):
        yield from (found for found in each(table, codec.subscription, page.items) if found.ends > now)


def revoked(table: Table, known: Revocations) -> Iterator[str]:
    """The connections whose tokens were taken back: all open ones are looked at."""
    for page in pages.every(table, Query(keys.OPEN, index=BY_VALUE)):
        found = table.get_many([key_of(item) for item in page.items], consistent=True)
        connections = each(table, codec.connection, found.values())
        yield from (one.id for one in connections if known.refuse(one.sub, one.issued))


def ended(table: Table, now: Millis) -> Iterator[str]:
    """The connections whose time is over."""
    for page in pages.every(table, Query(keys.OPEN, Between(keys.instant(0), keys.instant(now)), BY_VALUE)):
        yield from (keys.parse_connection(item["PK"]["S"]) for item in page.items)


def _change(table: Table, connection: Connection, change: Callable[[Listener], Listener]) -> None:
    item = table.get(keys.listener(connection.sub))
    for _ in range(_TRIES):
        listener = decoded(codec.listener, item) if item else Listener(connection.sub)
        changed = change(listener)
        try:
            # Also where nothing changes: the connection may have been closed since.
            table.write(Put(codec.listener_item(changed), Condition.at_version(listener.version)))
        except RefusedError as error:
            item = error.item
        else:
            return
    raise ConcurrentChangeError("connection", connection.id)
