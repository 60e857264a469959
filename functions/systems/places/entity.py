"""Places: which devices report from each, and which entities live there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from functions.aggregates.edges import Edge
from functions.aggregates.measures import COUNT, Fed, Observation
from functions.place import Place, levels, parent

# The kinds of entities that can be put at a place. The place of a device is where it reports from.
ResidentKind = Literal["EQUIPMENT", "DOCUMENT", "CUSTOMER", "PLAYER", "USER", "ROOM", "INVOICE", "BILL"]
RESIDENT_KINDS: tuple[ResidentKind, ...] = get_args(ResidentKind)


@dataclass(frozen=True, slots=True)
class Resident:
    """An entity and the one place where it is."""

    kind: str
    id: str
    place: Place


def of_hosts(edge: Edge) -> Fed:
    """A device's edge to a place feeds the reverse edges, from that place and from all places that contain it."""
    for place in levels(edge.target):
        yield (place, edge.source[0]), {COUNT: Observation()}


def of_events(edge: Edge) -> Fed:
    """A device's edge to a place feeds the events of the place and of all places that contain it."""
    for place in levels(edge.target):
        yield (place,), {"Events": Observation(edge.count)}


def of_devices(edge: Edge) -> Fed:
    """A reverse edge to a device feeds the devices of the place."""
    yield (edge.source,), {"Devices": Observation()}


def of_residents(resident: Resident) -> Fed:
    """An entity feeds its place and all places that contain it."""
    for place in levels(resident.place):
        yield (place,), {resident.kind: Observation()}


def of_child(into: Callable[[Any], Fed]) -> Callable[[Any], Fed]:
    """The same numbers a second time, in the collection of the containing place: one query lists all children."""

    def of_parent(source: Any) -> Fed:
        for (place,), observations in into(source):
            assert isinstance(place, tuple)
            if parent(place):
                yield (parent(place), place[-1]), observations

    return of_parent
