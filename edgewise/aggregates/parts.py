"""Parts of a kind: what its aggregates keep and do besides counting.

Each part is a folder, which owns its attributes, their packing, its step in absorbing, and what follows from that. The
core calls parts by this protocol and names none of them.
"""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from edgewise.aggregates.measures import Delta
from edgewise.dynamodb.attributes import Item
from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.aggregates.aggregate import Aggregate
    from edgewise.aggregates.checkpoints import Checkpoint
    from edgewise.aggregates.effects import Effect
    from edgewise.aggregates.keys import AggregateId
    from edgewise.aggregates.kinds import Kind


@dataclass(slots=True)
class Change:
    """What a batch changes of an aggregate, on its way in: parts take from it what is theirs.

    `version` and `now` are those of the write. `deltas` are the changes by cell; they don't tell the extremes of the
    cells in `doubted`. Once the cells have absorbed them, `stale` are those to recount before the write if possible.
    `effects` are what the deltas sum up, in the shard's order.
    """

    version: int
    now: Millis
    deltas: dict[str, Delta]
    doubted: Set[str] = frozenset()
    effects: Sequence["Effect"] = ()
    stale: set[str] = field(default_factory=set)


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

    def doubts(self, _effects: Sequence["Effect"], _repaired: "Checkpoint") -> Set[str]:
        """The cells whose extremes can't be told from these effects, if somebody repaired the aggregate by hand."""
        return frozenset()

    def settled(self, after: "Aggregate", _change: Change) -> "Aggregate":
        """The aggregate once its cells have absorbed a change."""
        return after

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
