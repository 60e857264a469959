"""Keys of places: partition PLACE#path holds a place's summary, its children and the devices below it.

Partition RESIDENT#kind#id holds the place of an entity; AT#SHARDS#kind#root says how many shards the list of a kind's
entities below a root place has, in the index by value.
"""

from functions.aggregates.keys import edge_target, entity
from functions.dynamodb.keys import Key, Partitions, join, split
from functions.place import Place, place_of

PLACES, RESIDENTS = Partitions("PLACE"), Partitions("RESIDENT")


def place(path: Place) -> str:
    """The partition of a place."""
    return PLACES(*path)


def parse_place(pk: str, _: str) -> tuple[Place]:
    """The place of a summary."""
    return (entity(pk),)


def hosts(path: Place, device_id: str) -> Key:
    """The edge from a place to a device that reported from there or below."""
    return Key(place(path), join("EDGE", "HOSTS", "DEVICE", device_id))


def contains(path: Place, child: str) -> Key:
    """The edge from a place to a place directly below; it carries the child's summary and sorts before HOSTS."""
    return Key(place(path), join("EDGE", "CONTAINS", "PLACE", child))


def parse_contains(pk: str, sk: str) -> tuple[Place, str]:
    """Place and child of an edge; raises ValueError for another kind of key."""
    (child,) = edge_target(sk)
    return entity(pk), child


def resident(kind: str, entity_id: str) -> Key:
    """The item with the place of an entity; in its own partition, so that only places write there."""
    return Key(RESIDENTS(kind, entity_id), "AT")


def parse_resident(pk: str, place_key: str) -> tuple[str, str, Place]:
    """Kind, id and place of a resident, from its partition and its index key; a device is in its own partition."""
    kind, entity_id = split(pk.removeprefix(RESIDENTS.prefix))
    return kind, entity_id, place_of(place_key)


def parse_hosts(pk: str, sk: str) -> tuple[Place, str]:
    """Place and device of an edge; raises ValueError for another kind of key."""
    (device_id,) = edge_target(sk)
    return entity(pk), device_id
