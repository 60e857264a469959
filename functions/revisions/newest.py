"""The copy of the newest revision, derived anew from the revisions."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from edgewise import Condition, Item, ItemType, Key, Put, Query, RefusedError, Table
from edgewise.derived import Copies, Said, Stated, content
from edgewise.dynamodb.attributes import integer

Revision = TypeVar("Revision")


def copies(revision: ItemType[Revision], newest: ItemType[Revision], history: Callable[..., Query]) -> Copies:
    """Items of type `newest` repeat the last one of type `revision`; `history` finds these by what their keys name."""

    def stated(of: ItemType[Revision]) -> Callable[[Item], Stated]:
        def state(item: Item) -> Stated:
            return newest.key_of(of.decode(item)), Said(integer(item["Version"]), content(item))

        return state

    def put_right(table: Table, at: Key) -> None:
        copy = table.get(at)  # first, since whoever appends a revision also replaces it
        found = replace(history(*newest.names(at)), forward=False, limit=1, consistent=True)
        last = table.query(found).items
        right = newest.encode(revision.decode(last[0])) if last else None
        if right and right != copy:
            with suppress(RefusedError):
                table.write(Put(right, Condition.as_read(copy)))

    return Copies(
        name=newest.name,
        copies=(newest.name,),
        originals=(revision.name,),
        told=stated(revision),
        said=stated(newest),
        single=True,
        put_right=put_right,
    )
