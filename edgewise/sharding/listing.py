"""Which shards of a list to read, and to which shard to write.

A function remembers the history of a list for KNOWN_FOR. A widening takes effect LEAD after somebody asked for it: by
then it is stored, whoever remembers an older history has read it again, and requests that began with the older one
have ended. So every reader knows each shard before the first item is written to it. A writer with an older history
only spreads over fewer shards.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from edgewise import clock
from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.decoding import decoded, each
from edgewise.dynamodb.queries import Position, Query
from edgewise.dynamodb.table import Table
from edgewise.sharding import codec
from edgewise.sharding.lists import ListSharding, ShardedList
from edgewise.times import SECOND, Millis

T = TypeVar("T")

KNOWN_FOR = 10 * SECOND
# The longest that a request which writes may take.
REQUEST = 10 * SECOND
# For the request that stores the widening, and for those that began with what was known until then.
LEAD = KNOWN_FOR + 2 * REQUEST
# How many histories a function remembers; places and awards have lists without number.
MOST_KNOWN = 1000

_Known = dict[ShardedList, tuple[Millis, ListSharding]]
_known: WeakKeyDictionary[Table, _Known] = WeakKeyDictionary()


def partitions(table: Table, of: ShardedList) -> list[str]:
    """All partitions of the index that may have items of a list."""
    return of.shards(known(table, [of])[of].shards)


def page(
    table: Table,
    of: ShardedList,
    queries: Callable[[Sequence[str]], Sequence[Query]],
    limit: int,
    after: Position | None,
    decode: Callable[[Item], T],
) -> tuple[list[T], Position | None]:
    """One page of a list in order, and the next position: one request for each shard, in parallel.

    `queries` gives those of these partitions of the index, one for each.
    """
    found = merge.page(table, queries(partitions(table, of)), limit, after)
    return each(table, decode, found.items), found.next


def shard_for(table: Table, of: ShardedList, member: str) -> int:
    """The shard of a list for an item that is written now; `member` tells it from the others."""
    return shards_for(table, [(of, member)])[0]


def shards_for(table: Table, members: Sequence[tuple[ShardedList, str]]) -> list[int]:
    """The same for several items and their lists, in at most one request."""
    found, now = known(table, {of for of, _ in members}), clock.now()
    return [found[of].shard_of(now, member) for of, member in members]


def known(table: Table, lists: Collection[ShardedList]) -> Mapping[ShardedList, ListSharding]:
    """The histories as they are, or were at most KNOWN_FOR ago; a list that was never widened has one shard."""
    remembered, now = _known.setdefault(table, {}), clock.now()
    recent = {of: remembered[of][1] for of in lists if of in remembered and remembered[of][0] > now - KNOWN_FOR}
    unknown = [of for of in lists if of not in recent]
    if not unknown:
        return recent
    found = stored(table, unknown)
    if len(remembered) + len(found) > MOST_KNOWN:
        remembered.clear()
    remembered.update((of, (now, sharding)) for of, sharding in found.items())
    return recent | found


def stored(table: Table, lists: Sequence[ShardedList]) -> dict[ShardedList, ListSharding]:
    """The histories as they are, in one request."""
    items = table.get_many([of.history for of in lists], consistent=True)
    return {of: _sharding(of, items.get(of.history)) for of in lists}


def _sharding(of: ShardedList, item: Item | None) -> ListSharding:
    if item is None:
        return ListSharding.starting_with(of.name, 1, version=0)
    return decoded(partial(codec.list_sharding, of), item)
