"""Lists in an index, each spread over as many partitions of the index as its writers need.

An item carries the shard in which it is listed: the key attributes of the index are its own. So it stays where it is
when its list is widened; only later writes are spread over more shards. Whoever removes the item removes its entry.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from edgewise.dynamodb.keys import Key, Partitions
from edgewise.sharding.sharding import Sharding

# A page reads each shard. So many requests are sent at once, and a table's default quota of 40,000 write units a
# second lets hardly more entries pass: each has an item that takes a unit, too.
MAX_SHARDS = 16
# The shard of lists that are never widened.
FIRST = 1
_HISTORY = "SHARDS"


class ListSharding(Sharding):
    """The history of a list's shards."""

    __slots__ = ()
    most: ClassVar[int] = MAX_SHARDS


class Shard(NamedTuple):
    """One of the shards of which an item has the history, by its number; readers look at no others."""

    history: Key
    number: int


@dataclass(frozen=True, slots=True)
class ShardedList:
    """One list: `components` name it among those in these partitions of the index.

    Partition NAME#component…#n of the index is its n-th shard. Partition NAME#SHARDS#component… of the table holds the
    history of its shards.
    """

    partitions: Partitions
    components: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name, for people."""
        return self.partitions(*self.components)

    @property
    def history(self) -> Key:
        """The item with the history of its shards."""
        return Key(self.partitions(_HISTORY, *self.components), "HISTORY")

    def shard(self, number: int) -> str:
        """The partition of the index that is this shard."""
        return self.partitions(*self.components, str(number))

    def shards(self, number: int) -> list[str]:
        """The first shards of this number."""
        return [self.shard(each) for each in range(1, number + 1)]
