"""Items that are written once: a repeated request finds what the first one stored."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.decoding import decoded
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import STATEMENTS_PER_BATCH, RefusedError, Table, TransactionRefusedError, chunks
from edgewise.dynamodb.writes import Condition, Put, Replacement, Reply
from edgewise.errors import ConcurrentChangeError

T = TypeVar("T")


def created(table: Table, item: Item, decode: Callable[[Item], T], kind: str, name: str) -> T | None:
    """Write an item unless its key is taken; returns what the existing item stands for, None if there was none.

    Raises ConcurrentChangeError, with the `kind` and `name`, if DynamoDB refuses the write but returns no item.
    """
    try:
        table.write(Put(item, Condition.ABSENT))
    except RefusedError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError(kind, name) from refusal
        return decoded(decode, refusal.item)
    return None


def created_many(table: Table, items: Sequence[Item]) -> dict[Key, Item]:
    """Write each item unless its key is taken, up to 25 in a request; returns the existing items under taken keys.

    No two items may have the same key. An item that was written by a request whose answer got lost is an existing one.
    """
    existing: dict[Key, Item] = {}
    left = [Replacement(item, None) for item in items]
    while left:
        taken = {key_of(each.item): each for part in chunks(left, STATEMENTS_PER_BATCH) for each in _taken(table, part)}
        existing |= table.get_many(list(taken), consistent=True)
        left = [each for key, each in taken.items() if key not in existing]  # removed in between
    return existing


def _taken(table: Table, creations: Sequence[Replacement]) -> Iterator[Replacement]:
    """Those whose keys are taken; what can't be said of one by a statement is said by a put."""
    if not table.statements and len(creations) > 1 and _put_together(table, creations):
        return
    for each, reply in zip(creations, table.replace_many(creations), strict=True):
        if reply is Reply.REFUSED or (reply is Reply.UNCLEAR and not _put(table, each)):
            yield each


def _put_together(table: Table, creations: Sequence[Replacement]) -> bool:
    """Whether no key was taken: one transaction, where there are no statements and units cost nothing (local cloud)."""
    try:
        table.transact([each.put() for each in creations])
    except TransactionRefusedError:
        return False
    return True


def _put(table: Table, creation: Replacement) -> bool:
    """Whether there was none; the SDK repeats a put that is throttled, but not a statement."""
    try:
        table.replace(creation)
    except RefusedError:
        return False
    return True
