"""Pages of lists: read, decoded, filled up to the limit, and kept small enough to be sent.

The table also holds summaries, foreign items, and edges that count nothing any more: these don't count towards a limit.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import TypeVar

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.queries import Page, Position, Query
from edgewise.dynamodb.table import Table

T = TypeVar("T")

# A Lambda response has at most 6 MB. The items may take this much of it; the rest is for the other parts of the answer.
SENT_BYTES = 4 * 1024 * 1024


def every(table: Table, query: Query) -> Iterator[Page]:
    """All pages of a query, each read when it is asked for."""
    while True:
        page = table.query(query)
        yield page
        if page.next is None:
            return
        query = replace(query, after=page.next)


def everything(_: object) -> bool:
    """The `counts` of lists in which every entry counts towards the limit."""
    return True


def listed(
    table: Table,
    query: Query,
    limit: int,
    after: Position | None,
    decode: Callable[[Item], T],
    counts: Callable[[T], bool] = everything,
    beside: int = 0,
) -> tuple[list[T], Position | None]:
    """The values of a query's items, up to the `limit`-th that counts, and where to go on.

    `beside` is how many items at the beginning don't count: so one request fills a page, and further requests follow
    only if more items don't count, each for twice as many items. A page ends before its limit only at the 1 MB of a
    request, or when the answer is full.
    """
    read: list[Item] = []
    found: list[T] = []
    missing, asked = limit, limit + (beside if after is None else 0)
    while True:
        page = _read(table, query.part(asked, after), read)
        for position, item in enumerate(page.items, 1):
            told = each(table, decode, [item])
            found += told
            missing -= sum(map(counts, told))
            if not missing:
                more = position < len(page.items) or page.next is not None
                return found, query.position(item) if more else None
        if page.next is None or len(page.items) < asked:
            return found, page.next
        read += page.items
        after, asked = page.next, 2 * asked


def _read(table: Table, query: Query, before: Sequence[Item]) -> Page:
    """The next items of a query: as many as an answer can hold in addition to those read before."""
    found = table.query(query)
    given = found.items[: sendable([*before, *found.items]) - len(before)]
    if len(given) == len(found.items):
        return found
    return Page(given, query.position(given[-1]) if given else query.after)


def fitting(query: Query, items: Sequence[Item], *, more: bool) -> Page:
    """The first items, as many as an answer can hold but at least one; `more`: further items follow these."""
    given = items[: sendable(items)]
    more = more or len(given) < len(items)
    return Page(given, query.position(given[-1]) if more and given else None)


def sent_bytes(value: object) -> int:
    """The length of a value in bytes as sent: its JSON is a string within the JSON of the function's response.

    The runtime escapes that string like any other: its quotation marks, its backslashes, and everything that is not
    ASCII. So a euro sign takes 6 bytes, a quotation mark within a text 4, and a control character 7.
    """
    return len(json.dumps(json.dumps(value, ensure_ascii=False, default=_unsent)))


def sendable(values: Sequence[object]) -> int:
    """How many of the first values an answer can hold; at least one, because one alone is never too large."""
    # Escaping text that is already ASCII at most doubles it; few pages come near the limit.
    if 2 * len(json.dumps(values, default=_unsent)) <= SENT_BYTES:
        return len(values)
    sizes = accumulate(map(sent_bytes, values))
    return max(1, sum(1 for _ in takewhile(SENT_BYTES.__ge__, sizes)))


def _unsent(_: object) -> None:
    """Replaces the checkpoints of aggregates: they are bytes, and no answer contains them."""
