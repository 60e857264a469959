"""Removes what says itself that it has expired: neither the owner's table nor the one beside it does so."""

from contextlib import suppress
from typing import NamedTuple

from edgewise import clock
from edgewise.clock import MayGoOn
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, integer, key_of
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.table import RefusedError, Table
from edgewise.dynamodb.writes import Condition, Delete
from edgewise.freshness import keys
from edgewise.times import SECOND


class Removed(NamedTuple):
    """How many items were seen, and how many removed; not `complete` if the time ran out."""

    seen: int
    removed: int
    complete: bool


def remove(table: Table, may_go_on: MayGoOn) -> Removed:
    """Remove what says how far shards had come that are over: they are all in one partition.

    A shard that goes on meanwhile keeps it: it is removed as it was read, or not at all.
    """
    seen, removed, now = 0, 0, clock.now() // SECOND
    for page in pages.every(table, keys.ALL):
        for item in page.items:
            if not may_go_on():
                return Removed(seen, removed, complete=False)
            seen += 1
            removed += TTL_ATTRIBUTE in item and integer(item[TTL_ATTRIBUTE]) < now and _gone(table, item)
    return Removed(seen, removed, complete=True)


def _gone(table: Table, item: Item) -> bool:
    with suppress(RefusedError):
        table.write(Delete(key_of(item), Condition.at_version(integer(item["Version"]))))
        return True
    return False
