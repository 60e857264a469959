"""Writes and reads events."""

from collections.abc import Iterable

from functions.dynamodb.table import Table
from functions.systems.telemetry import codec
from functions.systems.telemetry.entity import Reading


def write(table: Table, events: Iterable[Reading]) -> None:
    """Store events, 25 per request. Storing an event again with the same content changes nothing."""
    items = {(event.device, event.at, event.id): codec.event_item(event) for event in events}
    table.put_many(list(items.values()))
