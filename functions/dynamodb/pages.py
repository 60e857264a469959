"""Pages of lists: read, decoded, filled up to the limit, kept small enough to be sent.

The table also holds summaries, foreign items, and edges that stand for nothing any more: a limit does not count these.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import TypeVar

from functions.dynamodb.attributes import Item
from functions.dynamodb.decoding import each
from functions.dynamodb.queries import Page, Position, Query
from functions.dynamodb.table import Table

T = TypeVar("T")

# Lambda sends 6 MB. Of an answer these are the items; what the answer says beside them is for the rest.
SENT_BYTES = 4 * 1024 * 1024


def every(table: Table, query: Query) -> Iterator[Page]:
    """All pages of a query, each when it is asked for."""
    while True:
        page = table.query(query)
        yield page
        if page.next is None:
            return
        query = replace(query, after=page.next)


def everything(_: object) -> bool:
    """Whatever is found was asked for."""
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
    """What the items of a query stand for, up to the `limit`-th that counts, and where to go on.

    `beside` is how many that don't count stand at the beginning: so one request fills a page, and others follow only
    where more don't count, each for twice as many items. A page ends before its limit only at the 1 MB of a request,
    or at what an answer can hold.
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
    """Some items, as many as an answer can hold that also tells those read before."""
    found = table.query(query)
    given = found.items[: sendable([*before, *found.items]) - len(before)]
    if len(given) == len(found.items):
        return found
    return Page(given, query.position(given[-1]) if given else query.after)


def fitting(query: Query, items: Sequence[Item], *, more: bool) -> Page:
    """The first of the items that an answer can hold, one at least; `more`: others follow all of these."""
    given = items[: sendable(items)]
    more = more or len(given) < len(items)
    return Page(given, query.position(given[-1]) if more and given else None)


def sent_bytes(value: object) -> int:
    """How long a value is as sent: its JSON is a text within the JSON of the function's response.

    The runtime escapes that text as any other: each quote of it, each backslash, and all that is not ASCII. So a
    euro sign takes 6 bytes, a quotation mark within a text 4, a control character 7.
    """
    return len(json.dumps(json.dumps(value, ensure_ascii=False, default=_unsent)))


def sendable(values: Sequence[object]) -> int:
    """How many of the first values an answer can hold; one at least, which is never too large alone."""
    # Escaping a text that is ASCII already doubles it at the most; few pages come near what they may have.
    if 2 * len(json.dumps(values, default=_unsent)) <= SENT_BYTES:
        return len(values)
    sizes = accumulate(map(sent_bytes, values))
    return max(1, sum(1 for _ in takewhile(SENT_BYTES.__ge__, sizes)))


def _unsent(_: object) -> None:
    """In place of the checkpoints of aggregates: they are bytes, and no answer tells them."""
