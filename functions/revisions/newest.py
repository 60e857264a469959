"""The copy of the newest revision, derived anew from the revisions."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from functions.derived import Copies, Said, Stated, as_read, content
from functions.dynamodb.attributes import Item, integer
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import ABSENT, Put

Revision = TypeVar("Revision")


def copies(
    *,
    revision: str,
    newest: str,
    decode: Callable[[Item], Revision],
    encode: Callable[[Revision], Item],
    key: Callable[[Revision], Key],
    history: Callable[[Key], Query],
) -> Copies:
    """Items of type `newest` repeat the last one of type `revision`.

    `decode` reads both, `encode` writes the copy, `key` is the copy's. `history` finds the revisions by that key.
    """

    def told(item: Item) -> Stated:
        return key(decode(item)), Said(integer(item["Version"]), content(item))

    def put_right(table: Table, at: Key) -> None:
        copy = table.get(at)  # first, since whoever appends a revision also replaces it
        last = table.query(replace(history(at), forward=False, limit=1, consistent=True)).items
        right = encode(decode(last[0])) if last else None
        if right and right != copy:
            with suppress(RefusedError):
                table.write(Put(right, as_read(copy) if copy else ABSENT))

    return Copies(copy=newest, original=revision, told=told, said=told, single=True, put_right=put_right)
