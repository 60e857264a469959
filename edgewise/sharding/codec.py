"""The history of shards as attributes of an item, and the item with that of a list."""

from edgewise.dynamodb.attributes import Item, integer, key_item, n, s, string
from edgewise.sharding.lists import ListSharding, ShardedList
from edgewise.sharding.sharding import Sharding, Widening
from edgewise.times import from_rfc_3339, rfc_3339


def attributes(sharding: Sharding) -> Item:
    """The version and the history."""
    return {
        "Version": n(sharding.version),
        "History": {
            "L": [{"M": {"Since": s(rfc_3339(step.since)), "Shards": n(step.shards)}} for step in sharding.history]
        },
    }


def history(item: Item) -> tuple[Widening, ...]:
    """The history that an item carries."""
    steps = (step["M"] for step in item["History"]["L"])
    return tuple(Widening(from_rfc_3339(string(step["Since"])), integer(step["Shards"])) for step in steps)


def version(item: Item) -> int:
    """The version that an item carries."""
    return integer(item["Version"])


def list_item(of: ShardedList, sharding: ListSharding) -> Item:
    """The history of a list's shards."""
    return key_item(of.history) | {"Type": s("LIST_SHARDS")} | attributes(sharding)


def list_sharding(of: ShardedList, item: Item) -> ListSharding:
    """The inverse of list_item."""
    return ListSharding(of.name, history(item), version(item))
