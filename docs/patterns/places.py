"""Access patterns of places."""

from docs.patterns.example import store
from docs.patterns.pattern import Read, Write
from functions.domain.places import Resident
from functions.domain.telemetry import Event
from functions.store import codec, patterns
from functions.store.table import Table

_HOUSTON = ("US", "Texas", "Houston")
_ENTITY = {"kind": "EQUIPMENT", "id": "Equipment_1"}


def _houston(table: Table) -> None:
    equipment = codec.places.resident_item(Resident("EQUIPMENT", "Equipment_1", _HOUSTON))
    reading = codec.telemetry.event_item(Event("123", 1_535_544_000_000, "e1", _HOUSTON, {}))
    store(table, equipment, reading)


READS = (
    Read(
        "a place's numbers, children and devices",
        "GET /places",
        {},
        {"path": "US/Texas"},
        [patterns.places.place(("US", "Texas"))],
        units=0.5,
        given=_houston,
    ),
    Read(
        "the entities of a kind at a place or below",
        "GET /places/entities",
        {},
        {"path": "US/Texas", "kind": "EQUIPMENT"},
        [patterns.places.residents(("US", "Texas"), "EQUIPMENT")],
        units=0.5,
        given=_houston,
    ),
    Read(
        "the devices that reported from a place or below",
        "GET /places/entities",
        {},
        {"path": "US", "kind": "DEVICE"},
        [patterns.places.residents(("US",), "DEVICE")],
        units=0.5,
        given=_houston,
    ),
)

WRITES: tuple[Write, ...] = (
    Write(
        "let an entity live at a place",
        "PUT /places/entities/{kind}/{id}",
        _ENTITY,
        {"path": list(_HOUSTON)},
        {"PutItem": 1},
        "2: the item and its entry in GSI1 (3 if it moves)",
    ),
    Write(
        "let an entity live nowhere",
        "DELETE /places/entities/{kind}/{id}",
        _ENTITY,
        None,
        {"DeleteItem": 1},
        "2",
        given=_houston,
    ),
)
