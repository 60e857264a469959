"""A place is a path from the least specific component to the most specific one, such as US, Texas, Houston."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, get_args

from functions.domain.declarations import COUNT, Declaration, Fed, Feed
from functions.domain.edges import Edge
from functions.domain.measures import Observation

Place = tuple[str, ...]

MAX_LEVELS = 8

# What may be put somewhere. Devices live where they report from.
ResidentKind = Literal["EQUIPMENT", "DOCUMENT", "CUSTOMER", "PLAYER", "USER", "ROOM", "INVOICE", "BILL"]
RESIDENT_KINDS: tuple[ResidentKind, ...] = get_args(ResidentKind)


@dataclass(frozen=True, slots=True)
class Resident:
    """An entity at the one place where it lives."""

    kind: str
    id: str
    place: Place


def levels(place: Place) -> Iterator[Place]:
    """The place itself and everything that contains it, widest first."""
    return (place[:depth] for depth in range(1, len(place) + 1))


def parent(place: Place) -> Place:
    """What contains this place directly; empty for a root."""
    return place[:-1]


def _hosts(edge: Edge) -> Fed:
    for place in levels(edge.target):
        yield (place, edge.source[0]), {COUNT: Observation()}


def _place_events(edge: Edge) -> Fed:
    for place in levels(edge.target):
        yield (place,), {"Events": Observation(edge.count)}


def _place_devices(edge: Edge) -> Fed:
    yield (edge.source,), {"Devices": Observation()}


def _residents(resident: Resident) -> Fed:
    for place in levels(resident.place):
        yield (place,), {resident.kind: Observation()}


def _child(into: Callable[[Any], Fed]) -> Callable[[Any], Fed]:
    """The same numbers once more, in the collection of the place around, so that one query lists all children."""

    def of_parent(source: Any) -> Fed:
        for (place,), observations in into(source):
            assert isinstance(place, tuple)
            if parent(place):
                yield (parent(place), place[-1]), observations

    return of_parent


DECLARATIONS = (
    Declaration("HOSTS", 2, "a device has reported from this place or below", (Feed("REPORTED_FROM", _hosts),)),
    Declaration(
        "PLACE",
        3,
        "events, distinct devices, residents of each kind, here and below",
        (
            Feed("REPORTED_FROM", _place_events, shared=True),
            Feed("HOSTS", _place_devices),
            Feed("RESIDENT", _residents, shared=True),
        ),
    ),
    Declaration(
        "CONTAINS",
        3,
        "the summary of a place, beside its siblings",
        (
            Feed("REPORTED_FROM", _child(_place_events), shared=True),
            Feed("HOSTS", _child(_place_devices)),
            Feed("RESIDENT", _child(_residents), shared=True),
        ),
    ),
)
