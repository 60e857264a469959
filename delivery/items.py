"""The items of a table, as far as a stream needs them: what is written and removed, and by whom."""

import json
from copy import deepcopy

from delivery.sizes import Item
from delivery.stream import Stream


class Items:
    """Items by key; each change of them is recorded in the stream."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._items: dict[str, Item] = {}

    def put(self, item: Item) -> None:
        """Write a whole item; if it is unchanged, there is no record."""
        key = self._key(item)
        self._stream.record(self._items.get(key), item)
        self._items[key] = deepcopy(item)

    def delete(self, key: Item) -> None:
        """Remove the item with these key attributes; if there is none, there is no record either."""
        self._stream.record(self._items.pop(self._key(key), None), None)

    def expire(self, key: Item) -> None:
        """The table's time to live removes the item."""
        self._stream.record(self._items.pop(self._key(key), None), None, expired=True)

    def all(self) -> list[Item]:
        """The items that exist."""
        return deepcopy(list(self._items.values()))

    def _key(self, item: Item) -> str:
        return json.dumps(self._stream.source.key_of(item), default=repr)
