"""Access patterns of places."""

from docs.patterns.example import BOUND, history, store, widened
from docs.patterns.pattern import BatchGet, Read, Write, directory_read
from edgewise.dynamodb.table import Table
from functions.place import entities
from functions.systems.places import codec as places_codec
from functions.systems.places import keys as places_keys
from functions.systems.places import patterns as places_patterns
from functions.systems.places.entity import Resident
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading

_HOUSTON = ("US", "Texas", "Houston")
_EQUIPMENT, _DEVICES = entities("EQUIPMENT", "US"), entities("DEVICE", "US")
_ENTITY = {"kind": "EQUIPMENT", "id": "Equipment_1"}


def _houston(table: Table) -> None:
    equipment = places_codec.resident_item(Resident("EQUIPMENT", "Equipment_1", _HOUSTON))
    reading = telemetry_codec.event_item(Reading("123", 1_535_544_000_000, "e1", _HOUSTON, {}))
    store(table, widened(_EQUIPMENT, 1), widened(_DEVICES, 1), equipment, reading)


READS = (
    Read(
        "a place's numbers, children and devices",
        "GET /places",
        {},
        {"path": "US/Texas"},
        [places_patterns.place(("US", "Texas")), BatchGet([places_keys.NUMBERS(("US", "Texas"))])],
        units=1.0,
        given=_houston,
    ),
    directory_read(
        "all places that lie in no other, by name", "GET /places/roots", places_keys.PLACES, _houston, "a new one"
    ),
    Read(
        "the entities of a kind at a place or below",
        "GET /places/entities",
        {},
        {"path": "US/Texas", "kind": "EQUIPMENT"},
        [history(_EQUIPMENT), *places_patterns.residents(("US", "Texas"), _EQUIPMENT.shards(1))],
        units=1.5,
        bound=BOUND,
        given=_houston,
    ),
    Read(
        "the devices that reported from a place or below",
        "GET /places/entities",
        {},
        {"path": "US", "kind": "DEVICE"},
        [history(_DEVICES), *places_patterns.residents(("US",), _DEVICES.shards(1))],
        units=1.5,
        bound=BOUND,
        given=_houston,
    ),
)

WRITES: tuple[Write, ...] = (
    Write(
        "set the place of an entity",
        "PUT /places/entities/{kind}/{id}",
        _ENTITY,
        {"path": list(_HOUSTON)},
        {"BatchGetItem": 1, "PutItem": 1},
        "2: the item and its entry in GSI1 (3 if it moves); the history of the list is read at most once in 10 s",
    ),
    Write(
        "clear the place of an entity",
        "DELETE /places/entities/{kind}/{id}",
        _ENTITY,
        None,
        {"DeleteItem": 1},
        "2",
        given=_houston,
    ),
)
