"""A place is a path from the least specific component to the most specific one, such as US, Texas, Houston."""

from collections.abc import Iterator

from functions.dynamodb.attributes import Item, s
from functions.dynamodb.keys import Partitions, prefix

Place = tuple[str, ...]

MAX_LEVELS = 8
AT = Partitions("AT")


def levels(place: Place) -> Iterator[Place]:
    """The place itself and all places that contain it, the widest first."""
    return (place[:depth] for depth in range(1, len(place) + 1))


def parent(place: Place) -> Place:
    """The place that directly contains this one; empty for a root."""
    return place[:-1]


def entities(kind: str, root: str) -> str:
    """The partition, in the index by value, of a kind's entities at a root place and at all places below."""
    return AT(kind, root)


def at_place(path: Place) -> str:
    """The sort key there of entities at a place, and the prefix for places below it; it ends with the delimiter."""
    return prefix(*path)


def index_keys(kind: str, place: Place) -> Item:
    """The keys in the index by value for an item that says that an entity is at a place."""
    return {"GSI1PK": s(entities(kind, place[0])), "GSI1SK": s(at_place(place))}
