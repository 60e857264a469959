"""The stored sources of an aggregate: everything that it may have been made of.

For people who want an aggregate counted anew. What is found through an index is read again from the table itself,
so that it is seen as it is now; an entry that the index does not have yet is not found.
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
    """Reads source items, as long as `may_go_on` says so, and counts them."""

    table: Table
    may_go_on: Callable[[], bool]
    items: int = field(default=0, init=False)

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item of the queries, strongly consistent; raises StoppedError before the page that is too much."""
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
    """Every item that an aggregate may have been made of, and some that it was not; raises StoppedError."""
    return aggregate_id.kind.sources(reader, *aggregate_id.dimensions)
