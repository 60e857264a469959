"""Writes and reads the places of entities; reads the numbers of a place."""

from collections.abc import Mapping
from functools import partial

from edgewise import BY_VALUE, Cell, Delete, Position, Put, Table, cells, each
from edgewise.sharding import listing, relief
from functions.place import Place, entities, entity_at
from functions.systems.places import codec, keys, patterns
from functions.systems.places.entity import Resident


def put(table: Table, resident: Resident) -> None:
    """Put an entity at a place, in place of any earlier one. The entity itself need not exist."""
    members = entities(resident.kind, resident.place[0])
    name = entity_at(resident.kind, resident.id, resident.place)
    with relief.shard(table, BY_VALUE, members, name) as shard:
        table.write(Put(codec.resident_item(resident, shard)))


def delete(table: Table, kind: str, entity_id: str) -> None:
    """Remove an entity from its place, whether it has one or not."""
    table.write(Delete(keys.resident(kind, entity_id)))


def numbers(table: Table, path: Place) -> Mapping[str, Cell]:
    """The numbers of a place; none if nothing is there."""
    found = table.get_many([keys.NUMBERS(path)])
    return next(iter(each(table, cells, found.values())), {})


def residents(
    table: Table, path: Place, kind: str, limit: int, after: Position | None
) -> tuple[list[Resident], Position | None]:
    """One page of the entities of a kind at a place or below, place by place, and the next position."""
    return listing.page(table, entities(kind, path[0]), partial(patterns.residents, path), limit, after, codec.listed)
