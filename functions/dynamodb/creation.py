"""Items that are written once: a repeated request finds what the first one stored."""

from collections.abc import Callable
from typing import TypeVar

from functions.dynamodb.attributes import Item
from functions.dynamodb.decoding import decoded
from functions.dynamodb.table import RefusedError, Table
from functions.dynamodb.writes import ABSENT, Put
from functions.errors import ConcurrentChangeError

T = TypeVar("T")


def created(table: Table, item: Item, decode: Callable[[Item], T], kind: str, name: str) -> T | None:
    """Write an item unless its key is taken; returns what the existing item stands for, None if there was none.

    Raises ConcurrentChangeError, with the `kind` and `name`, if DynamoDB refuses the write but returns no item.
    """
    try:
        table.write(Put(item, ABSENT))
    except RefusedError as refusal:
        if refusal.item is None:
            raise ConcurrentChangeError(kind, name) from refusal
        return decoded(decode, refusal.item)
    return None
