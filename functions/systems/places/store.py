"""Where entities live: written and read."""

from functions.dynamodb.table import Table
from functions.dynamodb.writes import Delete, Put
from functions.systems.places import codec, keys
from functions.systems.places.entity import Resident


def put(table: Table, resident: Resident) -> None:
    """Let an entity live at a place, wherever it lived before. The entity itself need not be known."""
    table.write(Put(codec.resident_item(resident)))


def delete(table: Table, kind: str, entity_id: str) -> None:
    """Let an entity live nowhere, whether it lived anywhere or not."""
    table.write(Delete(keys.resident(kind, entity_id)))
