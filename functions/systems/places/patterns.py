"""Reads of places: which index, which key condition."""

from collections.abc import Sequence

from edgewise import BY_VALUE, BeginsWith, Query
from edgewise.dynamodb.keys import prefix
from functions.place import Place, at_place
from functions.systems.places import keys


def residents(path: Place, partitions: Sequence[str]) -> Sequence[Query]:
    """The entities of one kind at a place or below, place by place: one query for each shard of their list."""
    return [Query(partition, BeginsWith(at_place(path)), BY_VALUE) for partition in partitions]


def place(path: Place) -> Query:
    """The places directly below, then the devices here or below; before these, a root's own numbers."""
    first = keys.ROOT(path)
    return Query(first.pk, BeginsWith(first.sk))


def hosts(path: Place) -> Query:
    """The devices that reported from here or below."""
    return Query(keys.place(path), BeginsWith(prefix("EDGE", "HOSTS")))
