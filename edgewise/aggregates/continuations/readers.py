"""Aggregates read with their continuations, which take further requests only if an item is full."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import accumulate, islice, takewhile

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.continuations.declaration import is_full
from edgewise.aggregates.continuations.items import continuation, continuations
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate, cells
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.table import Table

Items = Mapping[AggregateId, Item]
# How many bytes, as sent, the names listed beside a page (pages.SENT_BYTES) may take; and how many a count takes.
LISTED_BYTES, _COUNT_BYTES = 1024 * 1024, 20


def next_on_path(table: Table, full: Iterable[AggregateId], name: str) -> Items:
    """The existing continuations of these full aggregates that may have the cell with this name, in one request."""
    return _read(table, [continuation(about, name) for about in full])


def further_cells(table: Table, of: AggregateId, item: Item) -> dict[str, Cell]:
    """The cells in the sixteen continuations of an aggregate with this item, as many as fit into an answer.

    One request, or none if the item is not full. The continuations of these are left out: thousands of cells are enough
    for one answer.
    """
    if not is_full(item):
        return {}
    found: dict[str, Cell] = {}
    for about, item in _read(table, continuations(of)).items():
        for own in each(table, partial(cells, about=about), [item]):
            found |= own
    sizes = accumulate(pages.sent_bytes(name) + _COUNT_BYTES for name in found)
    return dict(islice(found.items(), sum(1 for _ in takewhile(LISTED_BYTES.__ge__, sizes))))


def whole(table: Table, aggregate_id: AggregateId) -> list[Aggregate]:
    """An aggregate and all its continuations, strongly consistent, each after the item that it continues."""
    items = [aggregate(aggregate_id, table.get(keys.of(aggregate_id)))]
    for current in items:
        if current.full:
            found = read(table, continuations(current.id))
            items += [aggregate(about, item) for about, item in found.items()]
    return items


def read(table: Table, wanted: Iterable[AggregateId]) -> dict[AggregateId, Item]:
    """The items among these that exist, strongly consistent."""
    return _read(table, list(wanted), consistent=True)


def _read(table: Table, wanted: list[AggregateId], *, consistent: bool = False) -> dict[AggregateId, Item]:
    if not wanted:
        return {}
    places = {keys.of(about): about for about in wanted}
    return {places[key]: item for key, item in table.get_many(list(places), consistent=consistent).items()}
