"""A table that was there before: its keys have other names, and most of its items are not the engine's.

The engine's own items stand in the same table, below a prefix of their own. Everywhere else in the engine, an item has
the keys PK and SK, and a `Type`. Here, and nowhere else, they get the names that they have in the table.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from botocore.exceptions import ClientError

from edgewise.dynamodb.attributes import Attribute, Item, s, string
from edgewise.dynamodb.keys import escape, prefix, split
from edgewise.dynamodb.schema import BY_VALUE, PARTITION_KEY, SORT_KEY
from edgewise.failures import PoisonError, sorted_out

# The attribute in which the engine finds an item of the table's own, as the table has it.
ITEM = "Item"
_OTHERS = prefix("ITEM")
# What the partitions of the engine's items begin with; and its index.
OWN = prefix("edgewise")
INDEX, INDEX_PARTITION, INDEX_SORT = "edgewise", "EdgewisePK", "EdgewiseSK"


@dataclass(frozen=True)
class ExistingTable:
    """What the keys of a table are called, both of them texts, and which of its items feed aggregates.

    `type_of` names the source that an item is of, None: it feeds nothing. It gets the item as the table has it. If it
    raises an error, the record of the item is set aside.
    """

    partition: str
    sort: str
    type_of: Callable[[Item], str | None]

    def stored(self, item: Item) -> Item:
        """An item of the engine's as the table has it; also its key alone."""
        found = {self.name(name): value for name, value in item.items()}
        return found | {self.partition: s(self.partition_of(string(item[PARTITION_KEY])))}

    def read(self, stored: Item) -> Item:
        """An item of the table as the engine knows it."""
        partition = string(stored[self.partition])
        if partition.startswith(OWN):
            found = {self._own_names.get(name, name): value for name, value in stored.items()}
            return found | {PARTITION_KEY: s(partition.removeprefix(OWN))}
        keys = {PARTITION_KEY: s(others(partition)), SORT_KEY: stored[self.sort]}
        return {**keys, "Type": self._type(stored), ITEM: {"M": stored}}

    def record(self, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """A record of the table's stream, with images as the engine knows them; one that can't be read, unchanged."""
        try:
            with sorted_out():
                change = record["dynamodb"]
                images = {name: self.read(change[name]) for name in ("NewImage", "OldImage") if name in change}
                return {**record, "dynamodb": {**change, **images}}
        except PoisonError:
            return record

    def name(self, name: str) -> str:
        """The name in the table of an attribute of the engine's items."""
        return self._names.get(name, name)

    def partition_of(self, partition: str) -> str:
        """The key of the table's partition that the engine calls so."""
        return split(partition)[1] if partition.startswith(_OTHERS) else OWN + partition

    def _type(self, stored: Item) -> Attribute:
        """A source's name. If nobody can tell it, it is no text, and whoever reads it fails."""
        try:
            with sorted_out():
                return s(self.type_of(stored) or "")
        except PoisonError as poison:
            return {"unknown": poison.reason}

    @cached_property
    def _names(self) -> Mapping[str, str]:
        indexed = {BY_VALUE.partition_key: INDEX_PARTITION, BY_VALUE.sort_key: INDEX_SORT}
        return {PARTITION_KEY: self.partition, SORT_KEY: self.sort, **indexed}

    @cached_property
    def _own_names(self) -> Mapping[str, str]:
        return {name: of_engine for of_engine, name in self._names.items()}


def others(partition: str) -> str:
    """The partition of the table's own items with this key, as the engine calls it: queries for sources name it so."""
    return _OTHERS + escape(partition)


class ExistingTableClient:
    """DynamoDB's client, for an engine that need not know how the table's keys are called.

    It knows all operations but those that send statements: the names of keys stand in their text.
    """

    def __init__(self, client: Any, table: ExistingTable) -> None:
        self._client, self._table, self.exceptions = client, table, client.exceptions

    def __getattr__(self, operation: str) -> Any:
        return partial(self._perform, getattr(self._client, operation))

    def _perform(self, call: Callable[..., Any], **request: Any) -> Any:
        try:
            return self._answered(call(**self._asked(request)))
        except ClientError as error:
            error.response = self._answered(error.response)
            raise

    def _asked(self, request: Any) -> Any:
        if isinstance(request, list):
            return list(map(self._asked, request))
        if not isinstance(request, Mapping):
            return request
        asked = {name: self._member(name, each) for name, each in request.items()}
        values = asked.get("ExpressionAttributeValues", {})
        if ":pk" in values and "IndexName" not in asked:
            partition = self._table.partition_of(string(values[":pk"]))
            asked["ExpressionAttributeValues"] = {**values, ":pk": s(partition)}
        return asked

    def _member(self, name: str, value: Any) -> Any:
        match name:
            case "Key" | "Item" | "ExclusiveStartKey":
                return self._table.stored(value)
            case "Keys":
                return list(map(self._table.stored, value))
            case "IndexName":
                return INDEX
            case "ExpressionAttributeNames":
                return {placeholder: self._table.name(each) for placeholder, each in value.items()}
            case "ExpressionAttributeValues":
                return value
        return self._asked(value)

    def _answered(self, answer: Any) -> Any:
        if isinstance(answer, list):
            return list(map(self._answered, answer))
        if not isinstance(answer, Mapping):
            return answer
        return {name: self._told(name, each) for name, each in answer.items()}

    def _told(self, name: str, value: Any) -> Any:
        match name:
            case "Item" | "Key":
                return self._table.read(value)
            case "Items" | "Keys":
                return list(map(self._table.read, value))
            case "Responses":
                return {table: list(map(self._table.read, items)) for table, items in value.items()}
        return self._answered(value)
