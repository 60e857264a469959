"""Keys of places: partition PLACE#path holds a place's summary, its children and the devices below it."""

from collections.abc import Callable, Mapping

from functions.domain.places import Place
from functions.store.keys.grammar import Key, join
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


AGGREGATES: Mapping[str, Callable[..., Key]] = {
    "HOSTS": hosts,
    "CONTAINS": contains,
    "PLACE": lambda path: Key(place(path), NODE_SUMMARY),
}
