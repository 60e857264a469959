"""Which topics anybody subscribes to: the list of all subscriptions, read anew every second.

A subscription is known at the latest LATEST after it was stored: a refresh, and what the index lags behind.
"""

from collections.abc import Iterator

from edgewise import BY_VALUE, Between, Millis, Query, Table, each, from_rfc_3339
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import string
from edgewise.times import SECOND
from functions.push import keys
from functions.push.entity import LONGEST

REFRESH = SECOND
# The index shows a write a moment later, and the clocks of functions differ: the last seconds are read again.
OVERLAP = 10 * SECOND
# What a client is told: after so long, changes are sent to it.
LATEST = 3 * SECOND


class Interest:
    """The topics that somebody may still be subscribed to; those of connections that have closed stay a while."""

    def __init__(self) -> None:
        self._until: dict[str, Millis] = {}
        self._read: Millis | None = None

    def __contains__(self, topic: object) -> bool:
        return topic in self._until

    def refresh(self, table: Table, now: Millis) -> None:
        """Read the subscriptions that have begun since the last time, unless that was a moment ago."""
        if self._read is not None and now - self._read < REFRESH:
            return
        since = now - LONGEST if self._read is None else self._read - OVERLAP
        for topic, began in _begun(table, since):
            self._until[topic] = max(self._until.get(topic, 0), began + LONGEST)
        self._until = {topic: until for topic, until in self._until.items() if until > now}
        self._read = now


def begun_since(since: Millis) -> Query:
    """The subscriptions that began then or later."""
    return Query(keys.SUBSCRIBED, Between(keys.instant(since), keys.FOREVER), BY_VALUE)


def _begun(table: Table, since: Millis) -> Iterator[tuple[str, Millis]]:
    for page in pages.every(table, begun_since(since)):
        yield from each(
            table, lambda item: (keys.topic_of(string(item["PK"])), from_rfc_3339(string(item["GSI1SK"]))), page.items
        )
