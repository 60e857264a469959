"""Places: which devices report from each, and which entities live there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from functions.aggregates.edges import Edge
from functions.aggregates.measures import COUNT, Fed, Observation
from functions.place import Place, levels, parent

# What may be put somewhere. Devices live where they report from.
ResidentKind = Literal["EQUIPMENT", "DOCUMENT", "CUSTOMER", "PLAYER", "USER", "ROOM", "INVOICE", "BILL"]
RESIDENT_KINDS: tuple[ResidentKind, ...] = get_args(ResidentKind)


@dataclass(frozen=True, slots=True)
class Resident:
    """An entity at the one place where it lives."""

    kind: str
    id: str
    place: Place


def of_hosts(edge: Edge) -> Fed:
    """A device's edge to a place feeds the edges back, from that place and from all around it."""
    for place in levels(edge.target):
        yield (place, edge.source[0]), {COUNT: Observation()}


def of_events(edge: Edge) -> Fed:
    """A device's edge to a place feeds the events of the place and of all around it."""
    for place in levels(edge.target):
        yield (place,), {"Events": Observation(edge.count)}


def of_devices(edge: Edge) -> Fed:
    """An edge back to a device feeds the devices of the place."""
    yield (edge.source,), {"Devices": Observation()}


def of_residents(resident: Resident) -> Fed:
    """Where an entity lives feeds that place and all around it."""
    for place in levels(resident.place):
        yield (place,), {resident.kind: Observation()}


def of_child(into: Callable[[Any], Fed]) -> Callable[[Any], Fed]:
    """The same numbers once more, in the collection of the place around, so that one query lists all children."""

    def of_parent(source: Any) -> Fed:
        for (place,), observations in into(source):
            assert isinstance(place, tuple)
            if parent(place):
                yield (parent(place), place[-1]), observations

    return of_parent
