"""Foreign items: a list leaves them out and says how many there were; a read of a single foreign item is an error."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.failures import PoisonError, sorted_out

T = TypeVar("T")


class ForeignItemError(Exception):
    """An item under one of this application's keys is not of the form that it writes there; carries the key."""

    def __init__(self, key: str) -> None:
        super().__init__(f"the item under {key} can't be understood")
        self.key = key


def decoded(decode: Callable[[Item], T], item: Item) -> T:
    """The value that an item stands for; raises ForeignItemError."""
    try:
        with sorted_out():
            return decode(item)
    except PoisonError as poison:
        raise ForeignItemError(_key(item)) from poison


def each(table: Table, decode: Callable[[Item], T], items: Iterable[Item]) -> list[T]:
    """The values that the items stand for. Foreign items are left out, and the table's usage notes their keys."""
    understood = []
    for item in items:
        try:
            understood.append(decoded(decode, item))
        except ForeignItemError as error:
            table.usage.left_out.append(error.key)
    return understood


def _key(item: Item) -> str:
    return " / ".join(str(next(iter(item[name].values()))) for name in ("PK", "SK"))
