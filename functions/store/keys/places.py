"""Keys of places: partition PLACE#path holds a place's summary, its children and the devices below it."""

from collections.abc import Callable, Mapping

from functions.domain.places import Place
from functions.store.keys.grammar import Key, join, prefix, split
from functions.store.keys.nodes import NODE_SUMMARY


def place(path: Place) -> str:
    """The partition of a place."""
    return join("PLACE", *path)


def hosts(path: Place, device_id: str) -> Key:
    """The edge from a place to a device that reported from there or from below."""
    return Key(place(path), join("EDGE", "HOSTS", "DEVICE", device_id))


def contains(path: Place, child: str) -> Key:
    """The edge from a place to a place directly below; it carries the child's summary and sorts before HOSTS."""
    return Key(place(path), join("EDGE", "CONTAINS", "PLACE", child))


def resident(kind: str, entity_id: str) -> Key:
    """The item in an entity's own partition that says where it lives; it sorts before its summary and edges."""
    return Key(join(kind, entity_id), "AT")


def residents(kind: str, root: str) -> str:
    """The index partition of a kind's residents at one root place and everywhere below."""
    return join("AT", kind, root)


def at_place(path: Place) -> str:
    """The index key of a place's residents, and what those of the places below begin with; it ends at a border."""
    return prefix(*path)


def parse_resident(pk: str, place_key: str) -> tuple[str, str, Place]:
    """Kind, id and place of a resident, from its primary partition and its index key."""
    kind, entity_id = split(pk)
    return kind, entity_id, split(place_key)[:-1]


AGGREGATES: Mapping[str, Callable[..., Key]] = {
    "HOSTS": hosts,
    "CONTAINS": contains,
    "PLACE": lambda path: Key(place(path), NODE_SUMMARY),
}
