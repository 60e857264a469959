"""Events written and read."""

from collections.abc import Iterable

from functions.domain.telemetry import Event
from functions.store import codec, pages
from functions.store.queries import Position, Query
from functions.store.table import Table


def write(table: Table, events: Iterable[Event]) -> None:
    """Store events, 25 a request. Writing one again with the same content changes nothing."""
    items = {(event.device, event.at, event.id): codec.telemetry.event_item(event) for event in events}
    table.put_many(list(items.values()))


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Event], Position | None]:
    """One page of events and where to go on."""
    return pages.listed(table, query, limit, after, codec.telemetry.event)
