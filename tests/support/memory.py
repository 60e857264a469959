"""The table in memory: its operations on a dictionary, for tests that need thousands of deliveries."""

import pickle
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, TypeVar

from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import BeginsWith, Between, Equals, Page, Query
from functions.dynamodb.table import RefusedError, Table, TransactionRefusedError
from functions.dynamodb.usage import Usage
from functions.dynamodb.writes import Action, Delete, Put, Write

T = TypeVar("T")


class MemoryTable(Table):
    """Behaves as the table does in the contract tests, which run on it too."""

    def __init__(self) -> None:
        self.name = "Memory"
        self.usage = Usage()
        self.items: dict[Key, Item] = {}

    def query(self, query: Query) -> Page:
        key, partition = query.partition_key, {"S": query.partition}
        found = [item for item in self.items.values() if item.get(key) == partition and _matches(query, item)]
        found.sort(key=query.order, reverse=not query.forward)
        if query.after is not None:
            reached: Any = query.after[query.sort_key]
            position = (Decimal(reached) if query.by_number else reached, query.after["PK"], query.after["SK"])
            assert _meets(query, position[0]), f"DynamoDB refuses to start outside of {query.condition}"
            found = [i for i in found if (query.order(i) > position if query.forward else query.order(i) < position)]
        given = found if query.limit is None else found[: query.limit]
        cut = len(given) == query.limit
        self.usage.notice(given)
        return Page(_copy(given), query.position(given[-1]) if cut and given else None)

    def get(self, key: Key) -> Item | None:
        self.usage.notice([self.items[key]] if key in self.items else ())
        return _copy(self.items.get(key))

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        found = {key: _copy(self.items[key]) for key in wanted if key in self.items}
        self.usage.notice(found.values())
        return found

    def put_many(self, items: Sequence[Item]) -> None:
        for item in items:
            self.items[key_of(item)] = _copy(item)

    def write(self, write: Write) -> None:
        found = self.items.get(target(write))
        if write.condition and not write.condition.holds(found):
            raise RefusedError(_copy(found))
        self._do(write)

    def transact(self, actions: Sequence[Action]) -> None:
        now = [self.items.get(target(action)) for action in actions]
        refused = {
            position: _copy(found)
            for position, (action, found) in enumerate(zip(actions, now, strict=True))
            if action.condition and not action.condition.holds(found)
        }
        if refused:
            raise TransactionRefusedError(refused)
        for action in actions:
            self._do(action)

    def _do(self, action: Action) -> None:
        if isinstance(action, Put):
            self.items[key_of(action.item)] = _copy(action.item)
        elif isinstance(action, Delete):
            self.remove(action.key)

    def remove(self, key: Key) -> None:
        """Take an item out."""
        self.items.pop(key, None)


def target(action: Action) -> Key:
    """The key that a write or check is about."""
    return key_of(action.item) if isinstance(action, Put) else action.key


def _copy(value: T) -> T:
    """Several times as fast as deepcopy, on which tests with thousands of deliveries would spend half of their time."""
    copied: T = pickle.loads(pickle.dumps(value))
    return copied


def _matches(query: Query, item: Item) -> bool:
    return _meets(query, query.order(item)[0])


def _meets(query: Query, sort: Any) -> bool:
    match query.condition:
        case BeginsWith(prefix):
            return bool(sort.startswith(prefix))
        case Between(low, high):
            return bool(low <= sort <= high)
        case Equals(value):
            return bool(sort == value)
        case None:
            return True
