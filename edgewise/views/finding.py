"""What recounts find the items of a view by: the queries for its rows, edges and entries, where there are some."""

from collections.abc import Callable, Iterator
from itertools import chain

from edgewise.aggregates.kinds import Reader
from edgewise.aggregates.recounts.declaration import Read
from edgewise.dynamodb.attributes import Item
from edgewise.views.places import EDGE, ENTRY, Places
from edgewise.views.planning import How, Plan

Found = Callable[..., Iterator[Item]]


class Finding:
    """The queries of one view."""

    def __init__(self, plan: Plan, places: Places) -> None:
        self._plan, self._places = plan, places

    @property
    def all_of_row(self) -> Found | None:
        """All that feeds a row, if queries find it."""
        ways = {How.DIRECTLY: self._near, How.BY_EDGES: self._beside, How.BY_ENTRIES: self._beside}
        return ways.get(self._plan.how)

    @property
    def all_of_edge(self) -> Found | None:
        """All that feeds an edge, or a total that is ranked within a row, if a query finds it."""
        return self._near if self._plan.near else None

    def of_entry(self, reader: Reader, *dims: str) -> Iterator[Item]:
        """The item that an entry is of."""
        return reader.read(self._places.entered(dims))

    def extremes(self, _: object, *dims: str) -> Iterator[Read]:
        """The query that finds the numbers whose extremes a row has."""
        by_entries = self._plan.how is How.BY_ENTRIES
        yield Read(self._places.beside(dims, ENTRY) if by_entries else self._places.near(dims))

    def _near(self, reader: Reader, *dims: str) -> Iterator[Item]:
        """The items in the partition of a row, or of an edge of it."""
        return reader.read(self._places.near(self._places.row_of(dims)))

    def _beside(self, reader: Reader, *dims: str) -> Iterator[Item]:
        entries = [(ENTRY,)] if self._plan.how is How.BY_ENTRIES else []
        what = (*entries, *((EDGE, name) for name in self._plan.declared.of_form("distinct")))
        return chain.from_iterable(reader.read(self._places.beside(dims, *each)) for each in what)
