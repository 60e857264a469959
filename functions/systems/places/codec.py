"""Items of places: the places of entities."""

from collections.abc import Mapping

from functions import directory
from functions.aggregates import partial_items
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell
from functions.dynamodb.attributes import Item, key_item, s, string
from functions.place import index_keys
from functions.sharding.lists import FIRST
from functions.systems.places import keys
from functions.systems.places.entity import Numbers, Resident


def resident_item(resident: Resident, shard: int = FIRST) -> Item:
    """The place of an entity, listed in this shard; all its data is in keys, so the index has as much as the table."""
    key = keys.resident(resident.kind, resident.id)
    return key_item(key) | {"Type": s("RESIDENT")} | index_keys(resident.kind, resident.id, resident.place, shard)


def resident(item: Item) -> Resident:
    """The inverse of resident_item, also for index entries, including those of devices."""
    return Resident(*keys.parse_resident(string(item["PK"]), string(item["GSI1SK"])))


def by_name(about: AggregateId, _: Mapping[str, Cell]) -> Item:
    """The keys in the index by value of a place's summary: only those that lie in no other place are listed."""
    (place,) = about.dimensions
    assert isinstance(place, tuple)
    return directory.index_keys(keys.PLACES, *place) if len(place) == 1 else {}


def numbers(item: Item) -> Numbers:
    """The numbers in a place's summary."""
    return Numbers(keys.parse_place(string(item["PK"]), string(item["SK"]))[0], partial_items.observations(item))
