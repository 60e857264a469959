"""The stored sources of an aggregate: every item that may feed it.

They serve people who want an aggregate recounted. Items found through an index are read again from the table itself, to
see their present state; an item that the index does not have yet is not found.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.queries import Position, Query
from edgewise.dynamodb.table import Table


class StoppedError(Exception):
    """There was no time to read everything."""


class Reached(NamedTuple):
    """How far the sources have been read: so many queries to their end, and the next one up to a position."""

    queries: int = 0
    after: Position | None = None


START = Reached()


@dataclass
class Reader:
    """Reads source items while `may_go_on` is true, and counts them. It goes on where an earlier one has stopped.

    What is read because of an item (a device's edges, because of the device) belongs to that item: the reader stops
    only before the next one, so that nothing of an item is read twice.
    """

    table: Table
    may_go_on: Callable[[], bool]
    reached: Reached = START
    items: int = 0
    _begun: int = field(default=0, init=False)
    _within: bool = field(default=False, init=False)

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item of the queries, strongly consistent; raises StoppedError if there is no time for another one."""
        for query in queries:
            yield from self._whole(query) if self._within else self._in_parts(query)

    def _whole(self, query: Query) -> Iterator[Item]:
        return (current for _, current in self._found(query) if current is not None)

    def _in_parts(self, query: Query) -> Iterator[Item]:
        number, self._begun = self._begun, self._begun + 1
        if number < self.reached.queries:
            return
        self._pause()
        for position, current in self._found(replace(query, after=self.reached.after)):
            if current is not None:
                self._within = True
                yield current
                self._within = False
            self.reached = Reached(number, position)
            self._pause()
        self.reached = Reached(number + 1)

    def _found(self, query: Query) -> Iterator[tuple[Position, Item | None]]:
        """The items of a query as they are now, and where to go on after each; None for one that is gone."""
        for page in pages.every(self.table, query if query.index else replace(query, consistent=True)):
            for item in page.items:
                current = self.table.get(key_of(item)) if query.index else item
                self.items += current is not None
                yield query.position(item), current

    def _pause(self) -> None:
        if not self.may_go_on():
            raise StoppedError


def find(reader: Reader, aggregate_id: AggregateId) -> Iterator[Item]:
    """Every item that may feed an aggregate, and some that do not; raises StoppedError."""
    return aggregate_id.kind.sources(reader, *aggregate_id.dimensions)
