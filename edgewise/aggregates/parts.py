"""Parts of a kind: what its aggregates keep and do besides counting.

Each part is a folder, which owns its attributes, their packing, its step in absorbing, and what follows from that. The
core calls parts by this protocol and names none of them.
"""

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any, ClassVar

from edgewise.dynamodb.attributes import Item

if TYPE_CHECKING:
    from edgewise.aggregates.aggregate import Aggregate
    from edgewise.aggregates.keys import AggregateId
    from edgewise.aggregates.kinds import Kind


class Part:
    """A part, by default one that keeps nothing.

    It keeps None on an aggregate as long as there is nothing to keep. `types` are those of its own items. `passes_on`:
    items of its kind feed others by what their very put passes on; that is never taken back. `shared`: items of many
    shards feed the same aggregate. `derives`: what it keeps follows from the cells alone. `checkpoints_tell`: what the
    checkpoints cover has been counted. `costs`: what it does, and what that costs, for people; empty if nothing.
    """

    types: ClassVar[tuple[str, ...]] = ()
    passes_on: ClassVar[bool] = False
    shared: ClassVar[bool] = False
    derives: ClassVar[bool] = False
    checkpoints_tell: ClassVar[bool] = True
    costs: ClassVar[str] = ""

    def fault(self, _kind: "Kind", _kinds: Mapping[str, "Kind"], _sources: Set[str]) -> str:
        """Why the kind can't have it among these kinds, if items of these types are sources; empty if it can."""
        return ""

    @property
    def comes_later(self) -> bool:
        """Whether its aggregates must be written after others that a batch changes."""
        return False

    def has(self, _name: str) -> bool:
        """Whether a cell of this name is its own, and not one of those that the aggregate shows."""
        return False

    def read(self, _item: Item, _about: "AggregateId") -> Any:
        """What it keeps on the aggregate that an item is; raises KeyError, TypeError or ValueError."""

    def attributes(self, _of: "Aggregate", _kept: Any) -> Item:
        """The inverse of `read`."""
        return {}

    def following(self, _of: "Aggregate", kept: Any) -> Any:
        """What it keeps once the aggregate is stored as it is."""
        return kept


# What parts keep on one aggregate, by their classes.
Kept = Mapping[type[Part], Any]


def keeping(kept: Kept, part: type[Part], what: Any) -> Kept:
    """The same, where this part keeps something else, or nothing: None."""
    if what is kept.get(part):
        return kept
    rest = {each: known for each, known in kept.items() if each is not part}
    return rest if what is None else {**rest, part: what}
