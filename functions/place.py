"""A place is a path from the least specific component to the most specific one, such as US, Texas, Houston."""

from collections.abc import Iterator

from edgewise import Item, Partitions, ShardedList
from edgewise.dynamodb.attributes import s
from edgewise.dynamodb.keys import digest, join, prefix, split
from edgewise.sharding.lists import FIRST

Place = tuple[str, ...]

MAX_LEVELS = 8
AT = Partitions("AT")


def levels(place: Place) -> Iterator[Place]:
    """The place itself and all places that contain it, the widest first."""
    return (place[:depth] for depth in range(1, len(place) + 1))


def parent(place: Place) -> Place:
    """The place that directly contains this one; empty for a root."""
    return place[:-1]


def entities(kind: str, root: str) -> ShardedList:
    """The list, in the index by value, of a kind's entities at a root place and at all places below."""
    return ShardedList(AT, (kind, root))


def at_place(path: Place) -> str:
    """The prefix of the sort keys there of entities at a place and at places below it; it ends with the delimiter."""
    return prefix(*path)


def entity_at(kind: str, entity_id: str, place: Place) -> str:
    """The sort key there of an entity: its place, an empty component that ends it, then a digest, all its own."""
    return join(*place, "", digest(kind, entity_id))


def place_of(entity_key: str) -> Place:
    """The place in such a sort key; raises ValueError for another kind of key."""
    *place, _, _ = split(entity_key)
    return tuple(place)


def index_keys(kind: str, entity_id: str, place: Place, shard: int = FIRST) -> Item:
    """The keys in the index by value for an item that says that an entity is at a place."""
    return {
        "GSI1PK": s(entities(kind, place[0]).shard(shard)),
        "GSI1SK": s(entity_at(kind, entity_id, place)),
    }
