"""The stored sources of an aggregate: every item that may feed it.

They serve people who want an aggregate recounted. Items found through an index are read again from the table itself, to
see their present state; an item that the index does not have yet is not found.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from functions.aggregates.ids import AggregateId
from functions.dynamodb.attributes import Item, key_of
from functions.dynamodb.queries import Query
from functions.dynamodb.table import Table


class StoppedError(Exception):
    """There was no time to read everything."""


@dataclass
class Reader:
    """Reads source items while `may_go_on` is true, and counts them."""

    table: Table
    may_go_on: Callable[[], bool]
    items: int = field(default=0, init=False)

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item of the queries, strongly consistent; raises StoppedError if there is no time for another page."""
        for query in queries:
            for item in self._pages(query if query.index else replace(query, consistent=True)):
                current = self.table.get(key_of(item)) if query.index else item
                if current is not None:
                    self.items += 1
                    yield current

    def _pages(self, query: Query) -> Iterator[Item]:
        while self.may_go_on():
            page = self.table.query(query)
            yield from page.items
            if page.next is None:
                return
            query = replace(query, after=page.next)
        raise StoppedError


def find(reader: Reader, aggregate_id: AggregateId) -> Iterator[Item]:
    """Every item that may feed an aggregate, and some that do not; raises StoppedError."""
    return aggregate_id.kind.sources(reader, *aggregate_id.dimensions)
