"""Places: the devices that report from each, and the entities there."""

from functions.aggregates import edges
from functions.aggregates.keys import SUMMARY
from functions.aggregates.kinds import Feed, Kind, Source
from functions.dynamodb.keys import Key
from functions.dynamodb.schema import BY_VALUE
from functions.place import AT
from functions.system import ANY, Rights, Route, System
from functions.systems.places import codec, keys, sources
from functions.systems.places.entity import RESIDENT_KINDS, of_child, of_devices, of_events, of_hosts, of_residents
from functions.systems.telemetry.system import TO_PLACES

GET_PLACE = Route("GET /places", "A place's numbers, the places directly below, the devices here or below")
GET_RESIDENTS = Route("GET /places/entities", "The entities of a kind at a place or below")
PUT_RESIDENT = Route(
    "PUT /places/entities/{kind}/{id}", "Put an entity at a place, in place of any earlier one", group="write"
)
DELETE_RESIDENT = Route("DELETE /places/entities/{kind}/{id}", "Remove an entity from its place", group="write")

RESIDENTS = Source("RESIDENT", codec.resident)
HOSTS = Kind(
    name="HOSTS",
    rank=2,
    cells="a device has reported from this place or below",
    feeds=(Feed(TO_PLACES, of_hosts),),
    partitions=keys.PLACES,
    key=keys.hosts,
    parse=keys.parse_hosts,
    sources=sources.of_hosts,
    extremes=None,
)
_TO_DEVICES = HOSTS.source(edges.edge)
PLACE = Kind(
    name="PLACE",
    rank=3,
    cells="events, distinct devices, residents of each kind, here and below",
    feeds=(
        Feed(TO_PLACES, of_events, shared=True),
        Feed(_TO_DEVICES, of_devices),
        Feed(RESIDENTS, of_residents, shared=True),
    ),
    partitions=keys.PLACES,
    key=lambda path: Key(keys.place(path), SUMMARY),
    sources=sources.of_place,
    extremes=None,
)
CONTAINS = Kind(
    name="CONTAINS",
    rank=3,
    cells="the summary of a place, next to its siblings",
    feeds=tuple(Feed(feed.source, of_child(feed.into), feed.shared) for feed in PLACE.feeds),
    partitions=keys.PLACES,
    key=keys.contains,
    sources=sources.of_contains,
    extremes=None,
)

SYSTEM = System(
    name="places",
    routes=(
        GET_PLACE,
        GET_RESIDENTS,
        PUT_RESIDENT,
        DELETE_RESIDENT,
    ),
    rights=Rights(
        actions=("Query", "BatchGetItem", "PutItem", "DeleteItem"),
        writes=(keys.RESIDENTS, AT),
        queried={BY_VALUE: (AT,)},
    ),
    kinds=(HOSTS, PLACE, CONTAINS),
    lists={AT: {"kind": RESIDENT_KINDS, "root": ANY}},
)
