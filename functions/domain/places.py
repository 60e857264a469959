"""A place is a path from the least specific component to the most specific one, such as US, Texas, Houston."""

from collections.abc import Iterator

Place = tuple[str, ...]

MAX_LEVELS = 8


def levels(place: Place) -> Iterator[Place]:
    """The place itself and everything that contains it, widest first."""
    return (place[:depth] for depth in range(1, len(place) + 1))


def parent(place: Place) -> Place:
    """What contains this place directly; empty for a root."""
    return place[:-1]
