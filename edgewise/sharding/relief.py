"""Lists get more shards: on request, or automatically when writers are throttled."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from functools import partial

from edgewise import clock
from edgewise.dynamodb.schema import Index
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.errors import ConcurrentChangeError
from edgewise.sharding import codec, listing, widening
from edgewise.sharding.listing import LEAD
from edgewise.sharding.lists import ListSharding, ShardedList


def widen(table: Table, of: ShardedList, shards: int) -> ListSharding:
    """The list with this many shards; raises ShrinkRefusedError or ConcurrentChangeError."""
    current = listing.stored(table, [of])[of]
    return widening.widen(current, shards, clock.now() + LEAD, partial(_store, table, of))


def relieve(table: Table, lists: Collection[ShardedList]) -> None:
    """Double the shards of lists that are too hot, unless they were just widened or have the maximum."""
    for of, current in listing.known(table, lists).items():
        widening.relieve(table, current, clock.now(), LEAD, partial(_store, table, of))


@contextmanager
def shard(table: Table, index: Index, of: ShardedList, member: str) -> Iterator[int]:
    """The shard of a list of this index for an item that is written within; `member` tells it from the others.

    The list is widened if the write is throttled because it makes a key range of the index too hot.
    """
    try:
        yield listing.shard_for(table, of, member)
    except ThrottledError as error:
        if error.by_hot_entries(index.name):
            relieve(table, [of])
        raise


def _store(table: Table, of: ShardedList, sharding: ListSharding) -> None:
    try:
        table.put_version(codec.list_item(of, sharding), replaces=sharding.version - 1)
    except RefusedError as refusal:
        raise ConcurrentChangeError("list", of.name) from refusal
