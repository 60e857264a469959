"""Where entities live: written and read."""

from functions.domain.places import Resident
from functions.store import codec, keys, pages
from functions.store.queries import Position, Query
from functions.store.table import Table
from functions.store.writes import Delete, Put


def put(table: Table, resident: Resident) -> None:
    """Let an entity live at a place, wherever it lived before. The entity itself need not be known."""
    table.write(Put(codec.places.resident_item(resident)))


def delete(table: Table, kind: str, entity_id: str) -> None:
    """Let an entity live nowhere, whether it lived anywhere or not."""
    table.write(Delete(keys.places.resident(kind, entity_id)))


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Resident], Position | None]:
    """One page of residents and where to go on."""
    return pages.listed(table, query, limit, after, codec.places.resident)
