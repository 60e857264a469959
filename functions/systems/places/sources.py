"""Finds the sources of a place's aggregates."""

from collections.abc import Iterator

from edgewise import Item, Reader
from edgewise.dynamodb.attributes import key_of, string
from edgewise.failures import PoisonError, sorted_out
from edgewise.sharding import listing
from functions.place import Place, entities
from functions.systems.places import keys, patterns
from functions.systems.places.entity import RESIDENT_KINDS
from functions.systems.telemetry.sources import of_places


def of_hosts(reader: Reader, _: Place, device: str) -> Iterator[Item]:
    """A device's edges to all places that it reported from."""
    return of_places(reader, device)


def of_place(reader: Reader, path: Place) -> Iterator[Item]:
    """The place's devices, their edges to this place or below, and all other entities here or below."""
    for item in reader.read(patterns.hosts(path)):
        yield item
        for device in _hosted(item):
            yield from of_places(reader, device)
    for kind in RESIDENT_KINDS:
        yield from reader.read(*patterns.residents(path, listing.partitions(reader.table, entities(kind, path[0]))))


def _hosted(item: Item) -> tuple[str, ...]:
    """The device that an item names; none if the item can't be decoded."""
    try:
        with sorted_out():
            return keys.HOSTS.parse(*key_of(item))[1:] if string(item["Type"]) == "HOSTS" else ()
    except PoisonError:
        return ()
