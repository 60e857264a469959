"""Items that are none of ours: of a list they are left out, and it is said how many; alone they are an error."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from functions.dynamodb.attributes import Item
from functions.dynamodb.table import Table
from functions.failures import PoisonError, sorted_out

T = TypeVar("T")


class ForeignItemError(Exception):
    """Under a key of this application stands an item that it did not write, or not like this; carries its key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the item under {key} can't be understood")
        self.key = key


def decoded(decode: Callable[[Item], T], item: Item) -> T:
    """What an item stands for; raises ForeignItemError."""
    try:
        with sorted_out():
            return decode(item)
    except PoisonError as poison:
        raise ForeignItemError(_key(item)) from poison


def each(table: Table, decode: Callable[[Item], T], items: Iterable[Item]) -> list[T]:
    """What the items stand for. A foreign one keeps none of its neighbours out: the table's usage notes its key."""
    understood = []
    for item in items:
        try:
            understood.append(decoded(decode, item))
        except ForeignItemError as error:
            table.usage.left_out.append(error.key)
    return understood


def _key(item: Item) -> str:
    return " / ".join(str(next(iter(item[name].values()))) for name in ("PK", "SK"))
