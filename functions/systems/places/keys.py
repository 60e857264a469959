"""Keys of places: partition PLACE#path holds the numbers of the places directly below, and the devices here or below.

Partition RESIDENT#kind#id holds the place of an entity; AT#SHARDS#kind#root says how many shards the list of a kind's
entities below a root place has, in the index by value.
"""

from typing import Any

from edgewise import Key, KeyTemplate, Partitions
from edgewise.dynamodb.keys import split
from functions.place import Place

PLACES, RESIDENTS = Partitions("PLACE"), Partitions("RESIDENT")
# The edge from a place to a device that reported from there or below.
HOSTS = KeyTemplate("PLACE#{place}", "EDGE#HOSTS#DEVICE#{device}", place=Place)
# The numbers of a place that lies in no other, and those of any other place.
ROOT = KeyTemplate("PLACE#{place}", place=Place)
_SIBLING = KeyTemplate("PLACE#{around}", "EDGE#CONTAINS#PLACE#{name}", around=Place)


def place(path: Place) -> str:
    """The partition of a place."""
    return PLACES(*path)


class _Numbers(KeyTemplate):
    """The numbers of a place: next to its siblings, before the devices there; in its own partition if it has none."""

    def __call__(self, *dimensions: Any) -> Key:
        """The key of the numbers of a place."""
        ((*around, name),) = dimensions
        return _SIBLING(tuple(around), name) if around else super().__call__(*dimensions)

    def parse(self, pk: str, sk: str) -> tuple[Any, ...]:
        """The place with these numbers; raises ValueError for another kind of key."""
        if sk == ROOT(()).sk:
            return super().parse(pk, sk)
        around, name = _SIBLING.parse(pk, sk)
        return ((*around, name),)


NUMBERS = _Numbers("PLACE#{place}", place=Place)


def shown_in(pk: str, sk: str) -> tuple[str, ...]:
    """The partitions of the places that show these numbers: the place itself, and the one directly around it."""
    return tuple(dict.fromkeys((place(*NUMBERS.parse(pk, sk)), pk)))


def resident(kind: str, entity_id: str) -> Key:
    """The item with the place of an entity; in its own partition, so that only places write there."""
    return Key(RESIDENTS(kind, entity_id), "AT")


def parse_resident(pk: str) -> tuple[str, str]:
    """Kind and id of a resident, from its partition; a device is in its own partition."""
    kind, entity_id = split(pk.removeprefix(RESIDENTS.prefix))
    return kind, entity_id
