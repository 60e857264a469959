"""Entries of items in the indexes, and the queries that find them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from functions.dynamodb.keys import Partitions, join, prefix
from functions.dynamodb.queries import Between, KeyCondition, Query
from functions.dynamodb.schema import Index
from functions.items.templates import Template
from functions.sharding.lists import ShardedList
from functions.times import EARLIEST, LATEST, Millis, rfc_3339


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

    @property
    def partitions(self) -> Partitions:
        """The partitions of the index that have such entries."""
        if isinstance(self.partition, ShardedList):
            return self.partition.partitions
        return Partitions(Template.of(self.partition).leading[0])

    def query(self, *names: str, start: Millis | None = None, end: Millis | None = None, forward: bool = True) -> Query:
        """The entries in the partition of these names from `start` on and before `end`, both optional.

        The first field of the sort key must be an instant.
        """
        assert isinstance(self.partition, str)
        return Query(Template.of(self.partition).filled(*names), self._during(start, end), self.index, forward)

    def in_shards(
        self, partitions: Sequence[str], start: Millis | None = None, end: Millis | None = None
    ) -> Sequence[Query]:
        """The same in these shards of the list, one query for each."""
        return [Query(partition, self._during(start, end), self.index) for partition in partitions]

    def _during(self, start: Millis | None, end: Millis | None) -> KeyCondition:
        leading = Template.of(self.sort).leading
        if start is None and end is None and not leading:
            return None
        if self.index.sort_type == "N":
            return Between(EARLIEST - 1 if start is None else start, LATEST if end is None else end - 1)
        # Without leading components, an instant begins with a digit.
        first, last = (prefix(*leading), join(*leading) + "$") if leading else ("0", ":")
        low = first if start is None else join(*leading, rfc_3339(start))
        # Without its last letter, an instant sorts before itself, and after all that are earlier.
        return Between(low, last if end is None else join(*leading, rfc_3339(end)[:-1]))
