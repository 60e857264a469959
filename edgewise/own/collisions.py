"""What in somebody's table would collide with what the engine writes into it, told by its name.

An item of the engine's has the table's keys, and beside them attributes whose names begin with `Edgewise`. So an index
of the owner's takes it for one of its own only if its keys are named so.
"""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Self

from edgewise.dynamodb.existing import FORMER_INDEX, INDEX, INDEX_PARTITION, INDEX_SORT, LISTED, PREFIX, WAY_OUT
from edgewise.dynamodb.table import Table
from edgewise.own.table import OwnTable


class Index(NamedTuple):
    """An index of a table: its name, and those of its keys."""

    name: str
    keys: tuple[str, ...]

    @classmethod
    def described(cls, description: Any) -> Self:
        """One as DynamoDB describes it."""
        return cls(description["IndexName"], tuple(each["AttributeName"] for each in description["KeySchema"]))


ENGINES = Index(INDEX, (INDEX_PARTITION, INDEX_SORT))


class CollisionError(Exception):
    """The table has what collides with the engine's items, or lacks the engine's index."""


def faults(indexes: Iterable[Index], *, has_room: bool) -> Iterator[str]:
    """What is wrong with a table's indexes, but for the engine's; in one that has the engine's items, or has none."""
    for name, keys in indexes:
        if name != INDEX and name.startswith(FORMER_INDEX) and keys == (INDEX_PARTITION, INDEX_SORT):
            yield f"the index {name} is of another release: {WAY_OUT}"
            continue
        if name == INDEX and has_room:
            yield f"the index {name} is not the engine's: its keys are {', '.join(keys)}. Give yours another name"
        for key in keys:
            if key.startswith(PREFIX):
                yield f"the index {name} has the key {key}: only the engine's attributes have names with {PREFIX}"


def check(table: Table, own: OwnTable) -> None:
    """Raise CollisionError by what DynamoDB tells of a table: one request, which takes no units."""
    client: Any = table.client
    described = client.describe_others(table.name)
    listed = [*described.get("GlobalSecondaryIndexes", ()), *described.get("LocalSecondaryIndexes", ())]
    indexes = {Index.described(each): each["Projection"] for each in listed}
    projected = indexes.pop(ENGINES, {}).get("NonKeyAttributes", ())
    found = list(faults(indexes, has_room=own.has_room))
    if own.has_room and not found and LISTED not in projected:
        found.append(f"it lacks the index {INDEX}, by {INDEX_PARTITION} and {INDEX_SORT}, which projects {LISTED}")
    if found:
        raise CollisionError(f"{table.name}: {'; '.join(found)}")
