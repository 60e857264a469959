"""What a kind may say of its items: their index entries, buckets of time, and the cell whose instants readers see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.parts import Part
from edgewise.dynamodb.attributes import Item
from edgewise.times import Millis


@dataclass(frozen=True, eq=False)
class Indexed(Part):
    """Its aggregates are in an index: `keys` gives the attributes of that entry, from the cells that one has so far."""

    costs = "an entry that moves is two puts; one that stays is none"

    keys: Callable[[AggregateId, Mapping[str, Cell]], Item]


@dataclass(frozen=True, eq=False)
class Buckets(Part):
    """Its cells are buckets of time: `start` says when the bucket of a cell begins, and instants are packed from there.

    It is 0 for cells that are no buckets.
    """

    start: Callable[[AggregateId, str], Millis]


@dataclass(frozen=True, eq=False)
class Span(Part):
    """Readers see the first and the last instant of this cell."""

    cell: str
