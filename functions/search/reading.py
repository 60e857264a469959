"""Reads things as the table holds them now: for the index, and for the answer to whoever has found them."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from edgewise import Item, Key, Table
from edgewise.dynamodb import pages
from edgewise.dynamodb.table import CONNECTIONS
from edgewise.failures import PoisonError, sorted_out
from edgewise.observability import logger
from functions.search.engine import Address
from functions.search.watched import Watched
from functions.searchable import Contents


class Thing(NamedTuple):
    """What is read of a thing: its contents, if there is anything to find; `clear`: whether they can be understood."""

    address: Address
    contents: Contents | None
    clear: bool = True


def things(table: Table, watched: Watched, addresses: Sequence[Address]) -> Iterator[Thing]:
    """These distinct things, as they are now: those of one item together, a query for each other."""
    alone = [each for each in addresses if watched.kinds[each.kind].items is None]
    found = table.get_many(list(dict.fromkeys(each.key for each in alone)), consistent=True)
    for address in alone:
        yield _thing(watched, address, lambda key: [item] if (item := found.get(key)) else [])
    several = [each for each in addresses if watched.kinds[each.kind].items]
    with ThreadPoolExecutor(CONNECTIONS) as threads:
        yield from threads.map(lambda each: _thing(watched, each, partial(_items, table, watched, each.kind)), several)


def _items(table: Table, watched: Watched, kind: str, key: Key) -> list[Item]:
    query = watched.kinds[kind].items
    assert query
    return [item for page in pages.every(table, query(key)) for item in page.items]


def _thing(watched: Watched, address: Address, read: Callable[[Key], Sequence[Item]]) -> Thing:
    try:
        with sorted_out():
            items = read(address.key)
            return Thing(address, watched.kinds[address.kind].contents(items) if items else None)
    except PoisonError as poison:
        logger.error("not understood", kind=address.kind, key=address.key, reason=poison.reason)
        return Thing(address, None, clear=False)
