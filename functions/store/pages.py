"""Pages of lists: read, kept small enough to be sent, decoded."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate, takewhile
from typing import TypeVar

from functions.store.attributes import Item
from functions.store.decoding import each
from functions.store.queries import Page, Position, Query
from functions.store.table import Table

T = TypeVar("T")

# Lambda sends 6 MB. Of an answer these are the items; what the answer says beside them is for the rest.
SENT_BYTES = 4 * 1024 * 1024


def read(table: Table, query: Query, limit: int | None, after: Position | None) -> Page:
    """Up to `limit` items (None: all), fewer at the end, at 1 MB of the table, or at what an answer can hold."""
    found = table.query(replace(query, limit=limit, after=after))
    return fitting(query, found.items, more=found.next is not None)


def listed(
    table: Table, query: Query, limit: int, after: Position | None, decode: Callable[[Item], T]
) -> tuple[list[T], Position | None]:
    """What the items of one page stand for, and where to go on."""
    page = read(table, query, limit, after)
    return each(table, decode, page.items), page.next


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
    """In place of the marks of aggregates: they are bytes, and no answer tells them."""
