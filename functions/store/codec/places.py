"""Items of places: where entities live."""

from collections.abc import Callable, Mapping
from typing import Any

from functions.domain.places import Place, Resident
from functions.store import keys
from functions.store.attributes import Item, key_item, s, string
from functions.store.codec.edges import edge


def resident_item(resident: Resident) -> Item:
    """That an entity lives somewhere; all of it stands in keys, so the index tells as much as the table."""
    key = keys.places.resident(resident.kind, resident.id)
    return key_item(key) | {"Type": s("RESIDENT")} | place_keys(resident.kind, resident.place)


def place_keys(kind: str, place: Place) -> Item:
    """The entry, in the index by value, of whatever says that an entity is at a place."""
    return {
        "GSI1PK": s(keys.places.residents(kind, place[0])),
        "GSI1SK": s(keys.places.at_place(place)),
    }


def resident(item: Item) -> Resident:
    """The inverse of resident_item, also from the index, there of a device too."""
    return Resident(*keys.places.parse_resident(string(item["PK"]), string(item["GSI1SK"])))


SOURCES: Mapping[str, Callable[[Item], Any]] = {"HOSTS": edge, "RESIDENT": resident}
