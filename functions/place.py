"""A place is a path from the least specific component to the most specific one, such as US, Texas, Houston."""

from collections.abc import Iterator

from functions.dynamodb.attributes import Item, s
from functions.dynamodb.keys import join, prefix

Place = tuple[str, ...]

MAX_LEVELS = 8


def levels(place: Place) -> Iterator[Place]:
    """The place itself and everything that contains it, widest first."""
    return (place[:depth] for depth in range(1, len(place) + 1))


def parent(place: Place) -> Place:
    """What contains this place directly; empty for a root."""
    return place[:-1]


def entities(kind: str, root: str) -> str:
    """The partition, in the index by value, of a kind's entities at one root place and everywhere below."""
    return join("AT", kind, root)


def at_place(path: Place) -> str:
    """Where the entities at a place stand in it, and what those of the places below begin with; it ends at a border."""
    return prefix(*path)


def index_keys(kind: str, place: Place) -> Item:
    """The entry, in the index by value, of whatever says that an entity is at a place."""
    return {"GSI1PK": s(entities(kind, place[0])), "GSI1SK": s(at_place(place))}
