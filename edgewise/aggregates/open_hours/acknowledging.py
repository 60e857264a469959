"""Which closings have been absorbed by all that they feed, so that readers need not add them any more.

A closing's record may be in another shard than what its aggregate is fed by, so the aggregate can't tell from its own
records. It asks those whom the closing feeds, once, when it is written anyway: each holds the number of the last
closing that it has absorbed, which only grows. That takes a read of about three small items, where keeping a closing
for long takes further write units with each write.
"""

from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from typing import NamedTuple

from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.declaration import is_elsewhere
from edgewise.aggregates.continuations.items import continuation
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours.attributes import closed, is_kept, unacknowledged
from edgewise.aggregates.open_hours.declaration import addressed, start_in
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.failures import PoisonError, sorted_out
from edgewise.times import SECOND, Millis

# A closing is asked about when it is so old: before that, it is most likely on its way.
ON_ITS_WAY: Millis = 10 * SECOND


# By aggregate, the numbers of its closings that all whom they feed have absorbed.
Acknowledged = Mapping[AggregateId, Set[int]]


class _Asked(NamedTuple):
    """A closing of an aggregate, and an item that should have absorbed it with these names of cells."""

    opened: AggregateId
    number: int
    fed: AggregateId
    names: Set[str]


def acknowledged(table: Table, stored: Mapping[AggregateId, Item], now: Millis) -> Acknowledged:
    """The closings of these aggregates that all whom they feed have absorbed, as far as nobody knew it yet."""
    asked = [each for about, item in stored.items() if is_kept(item) for each in _asked(about, item, now)]
    behind = _behind(table, asked)
    found: dict[AggregateId, set[int]] = {}
    for opened, number, *_ in asked:
        if (opened, number) not in behind:
            found.setdefault(opened, set()).add(number)
    return found


def _asked(about: AggregateId, item: Item, now: Millis) -> Iterator[_Asked]:
    """Whom to ask about the closings of an aggregate; nobody if it can't be understood, which others will find."""
    with suppress(PoisonError), sorted_out():
        for closing in unacknowledged(item, start_in(about), now - ON_ITS_WAY):
            for fed, changes in addressed(about, closing.cells).items():
                yield _Asked(about, closing.number, fed, changes.keys())


def _behind(table: Table, asked: list[_Asked]) -> Set[tuple[AggregateId, int]]:
    """The closings that somebody has not absorbed yet; full items are asked together with their continuations."""
    behind = set[tuple[AggregateId, int]]()
    while asked:
        items, further = readers.read(table, {each.fed for each in asked}), list[_Asked]()
        for each in asked:
            item = items.get(each.fed)
            if item is None or closed(item) < each.number:
                behind.add((each.opened, each.number))
            else:
                elsewhere = (name for name in each.names if is_elsewhere(item, name))
                further += (each._replace(fed=continuation(each.fed, name), names={name}) for name in elsewhere)
        asked = further
    return behind
