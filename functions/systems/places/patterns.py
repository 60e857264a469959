"""Reads of places: which index, which key condition."""

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import BeginsWith, Query
from functions.dynamodb.schema import BY_VALUE
from functions.place import Place, at_place, entities
from functions.systems.places import keys


def residents(path: Place, kind: str) -> Query:
    """The entities of one kind at a place or below, place by place."""
    return Query(entities(kind, path[0]), BeginsWith(at_place(path)), BY_VALUE)


def place(path: Place) -> Query:
    """A place's summary, then what it contains directly, then the devices that reported from here or below."""
    return Query(keys.place(path), BeginsWith(aggregate_keys.EDGES))
