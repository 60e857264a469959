"""Stores who listens to what."""

import secrets
from collections.abc import Callable, Iterator

from functions.dynamodb import pages
from functions.dynamodb.decoding import decoded, each
from functions.dynamodb.queries import Between, Query
from functions.dynamodb.schema import BY_VALUE
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import PRESENT, Delete, Put, at_version
from functions.errors import ConcurrentChangeError, InvalidInputError
from functions.push import codec, keys
from functions.push.entity import MOST_SUBSCRIPTIONS, TICKET_LIFE, Connection, Subscription, Ticket
from functions.times import Millis

_TRIES = 10


def issue(table: Table, user: str, ends: Millis, now: Millis) -> tuple[str, Ticket]:
    """A new ticket for a user whose token ends then, and what it is worth."""
    text, ticket = secrets.token_urlsafe(32), Ticket(user, min(now + TICKET_LIFE, ends), ends)
    table.write(Put(codec.ticket_item(text, ticket)))
    return text, ticket


def redeem(table: Table, text: str, now: Millis) -> Ticket | None:
    """What a ticket is worth; None if it has expired, was redeemed before, or never existed."""
    key = keys.ticket(text)
    item = table.get(key)
    if item is None:
        return None
    try:
        table.write(Delete(key, PRESENT))
    except RefusedError:  # somebody else was faster
        return None
    ticket = decoded(codec.ticket, item)
    return ticket if ticket.expires > now else None


def connect(table: Table, connection: Connection) -> None:
    """Store a new connection."""
    table.write(Put(codec.connection_item(connection)))


def find(table: Table, connection_id: str) -> Connection | None:
    """A connection, None if it has been closed."""
    item = table.get(keys.connection(connection_id))
    return decoded(codec.connection, item) if item else None


def subscribe(table: Table, connection: Connection, subscription: Subscription) -> None:
    """Store a subscription of a connection as it was just read.

    Raises InvalidInputError if it has been closed since, or has as many as it may, and ConcurrentChangeError.
    """
    key = codec.key_of_subscription(subscription)

    def added(found: Connection) -> Connection:
        if key in found.subscriptions:
            return found
        if len(found.subscriptions) >= MOST_SUBSCRIPTIONS:
            raise InvalidInputError.of("address", f"a connection has at most {MOST_SUBSCRIPTIONS} subscriptions")
        return found.with_subscription(key)

    # First where a closing connection looks for what to remove.
    _change(table, connection, added)
    table.write(Put(codec.subscription_item(subscription)))


def unsubscribe(table: Table, connection: Connection, topic: str, address: str) -> None:
    """Remove a subscription of a connection as it was just read, if there is one; raises as `subscribe` does."""
    key = keys.subscription(topic, connection.id, address)
    table.write(Delete(key))
    _change(table, connection, lambda found: found.without_subscription(key))


def disconnect(table: Table, connection_id: str) -> None:
    """Remove a connection with its subscriptions."""
    connection = find(table, connection_id)
    for key in connection.subscriptions if connection else ():
        table.write(Delete(key))
    table.write(Delete(keys.connection(connection_id)))


def forget(table: Table, subscription: Subscription) -> None:
    """Remove a subscription whose connection is gone."""
    table.write(Delete(codec.key_of_subscription(subscription)))


def subscribers(table: Table, topic: str, now: Millis) -> Iterator[Subscription]:
    """The subscriptions to a topic that have not ended, strongly consistent."""
    for page in pages.every(table, Query(keys.subscribers(topic), consistent=True)):
        yield from (found for found in each(table, codec.subscription, page.items) if found.ends > now)


def ended(table: Table, now: Millis) -> Iterator[str]:
    """The connections whose time is over."""
    for page in pages.every(table, Query(keys.OPEN, Between(keys.instant(0), keys.instant(now)), BY_VALUE)):
        yield from (keys.parse_connection(item["PK"]["S"]) for item in page.items)


def _change(table: Table, connection: Connection, change: Callable[[Connection], Connection]) -> None:
    for _ in range(_TRIES):
        # Also where nothing changes: somebody may have closed the connection since it was read, or unsubscribed.
        try:
            table.write(Put(codec.connection_item(change(connection)), at_version(connection.version)))
        except RefusedError as error:
            if error.item is None:
                raise InvalidInputError.of("connection", "is closed") from error
            connection = decoded(codec.connection, error.item)
        else:
            return
    raise ConcurrentChangeError("connection", connection.id)
