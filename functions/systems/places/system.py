"""Places: the devices that report from each, and the entities there."""

from collections.abc import Mapping
from typing import Any

from edgewise import BY_VALUE, COUNT, Feed, Indexed, Item, Kind, Shared, Source
from edgewise.aggregates import edges
from edgewise.aggregates.measures import Delta
from edgewise.aggregates.open_hours.declaration import opened
from edgewise.aggregates.recounts.declaration import RecountedBy
from edgewise.dynamodb.attributes import key_of
from functions.place import AT, Place
from functions.searchable import Contents, searchable
from functions.system import ANY, ByHand, Live, Rights, System, partition_of
from functions.systems.places import codec, keys, sources
from functions.systems.places.entity import (
    RESIDENT_KINDS,
    of_devices,
    of_edge,
    of_events,
    of_hosts,
    of_open,
    of_residents,
)
from functions.systems.telemetry.system import DEVICE, EVENTS, REPORTED_FROM, TO_PLACES


def words_of(place: Place) -> Contents:
    """What is searched of a place: its name, and those of the places around it."""
    return Contents(place, place[-1], " ".join(place[:-1]))


def _opened(device: Item) -> Mapping[Any, Delta]:
    """What is open in a device's item for its edges to places, by place."""
    found = opened(DEVICE.at(key_of(device)), device).items()
    return {about.dimensions[1]: changes[COUNT] for about, changes in found if about.kind is REPORTED_FROM}


RESIDENTS = Source("RESIDENT", codec.resident)
HOSTS = Kind(
    name="HOSTS",
    rank=2,
    cells="a device has reported from this place or below",
    readable_by_all=True,
    feeds=(Feed(TO_PLACES, of_hosts),),
    key=keys.HOSTS,
    sources=sources.of_hosts,
)
_TO_DEVICES = HOSTS.source(edges.edge)
_FROM_DEVICES = Feed(_TO_DEVICES, of_devices)
_FROM_RESIDENTS = Feed(RESIDENTS, of_residents)
_OPENED = Source(DEVICE.name, _opened)
PLACE = Kind(
    name="PLACE",
    rank=3,
    cells="events, distinct devices, residents of each kind, here and below",
    readable_by_all=True,
    feeds=(Feed(EVENTS, of_events), _FROM_DEVICES, _FROM_RESIDENTS),
    key=keys.NUMBERS,
    sources=sources.of_place,
    # Edges and what is open count the readings of a device, so a recount need not read them.
    parts=(
        Indexed(codec.by_name),
        Shared(),
        RecountedBy((Feed(TO_PLACES, of_edge), Feed(_OPENED, of_open), _FROM_DEVICES, _FROM_RESIDENTS)),
    ),
)

PLACE_CHANGES = Live(
    lambda path, **_: keys.place(path),
    {"PLACE": lambda item: keys.shown_in(*key_of(item)), "HOSTS": partition_of},
    lists={"path": "/"},
)

SYSTEM = System(
    name="places",
    rights=Rights(
        actions=("Query", "BatchGetItem", "PutItem", "DeleteItem"),
        writes=(keys.RESIDENTS, AT),
        queried={BY_VALUE: (AT,)},
    ),
    kinds=(HOSTS, PLACE),
    by_hand=(ByHand("RESIDENT", codec.resident, codec.resident_item, BY_VALUE),),
    live=(PLACE_CHANGES,),
    lists={AT: {"kind": RESIDENT_KINDS, "root": ANY}},
    directories=(keys.PLACES,),
    searchable=(searchable("place", Source(PLACE.name, codec.place), keys.PLACES, words_of),),
    why={
        (BY_VALUE, AT.name): "what is at a place or below it, place by place",
        (BY_VALUE, keys.PLACES.name): "a directory: all places that lie in no other by name",
    },
)
