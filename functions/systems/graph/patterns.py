"""Reads of the graph: which index, which key condition."""

from collections.abc import Sequence

from functions.dynamodb.queries import BeginsWith, Between, Query
from functions.dynamodb.schema import BY_TARGET, BY_VALUE
from functions.systems.graph import keys
from functions.systems.graph.entity import AttributeKind, Direction, NodeId


def node(of: NodeId) -> Query:
    """A node, then its attributes."""
    return Query(keys.node(of), BeginsWith(keys.NODE))


def attributes(of: NodeId) -> Query:
    """A node's attributes alone."""
    return Query(keys.node(of), BeginsWith(keys.ATTRIBUTES))


def edges(of: NodeId, direction: Direction, label: str | None = None) -> Query:
    """The edges that leave a node, or, from the inverted index, those that point at it; of one label, or all."""
    if direction == "out":
        return Query(keys.node(of), BeginsWith(keys.outgoing(label)))
    condition = None if label is None else BeginsWith(keys.incoming(label))
    return Query(keys.node(of), condition, BY_TARGET)


def degrees(of: NodeId) -> Query:
    """The numbers of a node's edges, by direction and label."""
    return Query(keys.node(of), BeginsWith(keys.DEGREES))


def with_value(kind: AttributeKind, value: Sequence[str]) -> Sequence[Query]:
    """The nodes with exactly this attribute: one query."""
    return [Query(keys.find(kind, value), BeginsWith(keys.values_equal(value)), BY_VALUE)]


def with_place(components: Sequence[str]) -> Sequence[Query]:
    """The nodes with this place or one below: one query, because the widest component determines the shard."""
    return [Query(keys.find("place", components), BeginsWith(keys.values_below(components)), BY_VALUE)]


def with_beginning(kind: AttributeKind, text: str) -> Sequence[Query]:
    """The nodes with an attribute that begins with this text: one query per shard."""
    condition = BeginsWith(keys.values_beginning(text))
    return [Query(partition, condition, BY_VALUE) for partition in keys.find_all(kind)]


def with_values_between(kind: AttributeKind, low: Sequence[str], high: Sequence[str]) -> Sequence[Query]:
    """The nodes with an attribute from `low` on and before `high`, both optional: one query per shard."""
    condition = Between(*keys.values_between(low, high))
    return [Query(partition, condition, BY_VALUE) for partition in keys.find_all(kind)]
