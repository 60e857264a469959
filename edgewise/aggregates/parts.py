"""Parts of a kind: what its aggregates keep and do besides counting.

Each part is a folder, which owns its attributes, their packing, its step in absorbing, and what follows from that. The
core calls parts by this protocol and names none of them.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.dynamodb.attributes import Item


class Part:
    """A part, by default one that keeps nothing.

    It keeps None on an aggregate as long as there is nothing to keep. `types` are those of
    its own items. `counts_only`: why its kind must have no extremes; empty if it may have some.
    """

    types: ClassVar[tuple[str, ...]] = ()
    counts_only: ClassVar[str] = ""

    def read(self, _item: Item) -> Any:
        """What it keeps on the aggregate that an item is; raises KeyError, TypeError or ValueError."""

    def attributes(self, _kept: Any) -> Item:
        """The inverse of `read`."""
        return {}

    def following(self, _about: AggregateId, _cells: Mapping[str, Cell], kept: Any) -> Any:
        """What it keeps once the aggregate has these cells."""
        return kept


# What parts keep on one aggregate, by their classes.
Kept = Mapping[type[Part], Any]
