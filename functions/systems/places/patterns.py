"""Reads of places: which index, which key condition."""

from collections.abc import Sequence

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import BeginsWith, Equals, Query
from functions.dynamodb.schema import BY_VALUE
from functions.place import Place, at_place
from functions.systems.places import keys


def residents(path: Place, partitions: Sequence[str]) -> Sequence[Query]:
    """The entities of one kind at a place or below, place by place: one query for each shard of their list."""
    return [Query(partition, BeginsWith(at_place(path)), BY_VALUE) for partition in partitions]


def place(path: Place) -> Query:
    """A place's summary, then what it contains directly, then the devices that reported from here or below."""
    return Query(keys.place(path), BeginsWith(aggregate_keys.EDGES))


def summary(path: Place) -> Query:
    """A place's summary alone."""
    return Query(keys.place(path), Equals(aggregate_keys.SUMMARY))
