"""The table in memory with DynamoDB's limits: what the service would refuse is refused here."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from delivery.sizes import item_size
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.schema import INDEXES
from functions.dynamodb.writes import Action, Check, Put, Write
from tests.support.memory import target
from tests.support.streams import StreamedMemory

ITEM_BYTES, TRANSACTION_BYTES, ACTIONS = 400 * 1024, 4 * 1024 * 1024, 100
PARTITION_KEY_BYTES, SORT_KEY_BYTES = 2048, 1024
DIGITS, LEVELS = 38, 32


class LimitError(Exception):
    """DynamoDB would answer with a ValidationException."""


class StrictMemory(StreamedMemory):
    """A table that remembers the greatest item it was given."""

    greatest = 0

    def put_many(self, items: Sequence[Item]) -> None:
        _must(len({key_of(item) for item in items}) == len(items), "two writes of a batch on one item")
        for item in items:
            self._accept(item)
        super().put_many(items)

    def write(self, write: Write) -> None:
        if isinstance(write, Put):
            self._accept(write.item)
        super().write(write)

    def transact(self, actions: Sequence[Action]) -> None:
        _must(len(actions) <= ACTIONS, "too many actions")
        _must(len({target(action) for action in actions}) == len(actions), "two actions on one item")
        written = [action.item for action in actions if isinstance(action, Put)]
        for item in written:
            self._accept(item)
        checked = (self.items.get(action.key, {}) for action in actions if isinstance(action, Check))
        _must(sum(map(item_size, [*written, *checked])) <= TRANSACTION_BYTES, "a transaction too large")
        super().transact(actions)

    def _accept(self, item: Item) -> None:
        self.greatest = max(self.greatest, item_size(item))
        _must(item_size(item) <= ITEM_BYTES, "an item too large")
        _keys(item)
        for value in item.values():
            _value(value, 1)


def _keys(item: Item) -> None:
    pairs = [("PK", "SK"), *((index.partition_key, index.sort_key) for index in INDEXES)]
    for partition, sort in pairs:
        for name, limit in ((partition, PARTITION_KEY_BYTES), (sort, SORT_KEY_BYTES)):
            text = item[name].get("S") if name in item else None
            _must(text is None or 0 < len(text.encode()) <= limit, f"{name} is empty or too long")


def _value(value: Any, level: int) -> None:
    _must(level <= LEVELS, "nested too deep")
    if "S" in value:
        value["S"].encode()
    if "N" in value:
        number = Decimal(value["N"])
        _must(number.is_finite() and len(number.normalize().as_tuple().digits) <= DIGITS, "a number too long")
    for inner in _inner(value):
        _value(inner, level + 1)


def _inner(value: Any) -> Iterator[Any]:
    yield from value.get("L", ())
    for name, inner in value.get("M", {}).items():
        _must(bool(name.encode()), "a member without a name")
        yield inner


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise LimitError(otherwise)
