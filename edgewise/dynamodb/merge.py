"""Reads several shards as one ordered list: one request per shard, in parallel, merged, with one position for all."""

from collections.abc import Sequence
from typing import Any

from edgewise import surroundings
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.queries import Page, Position, Query
from edgewise.dynamodb.table import CONNECTIONS, Table


def page(table: Table, shards: Sequence[Query], limit: int, after: Position | None = None) -> Page:
    """Up to `limit` items of all shards in the order of their sort keys.

    The queries must differ only in their partitions. A shard that was cut short (by the limit or at 1 MB) may hold
    unread items, so nothing that sorts after its last item is returned.
    """
    queries = [query.part(limit, after) for query in shards]
    found = _read(table, queries)
    query = queries[0]
    items = sorted((item for page in found for item in page.items), key=query.order, reverse=not query.forward)
    cut = [query.order(page.items[-1]) for page in found if page.next is not None]
    if cut:
        border = min(cut) if query.forward else max(cut)
        items = [item for item in items if _within(query, item, border)]
    return pages.fitting(query, items[:limit], more=bool(cut) or len(items) > limit)


def top(table: Table, shards: Sequence[Query], limit: int) -> list[Item]:
    """The first `limit` items of all shards; the limit must be small enough for one page of each.

    For sort keys that many items share: the order of such items within a shard is undefined, so there is no position
    to go on from, and items that tie with a shard's last item must not be held back.
    """
    found = _read(table, [query.part(limit) for query in shards])
    first = shards[0]
    items = (item for page in found for item in page.items)
    return sorted(items, key=first.order, reverse=not first.forward)[:limit]


def _within(query: Query, item: Item, border: Any) -> bool:
    return bool(query.order(item) <= border if query.forward else query.order(item) >= border)


def _read(table: Table, queries: Sequence[Query]) -> list[Page]:
    if len(queries) == 1:
        return [table.query(queries[0])]
    with surroundings.threads(min(len(queries), CONNECTIONS)) as pool:
        return list(pool.map(table.query, queries))
