"""Withdrawals: what somebody may not find any more, from the transaction that takes it away until the index says so.

The index follows the table a moment later, or much later. So whoever takes something away notes it for those who lose
it, in the same transaction. Each search reads its caller's notes, and the engine leaves out what they name: so it is
not counted either. The indexer removes a note once searches see what it has written since.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from edgewise import Delete, Item, Key, Partitions, Put, Query, Table, clock, each
from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import key_item, key_of, n, s, string
from edgewise.dynamodb.keys import digest, join
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.dynamodb.table import CONNECTIONS
from edgewise.times import DAY, SECOND
from functions.search.engine import EVERYBODY, Address

TYPE = "WITHDRAWAL"
# The notes for one reader: a user, by the `sub`, or everybody.
WITHDRAWN = Partitions("WITHDRAWN")
# Each search reads so many notes at most: some units, and a list that engines take at no cost worth mentioning.
MOST = 100
# The units of the removal of a note, which whoever withdraws causes.
REMOVED = 1
# By then no hint waits any more: the queue keeps them for 14 days, the stream for one. A stage may have no search.
_KEPT = 16 * DAY


class Withdrawn(NamedTuple):
    """What a user may not find: addresses, as texts. Not `complete`: there is more."""

    addresses: Sequence[str]
    complete: bool


def withdrawal(reader: str, thing: Address, version: int) -> Put:
    """The action that notes in a transaction what it takes from a reader: from EVERYBODY, or from a user, by the `sub`.

    `version`: of the item that says so. It tells this time from others, whose notes may be removed meanwhile.
    """
    key = Key(WITHDRAWN(reader), join(digest(thing.text()), str(version)))
    ends = {TTL_ATTRIBUTE: n((clock.now() + _KEPT) // SECOND)}
    return Put(key_item(key) | {"Type": s(TYPE), "Address": s(thing.text())} | ends)


def withdrawn(table: Table, sub: str) -> Withdrawn:
    """What a user may not find, strongly consistent: two queries at once."""
    notes = merge.page(table, [Query(WITHDRAWN(reader), consistent=True) for reader in (EVERYBODY, sub)], MOST)
    addresses = each(table, lambda item: string(item["Address"]), notes.items)
    return Withdrawn(list(dict.fromkeys(addresses)), complete=notes.next is None)


def noted(table: Table, keys: Sequence[Key]) -> Mapping[Key, Address]:
    """The things that notes with these distinct keys name; of those that are removed by now, nothing."""
    return dict(each(table, _noted, table.get_many(keys, consistent=True).values()))


def remove(table: Table, keys: Sequence[Key]) -> None:
    """Remove notes, which need not exist."""
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        list(threads.map(lambda key: table.write(Delete(key)), keys))


def _noted(note: Item) -> tuple[Key, Address]:
    return key_of(note), Address.of(string(note["Address"]))
