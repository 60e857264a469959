"""Several shards read as one ordered list: one request a shard, in parallel, merged, one position for all of them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import Any

from functions.store.attributes import Item
from functions.store.queries import Page, Position, Query
from functions.store.table import CONNECTIONS, Table

PAGE_BYTES = 1024 * 1024


def page(table: Table, shards: Sequence[Query], limit: int, after: Position | None = None) -> Page:
    """Up to `limit` items of all shards in the order of their sort keys.

    All queries must differ in their partition only. A shard that was cut short (by the limit or at 1 MB) may hold
    unread items, so nothing that sorts after its last item is given out. Together they end at 1 MB too: an answer of
    all that many shards give would be more than a function may send.
    """
    queries = [replace(query, limit=limit, after=after) for query in shards]
    pages = _read(table, queries)
    query = queries[0]
    items = sorted((item for page in pages for item in page.items), key=query.order, reverse=not query.forward)
    cut = [query.order(page.items[-1]) for page in pages if page.next is not None]
    if cut:
        border = min(cut) if query.forward else max(cut)
        items = [item for item in items if _within(query, item, border)]
    given = items[: min(limit, _fitting(items))]
    more = bool(cut) or len(items) > len(given)
    return Page(given, query.position(given[-1]) if more and given else None)


def top(table: Table, shards: Sequence[Query], limit: int) -> list[Item]:
    """The first `limit` items of all shards, few enough for one page of each.

    For sort keys that many items share: these stand in no known order within a shard, so there is no position to go
    on from, and nothing may be held back that sorts beside a shard's last item.
    """
    pages = _read(table, [replace(query, limit=limit) for query in shards])
    first = shards[0]
    found = (item for page in pages for item in page.items)
    return sorted(found, key=first.order, reverse=not first.forward)[:limit]


def _fitting(items: Sequence[Item]) -> int:
    """How many of the first items are about 1 MB; one at least."""
    sizes = accumulate(len(str(item).encode()) for item in items)
    return max(1, sum(1 for _ in takewhile(PAGE_BYTES.__ge__, sizes)))


def _within(query: Query, item: Item, border: Any) -> bool:
    return bool(query.order(item) <= border if query.forward else query.order(item) >= border)


def _read(table: Table, queries: Sequence[Query]) -> list[Page]:
    if len(queries) == 1:
        return [table.query(queries[0])]
    with ThreadPoolExecutor(min(len(queries), CONNECTIONS)) as pool:
        return list(pool.map(table.query, queries))
