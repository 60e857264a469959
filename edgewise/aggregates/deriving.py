"""What applications add to aggregates: a state that follows from the cells, kept in the item by the same write."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item

S = TypeVar("S")


class Deriving(Generic[S]):
    """Derives a state; a kind has at most one of these.

    `costs`: what that costs, for people; empty if nothing.
    """

    costs: ClassVar[str] = ""

    def following(self, about: AggregateId, version: int, cells: Mapping[str, Cell], kept: S | None) -> S | None:
        """The state of an aggregate that is about to be stored in this version, or None if it has none.

        Return the `kept` one itself if nothing has changed. It is asked again for the same version and cells.
        """
        raise NotImplementedError

    def attributes(self, kept: S) -> Item:
        """The attributes that keep a state in the aggregate's item, beside those of the engine."""
        raise NotImplementedError

    def read(self, item: Item) -> S | None:
        """The state that an item keeps; None if it keeps none. May raise KeyError, TypeError or ValueError."""
        raise NotImplementedError
