"""Directories: all entities of one type, by id. Each is one partition of the index by value, named after the type.

Of places, those that lie in no other: they lead to all.

An item that exists once for an entity has the entry, its summary for instance. Nothing that the index projects of it
changes, so a directory costs one write for each new entity, and none for its later changes.
"""

from collections.abc import Callable, Mapping

from edgewise import BY_VALUE, AggregateId, BeginsWith, Cell, Item, Partitions, Query
from edgewise.dynamodb.attributes import s
from edgewise.dynamodb.keys import escape


def partition(of: Partitions) -> str:
    """The partition of the index that lists the entities with these partitions."""
    return of.name


def index_keys(of: Partitions, name: str) -> Item:
    """The keys in the index by value for the item that lists an entity."""
    return {"GSI1PK": s(partition(of)), "GSI1SK": s(escape(name))}


def of_summaries(of: Partitions) -> Callable[[AggregateId, Mapping[str, Cell]], Item]:
    """The `index` of a kind whose aggregates are the summaries of these entities: listed as long as they count."""

    def index(about: AggregateId, _: Mapping[str, Cell]) -> Item:
        (name,) = map(str, about.dimensions)
        return index_keys(of, name)

    return index


def entries(of: Partitions, beginning: str | None = None) -> Query:
    """The entities whose ids begin with a text, or all, by id."""
    return Query(partition(of), BeginsWith(escape(beginning)) if beginning else None, BY_VALUE)
