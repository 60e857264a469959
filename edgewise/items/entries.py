"""Entries of items in the indexes, and the queries that find them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from edgewise.dynamodb.keys import Partitions
from edgewise.dynamodb.queries import BeginsWith, Between, KeyCondition, Query
from edgewise.dynamodb.schema import Index
from edgewise.dynamodb.templates import Template, partitions_of
from edgewise.sharding.lists import ShardedList
from edgewise.times import EARLIEST, LATEST, Millis, rfc_3339


def _always(_: Any) -> bool:
    return True


@dataclass(frozen=True)
class Entry:
    """The entry of an item in an index: its two keys, as templates; instead of the first, the list that it is in.

    Templates name fields and properties of the dataclass. `when`: which items have the entry; by default all do. `why`:
    what they are in the index for, in words.
    """

    index: Index
    partition: str | ShardedList
    sort: str
    when: Callable[[Any], bool] = _always
    why: str = ""

    def __post_init__(self) -> None:
        """Raises TypeError for partitions that rights can't be given for, and for a list that is one of several."""
        if not isinstance(self.partition, ShardedList):
            partitions_of(Template.of(self.partition))
        elif self.partition.components:
            raise TypeError(f"an entry can't be in one list of several: {self.partition.name}")

    @property
    def partitions(self) -> Partitions:
        """The partitions of the index that have such entries."""
        if isinstance(self.partition, ShardedList):
            return self.partition.partitions
        return partitions_of(Template.of(self.partition))

    def query(self, *names: str, start: Millis | None = None, end: Millis | None = None, forward: bool = True) -> Query:
        """The entries in the partition of these names; those from `start` on and before `end`, both optional.

        With either, the first field of the sort key must be an instant.
        """
        assert isinstance(self.partition, str)
        return Query(Template.of(self.partition).filled(*names), self._during(start, end), self.index, forward)

    def in_shards(
        self, partitions: Sequence[str], start: Millis | None = None, end: Millis | None = None
    ) -> Sequence[Query]:
        """The same in these shards of the list, one query for each."""
        return [Query(partition, self._during(start, end), self.index) for partition in partitions]

    def _during(self, start: Millis | None, end: Millis | None) -> KeyCondition:
        beginning = Template.of(self.sort).beginning
        if start is None and end is None:
            return BeginsWith(beginning) if beginning else None
        if self.index.sort_type == "N":
            return Between(EARLIEST - 1 if start is None else start, LATEST if end is None else end - 1)
        # Instants begin with a digit; without its last letter, one sorts before itself, and after all that are earlier.
        low = "0" if start is None else rfc_3339(start)
        return Between(beginning + low, beginning + (":" if end is None else rfc_3339(end)[:-1]))
