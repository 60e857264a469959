"""Items of places: the places of entities."""

from collections.abc import Mapping

from edgewise import AggregateId, Cell, Item
from edgewise.dynamodb.attributes import key_item, key_of, s, string
from edgewise.sharding.lists import FIRST
from functions import directory
from functions.place import Place, index_keys, place_of
from functions.systems.places import keys
from functions.systems.places.entity import Resident


def resident_item(resident: Resident, shard: int = FIRST) -> Item:
    """The place of an entity, listed in this shard. The index need not repeat the place: its keys say it."""
    key, place = keys.resident(resident.kind, resident.id), resident.place
    told = {"Type": s("RESIDENT"), "Place": {"L": [s(component) for component in place]}}
    return key_item(key) | told | index_keys(resident.kind, resident.id, place, shard)


def resident(item: Item) -> Resident:
    """The inverse of resident_item."""
    place = tuple(string(component) for component in item["Place"]["L"])
    return Resident(*keys.parse_resident(string(item["PK"])), place)


def listed(item: Item) -> Resident:
    """Who is where, by an entry in the index; devices are listed there, too."""
    return Resident(*keys.parse_resident(string(item["PK"])), place_of(string(item["GSI1SK"])))


def place(item: Item) -> Place:
    """The place that an item with numbers is about; raises ValueError for another kind of item."""
    found: Place = keys.NUMBERS.parse(*key_of(item))[0]
    return found


def by_name(about: AggregateId, _: Mapping[str, Cell]) -> Item:
    """The keys in the index by value of a place's numbers: only those that lie in no other place are listed."""
    (place,) = about.dimensions
    assert isinstance(place, tuple)
    return directory.index_keys(keys.PLACES, *place) if len(place) == 1 else {}
