"""Keys of places: partition PLACE#path holds the numbers of the places directly below, and the devices here or below.

Partition RESIDENT#kind#id holds the place of an entity; AT#SHARDS#kind#root says how many shards the list of a kind's
entities below a root place has, in the index by value.
"""

from edgewise import Key, Partitions
from edgewise.aggregates.keys import SUMMARY, edge_target, entity
from edgewise.dynamodb.keys import join, split
from functions.place import Place

PLACES, RESIDENTS = Partitions("PLACE"), Partitions("RESIDENT")


def place(path: Place) -> str:
    """The partition of a place."""
    return PLACES(*path)


def numbers(path: Place) -> Key:
    """The numbers of a place: next to its siblings, before the devices there; in its own partition if it has none."""
    *around, name = path
    return Key(PLACES(*around), join("EDGE", "CONTAINS", "PLACE", name)) if around else Key(place(path), SUMMARY)


def parse_numbers(pk: str, sk: str) -> tuple[Place]:
    """The place with these numbers; raises ValueError for another kind of key."""
    return (entity(pk) if sk == SUMMARY else (*entity(pk), *edge_target(sk)),)


def shown_in(pk: str, sk: str) -> tuple[str, ...]:
    """The partitions of the places that show these numbers: the place itself, and the one directly around it."""
    return tuple(dict.fromkeys((place(*parse_numbers(pk, sk)), pk)))


def hosts(path: Place, device_id: str) -> Key:
    """The edge from a place to a device that reported from there or below."""
    return Key(place(path), join("EDGE", "HOSTS", "DEVICE", device_id))


def resident(kind: str, entity_id: str) -> Key:
    """The item with the place of an entity; in its own partition, so that only places write there."""
    return Key(RESIDENTS(kind, entity_id), "AT")


def parse_resident(pk: str) -> tuple[str, str]:
    """Kind and id of a resident, from its partition; a device is in its own partition."""
    kind, entity_id = split(pk.removeprefix(RESIDENTS.prefix))
    return kind, entity_id


def parse_hosts(pk: str, sk: str) -> tuple[Place, str]:
    """Place and device of an edge; raises ValueError for another kind of key."""
    (device_id,) = edge_target(sk)
    return entity(pk), device_id
