"""The table in memory: its operations on a dictionary, for runs of thousands of deliveries, in tests too."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import accumulate, takewhile
from typing import Any

from delivery.sizes import item_size
from edgewise import BeginsWith, Between, Check, Item, Key, Put, Query, RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.queries import Equals, Page
from edgewise.dynamodb.schema import PARTITION_KEY, SORT_KEY
from edgewise.dynamodb.table import KEYS_PER_BATCH, WRITES_PER_BATCH, chunks, singly
from edgewise.dynamodb.usage import Usage
from edgewise.dynamodb.writes import Action, Replacement, Reply, Write
from functions.replay import validation
from functions.replay.validation import PAGE_BYTES, copy, larger


class MemoryTable(Table):
    """Behaves as the table does in the contract tests, which run on it too; it refuses what DynamoDB refuses."""

    # Of a scan; DynamoDB's have a megabyte.
    keys_per_page = 1000

    def __init__(self) -> None:
        self.name = "Memory"
        self.usage = Usage()
        self.items: dict[Key, Item] = {}

    def query(self, query: Query) -> Page:
        """One page of a partition of the table, or of an index."""
        validation.asked(query)
        found = [item for item in self._partition(query) if _matches(query, item)]
        found.sort(key=query.order, reverse=not query.forward)
        if query.after is not None:
            position = _position(query, query.after)
            found = [i for i in found if (query.order(i) > position if query.forward else query.order(i) < position)]
        asked = [_entry(query, item) for item in found[: query.limit]]
        given = _page(asked)
        more = bool(given) and (len(given) == query.limit or len(given) < len(asked))
        self.usage.notice(given)
        return Page(copy(given), query.position(given[-1]) if more and not _ends(query, given[-1]["SK"]["S"]) else None)

    def _partition(self, query: Query) -> list[Item]:
        if query.index is None:
            return [item for key, item in self.items.items() if key.pk == query.partition]
        name, partition = query.partition_key, {"S": query.partition}
        return [item for item in self.items.values() if item.get(name) == partition]

    def get(self, key: Key) -> Item | None:
        """One item."""
        validation.looked_up([key])
        self.usage.notice([self.items[key]] if key in self.items else ())
        return copy(self.items.get(key))

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:  # noqa: ARG002
        """The items that exist: each read is consistent."""
        for batch in chunks(wanted, KEYS_PER_BATCH):
            validation.looked_up(batch)
        found = {key: copy(self.items[key]) for key in wanted if key in self.items}
        self.usage.notice(found.values())
        return found

    def keys_after(self, after: Key | None) -> tuple[Sequence[Item], Key | None]:
        """One page of a scan of keys and types."""
        found = sorted(key for key in self.items if after is None or key > after)
        given = found[: self.keys_per_page]
        shown = [{name: self.items[key][name] for name in (PARTITION_KEY, SORT_KEY, "Type")} for key in given]
        return copy(shown), given[-1] if len(given) < len(found) else None

    def put_many(self, items: Sequence[Item]) -> None:
        """Write items, whatever is there."""
        for batch in chunks(items, WRITES_PER_BATCH):
            accepted = [validation.stored(item, self.items) for item in batch]
            validation.looked_up([key_of(item) for item in accepted])
            for item in accepted:
                self._put(item)

    def replace_many(self, replacements: Sequence[Replacement]) -> list[Reply]:
        """Replace items, each for itself, as statements of one request or as puts."""
        if not self.statements or len(replacements) == 1:
            return super().replace_many(replacements)
        if not validation.together(replacements):
            return [Reply.UNCLEAR] * len(replacements)
        return singly(lambda each: MemoryTable.write(self, each.put()), replacements)

    def write(self, write: Write) -> None:
        """One write; raises RefusedError."""
        accepted = self._accepted(write)
        found = self.items.get(target(write))
        if write.condition and not write.condition.holds(found):
            raise RefusedError(copy(found))
        self._do(write, accepted)

    def transact(self, actions: Sequence[Action]) -> None:
        """All of these, or none; raises TransactionRefusedError."""
        accepted = [self._accepted(action) for action in actions]
        now = [self.items.get(target(action)) for action in actions]
        checked = [found or {} for action, found in zip(actions, now, strict=True) if isinstance(action, Check)]
        validation.at_once([target(action) for action in actions], [item for item in accepted if item] + checked)
        refused = {
            position: copy(found)
            for position, (action, found) in enumerate(zip(actions, now, strict=True))
            if action.condition and not action.condition.holds(found)
        }
        if refused:
            raise TransactionRefusedError(refused)
        for action, item in zip(actions, accepted, strict=True):
            self._do(action, item)

    def _accepted(self, action: Action) -> Item | None:
        if isinstance(action, Put):
            return validation.stored(action.item, self.items)
        validation.looked_up([action.key])
        return None

    def _do(self, action: Action, item: Item | None) -> None:
        if item:
            self._put(item)
        elif not isinstance(action, Check):
            self.remove(target(action))

    def _put(self, item: Item) -> None:
        key = key_of(item)
        before, self.items[key] = self.items.get(key), item
        self.changed(before, item)

    def remove(self, key: Key) -> None:
        """Take an item out."""
        self.changed(self.items.pop(key, None), None)

    def changed(self, before: Item | None, after: Item | None) -> None:
        """Called once an item was written or taken out: for tables that have a stream."""


def target(action: Action) -> Key:
    """The key that a write or check is about."""
    return key_of(action.item) if isinstance(action, Put) else action.key


def _entry(query: Query, item: Item) -> Item:
    """What the table or the index that is queried has of an item."""
    if query.index is None:
        return item
    names = (PARTITION_KEY, SORT_KEY, query.partition_key, query.sort_key, *query.index.projected)
    return {name: item[name] for name in names if name in item}


def _page(items: list[Item]) -> list[Item]:
    """The first items, up to the one with which they reach 1 MB."""
    if not larger(items, PAGE_BYTES):
        return items
    return items[: 1 + sum(1 for _ in takewhile(PAGE_BYTES.__gt__, accumulate(map(item_size, items))))]


def _position(query: Query, after: Any) -> tuple[str | Decimal, str, str]:
    validation.begun(query, after)
    reached = Decimal(after[query.sort_key]) if query.by_number else after[query.sort_key]
    within = _meets(query, reached) and not _ends(query, reached)
    validation.must(within, "the provided starting key does not match the range key predicate")
    return reached, after[PARTITION_KEY], after[SORT_KEY]


def _ends(query: Query, sort: Any) -> bool:
    """Whether nothing can follow: the key is the range's last. In an index, entries may share it."""
    if query.index or not isinstance(query.condition, Between):
        return False
    return bool(sort == (query.condition.high if query.forward else query.condition.low))


def _matches(query: Query, item: Item) -> bool:
    return query.sort_key in item and _meets(query, query.order(item)[0])


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
