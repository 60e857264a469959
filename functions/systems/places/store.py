"""Writes and reads the places of entities."""

from functions.dynamodb.table import Table
from functions.dynamodb.writes import Delete, Put
from functions.systems.places import codec, keys
from functions.systems.places.entity import Resident


def put(table: Table, resident: Resident) -> None:
    """Put an entity at a place, in place of any earlier one. The entity itself need not exist."""
    table.write(Put(codec.resident_item(resident)))


def delete(table: Table, kind: str, entity_id: str) -> None:
    """Remove an entity from its place, whether it has one or not."""
    table.write(Delete(keys.resident(kind, entity_id)))
