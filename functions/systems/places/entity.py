"""Places: which devices report from each, and which entities live there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from edgewise import COUNT, Edge, Fed, Observation
from edgewise.aggregates.measures import Delta
from functions.place import Place, levels
from functions.systems.telemetry.entity import Reading

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


def of_events(event: Reading) -> Fed:
    """A reading feeds its place and all places that contain it, at once: its edge may hear of it an hour later."""
    for place in levels(event.place):
        yield (place,), {"Events": Observation()}


def of_edge(edge: Edge) -> Fed:
    """The readings of a device's edge to a place, for a recount of the place and of all places that contain it."""
    for place in levels(edge.target):
        yield (place,), {"Events": Observation(edge.count)}


def of_open(opened: Mapping[Place, Delta]) -> Fed:
    """The readings that the edge from a device to its last place has not heard of yet, for a recount."""
    for at, delta in opened.items():
        for place in levels(at):
            yield (place,), {"Events": Observation(delta.count)}


def of_devices(edge: Edge) -> Fed:
    """A reverse edge to a device feeds the devices of the place."""
    yield (edge.source,), {"Devices": Observation()}


def of_residents(resident: Resident) -> Fed:
    """An entity feeds its place and all places that contain it."""
    for place in levels(resident.place):
        yield (place,), {resident.kind: Observation()}
