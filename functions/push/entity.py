"""Who listens to what: tickets, connections, subscriptions, and all that one user listens to."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from edgewise import FieldError, InvalidInputError, Key, Millis
from edgewise.times import SECOND
from functions.push.keys import digest_of

# A ticket opens one connection, within this time.
TICKET_LIFE = 60 * SECOND
# API Gateway closes every connection after two hours.
LONGEST = 2 * 3600 * SECOND
# What a page shows, and more. Each may make the sender read an answer once a second.
MOST_SUBSCRIPTIONS = 20
# Of one user: windows, what they show, and different addresses of one device, room, place or node. A notice of it makes
# the sender read as many answers for this user, and no more.
MOST_SOCKETS, MOST_OF_USER, MOST_OF_TOPIC = 10, 100, 10


class TooManyError(InvalidInputError):
    """A user has as many connections or subscriptions as one may have."""

    def __init__(self, field: str, error: str) -> None:
        super().__init__([FieldError(field, error)])


class ClosedError(InvalidInputError):
    """The connection has been closed."""

    def __init__(self) -> None:
        super().__init__([FieldError("connection", "is closed")])


@dataclass(frozen=True)
class Ticket:
    """Lets the user with this `sub` open one connection until `expires`.

    `issued`, `ends`: when the token was issued with which it was fetched, and when that ends; `rate`: how many units a
    second the user may use (functions/rates.py).
    """

    sub: str
    expires: Millis
    issued: Millis
    ends: Millis
    rate: int


@dataclass(frozen=True)
class Subscription:
    """A connection of a user wants to know what an address answers, whenever items of its topic change.

    `rate`: how many units a second the user may use.
    """

    topic: str
    connection: str
    sub: str
    address: str
    since: Millis
    ends: Millis
    rate: int


@dataclass(frozen=True)
class Connection:
    """An open socket of a user, which ends when the user's token would; `rate`: as of the ticket that opened it."""

    id: str
    sub: str
    issued: Millis
    ends: Millis
    rate: int


@dataclass(frozen=True)
class Listener:
    """A user with the connections that are open, when each ends, and the keys of the subscriptions of each.

    `last`: the end of the last one, also of those that have been closed.
    """

    sub: str
    ends: Mapping[str, Millis] = field(default_factory=dict)
    subscriptions: Mapping[str, tuple[Key, ...]] = field(default_factory=dict)
    last: Millis = 0
    version: int = 0

    def with_connection(self, connection: Connection, now: Millis) -> "Listener":
        """The listener with one more connection, without those that have ended; raises TooManyError."""
        open_ones = {name: ends for name, ends in self.ends.items() if ends > now and name != connection.id}
        if len(open_ones) >= MOST_SOCKETS:
            raise TooManyError("connection", f"a user has at most {MOST_SOCKETS} connections")
        listener = replace(self, last=max(self.last, connection.ends))
        return listener._with({**open_ones, connection.id: connection.ends}, self.subscriptions)

    def without_connection(self, name: str) -> "Listener":
        """The listener without this connection."""
        return self._with({each: ends for each, ends in self.ends.items() if each != name}, self.subscriptions)

    def with_subscription(self, name: str, key: Key) -> "Listener":
        """The listener with one more subscription of this connection; raises TooManyError, ClosedError."""
        if name not in self.ends:
            raise ClosedError
        own = self.subscriptions.get(name, ())
        if key in own:
            return self
        every = [each for keys in self.subscriptions.values() for each in keys]
        # The same address in another window costs no further answer.
        others = {digest_of(each) for each in every if each.pk == key.pk} - {digest_of(key)}
        for which, most, number in (
            ("connection has at most {} subscriptions", MOST_SUBSCRIPTIONS, len(own)),
            ("user has at most {} subscriptions", MOST_OF_USER, len(every)),
            ("user has at most {} different subscriptions to one thing", MOST_OF_TOPIC, len(others)),
        ):
            if number >= most:
                raise TooManyError("address", f"a {which.format(most)}")
        return self._with(self.ends, {**self.subscriptions, name: (*own, key)})

    def without_subscription(self, name: str, key: Key) -> "Listener":
        """The listener with one subscription of this connection fewer; raises ClosedError."""
        if name not in self.ends:
            raise ClosedError
        own = tuple(each for each in self.subscriptions.get(name, ()) if each != key)
        return self._with(self.ends, {**self.subscriptions, name: own})

    def _with(self, ends: Mapping[str, Millis], subscriptions: Mapping[str, tuple[Key, ...]]) -> "Listener":
        kept = {name: keys for name, keys in subscriptions.items() if name in ends and keys}
        return replace(self, ends=ends, subscriptions=kept)
