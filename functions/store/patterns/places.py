"""Reads of places: which index, which key condition."""

from functions.domain.places import Place
from functions.store import keys
from functions.store.queries import BeginsWith, Query


def place(path: Place) -> Query:
    """A place's summary, then what it contains directly, then the devices that reported from here or below."""
    return Query(keys.places.place(path), BeginsWith(keys.nodes.EDGES))
