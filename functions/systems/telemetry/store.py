"""Events written and read."""

from collections.abc import Iterable

from functions.dynamodb import pages
from functions.dynamodb.queries import Position, Query
from functions.dynamodb.table import Table
from functions.systems.telemetry import codec
from functions.systems.telemetry.entity import Reading


def write(table: Table, events: Iterable[Reading]) -> None:
    """Store events, 25 a request. Writing one again with the same content changes nothing."""
    items = {(event.device, event.at, event.id): codec.event_item(event) for event in events}
    table.put_many(list(items.values()))


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Reading], Position | None]:
    """One page of events and where to go on."""
    return pages.listed(table, query, limit, after, codec.event)
