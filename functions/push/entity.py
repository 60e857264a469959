"""Who listens to what: tickets, connections, subscriptions."""

from dataclasses import dataclass, replace

from functions.dynamodb.keys import Key
from functions.times import SECOND, Millis

# A ticket opens one connection, within this time.
TICKET_LIFE = 60 * SECOND
# API Gateway closes every connection after two hours.
LONGEST = 2 * 3600 * SECOND
# What a page shows, and more. Each may make the sender read an answer once a second.
MOST_SUBSCRIPTIONS = 20


@dataclass(frozen=True)
class Ticket:
    """Lets a user open one connection until `expires`. `ends`: when the token ends with which it was fetched."""

    user: str
    expires: Millis
    ends: Millis


@dataclass(frozen=True)
class Subscription:
    """A connection wants to know what an address answers, whenever items of its topic change."""

    topic: str
    connection: str
    address: str
    since: Millis
    ends: Millis


@dataclass(frozen=True)
class Connection:
    """An open socket of a user, which ends when the user's token would; `subscriptions` are the keys of its own."""

    id: str
    user: str
    ends: Millis
    subscriptions: tuple[Key, ...] = ()
    version: int = 0

    def with_subscription(self, key: Key) -> "Connection":
        """The connection with one more subscription."""
        return replace(self, subscriptions=(*self.subscriptions, key))

    def without_subscription(self, key: Key) -> "Connection":
        """The connection with one fewer."""
        return replace(self, subscriptions=tuple(each for each in self.subscriptions if each != key))
