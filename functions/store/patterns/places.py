"""Reads of places: which index, which key condition."""

from functions.domain.places import Place
from functions.store import keys
from functions.store.queries import BeginsWith, Query
from functions.store.schema import BY_VALUE


def residents(path: Place, kind: str) -> Query:
    """The entities of one kind that live at a place or below, place by place."""
    return Query(keys.places.residents(kind, path[0]), BeginsWith(keys.places.at_place(path)), BY_VALUE)


def place(path: Place) -> Query:
    """A place's summary, then what it contains directly, then the devices that reported from here or below."""
    return Query(keys.places.place(path), BeginsWith(keys.nodes.EDGES))
