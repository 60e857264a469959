"""Queries as values: a request can be inspected, tested and documented before it is sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from edgewise.dynamodb.attributes import Attribute, Item, n, number, s, string
from edgewise.dynamodb.schema import PARTITION_KEY, SORT_KEY, Index


@dataclass(frozen=True)
class BeginsWith:
    """Sort keys that begin with this prefix."""

    prefix: str


@dataclass(frozen=True)
class Between:
    """Sort keys from `low` to `high`, both inclusive; numbers in the index by number."""

    low: str | int | Decimal
    high: str | int | Decimal


@dataclass(frozen=True)
class Equals:
    """Exactly this sort key."""

    value: str


KeyCondition = BeginsWith | Between | Equals | None
# Where a page of a query ended, and the next one begins: the texts and numbers of the last item's keys.
Position = Mapping[str, str]


@dataclass(frozen=True)
class Query:
    """One Query request to the table or one of its indexes. `condition` None reads the whole item collection."""

    partition: str
    condition: KeyCondition = None
    index: Index | None = None
    forward: bool = True
    limit: int | None = None
    consistent: bool = False
    after: Position | None = None

    @property
    def partition_key(self) -> str:
        """The name of the partition key attribute that this query uses."""
        return self.index.partition_key if self.index else PARTITION_KEY

    @property
    def sort_key(self) -> str:
        """The name of the sort key attribute that this query uses."""
        return self.index.sort_key if self.index else SORT_KEY

    def request(self) -> dict[str, Any]:
        """The parameters of the Query call, without the table's name."""
        expression, values = self._key_condition()
        request: dict[str, Any] = {
            "KeyConditionExpression": expression,
            "ExpressionAttributeNames": {"#pk": self.partition_key},
            "ExpressionAttributeValues": {":pk": s(self.partition)} | values,
            "ScanIndexForward": self.forward,
        }
        if self.condition is not None:
            request["ExpressionAttributeNames"]["#sk"] = self.sort_key
        if self.index:
            request["IndexName"] = self.index.name
        if self.limit is not None:
            request["Limit"] = self.limit
        if self.consistent:
            request["ConsistentRead"] = True
        if self.after is not None:
            request["ExclusiveStartKey"] = self._start_key(self.after)
        return request

    @property
    def by_number(self) -> bool:
        """Whether the sort key is a number."""
        return self.index is not None and self.index.sort_type == "N"

    def part(self, limit: int, after: Position | None = None) -> "Query":
        """The same query, for at most `limit` items after a position."""
        return replace(self, limit=limit, after=after)

    def position(self, item: Item) -> Position:
        """The position of this query after the item."""
        names = dict.fromkeys((PARTITION_KEY, SORT_KEY, self.partition_key, self.sort_key))
        return {name: next(iter(item[name].values())) for name in names}

    def order(self, item: Item) -> tuple[str | Decimal, str, str]:
        """The value that orders the items of this query across shards."""
        sort = item[self.sort_key]
        value = number(sort) if self.by_number else string(sort)
        return value, string(item[PARTITION_KEY]), string(item[SORT_KEY])

    def _start_key(self, after: Position) -> Item:
        # The position may come from an item in another shard: DynamoDB accepts any key as a start.
        start: dict[str, Attribute] = {name: s(value) for name, value in after.items()}
        if self.by_number:
            start[self.sort_key] = {"N": after[self.sort_key]}
        return start | {self.partition_key: s(self.partition)}

    def _key_condition(self) -> tuple[str, Item]:
        match self.condition:
            case BeginsWith(prefix):
                return "#pk = :pk AND begins_with(#sk, :prefix)", {":prefix": s(prefix)}
            case Between(low, high):
                return "#pk = :pk AND #sk BETWEEN :low AND :high", {":low": _value(low), ":high": _value(high)}
            case Equals(value):
                return "#pk = :pk AND #sk = :sk", {":sk": s(value)}
            case None:
                return "#pk = :pk", {}


def _value(bound: str | int | Decimal) -> Attribute:
    return s(bound) if isinstance(bound, str) else n(bound)


@dataclass(frozen=True)
class Page:
    """Some items of a query, and where to go on; `next` is None when nothing follows."""

    items: Sequence[Item]
    next: Position | None
