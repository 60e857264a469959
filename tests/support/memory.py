"""The table in memory: the store's five operations on a dictionary, for tests that need thousands of deliveries."""

from collections.abc import Sequence
from copy import deepcopy

from functions.store.attributes import Item
from functions.store.keys import Key
from functions.store.queries import BeginsWith, Between, Page, Query
from functions.store.table import NotTheVersionError, Table, Usage


class MemoryTable(Table):
    """Behaves as the table does in the contract tests, which run on it too."""

    def __init__(self) -> None:
        self.name = "Memory"
        self.usage = Usage()
        self.items: dict[Key, Item] = {}

    def query(self, query: Query) -> Page:
        found = [item for item in self.items.values() if _matches(query, item)]
        found.sort(key=query.order, reverse=not query.forward)
        if query.after is not None:
            position = (query.after[query.sort_key], query.after["PK"])
            found = [i for i in found if (query.order(i) > position if query.forward else query.order(i) < position)]
        given = found if query.limit is None else found[: query.limit]
        cut = len(given) == query.limit
        return Page(deepcopy(given), query.position(given[-1]) if cut and given else None)

    def get(self, key: Key) -> Item | None:
        return deepcopy(self.items.get(key))

    def get_many(self, wanted: Sequence[Key]) -> dict[Key, Item]:
        return {key: deepcopy(self.items[key]) for key in wanted if key in self.items}

    def put_many(self, items: Sequence[Item]) -> None:
        for item in items:
            self.items[key_of(item)] = deepcopy(item)

    def put_version(self, item: Item, replaces: int) -> None:
        found = self.items.get(key_of(item))
        if (int(found["Version"]["N"]) if found else 0) != replaces:
            raise NotTheVersionError(deepcopy(found))
        self.items[key_of(item)] = deepcopy(item)

    def remove(self, key: Key) -> None:
        """Take an item out."""
        self.items.pop(key, None)


def key_of(item: Item) -> Key:
    """The key of an item."""
    return Key(item["PK"]["S"], item["SK"]["S"])


def _matches(query: Query, item: Item) -> bool:
    if query.partition_key not in item or item[query.partition_key]["S"] != query.partition:
        return False
    sort: str = item[query.sort_key]["S"]
    match query.condition:
        case BeginsWith(prefix):
            return sort.startswith(prefix)
        case Between(low, high):
            return low <= sort <= high
        case None:
            return True
