"""Reads of the graph: which index, which key condition."""

from collections.abc import Sequence

from edgewise import BY_TARGET, BY_VALUE, BeginsWith, Between, Query
from edgewise.dynamodb.queries import KeyCondition
from functions.systems.graph import keys
from functions.systems.graph.entity import OUT, Direction, NodeId


def node(of: NodeId) -> Query:
    """A node, then its attributes, then the passes that bring its state to its edges."""
    return Query(keys.node(of), Between(keys.NODE, keys.AFTER_PASSES))


def attributes(of: NodeId) -> Query:
    """A node's attributes alone."""
    return Query(keys.node(of), BeginsWith(keys.ATTRIBUTES))


def edges(of: NodeId, direction: Direction, label: str | None = None) -> Query:
    """The edges that leave a node, or the mirrors of those that point at it; of one label, or all."""
    return Query(keys.node(of), BeginsWith(keys.edges(direction, label)))


def edges_found(of: NodeId, direction: Direction, label: str, condition: KeyCondition) -> Query:
    """A node's edges of a label whose data meet the condition, by what they say."""
    return Query(keys.edges_found(of, direction, label), condition, BY_TARGET)


def neighbourhood(of: NodeId) -> Query:
    """All edges of a node, those that leave it first, and the node itself; strongly consistent."""
    return Query(keys.node(of), Between(keys.edges(OUT, None), keys.NODE), consistent=True)


def degrees(of: NodeId) -> Query:
    """What the states of a node's neighbours come to, then the numbers of its edges, each by direction and label."""
    return Query(keys.node(of), Between(keys.BEFORE_ADJACENT, keys.AFTER_DEGREES))


def degrees_on(of: NodeId, direction: Direction, label: str, first: str, last: str) -> Query:
    """The numbers of a node's edges of a direction and label, day by day, from a first day to a last one."""
    ends = (keys.DEGREE_ON(of, direction, label, day).sk for day in (first, last))
    return Query(keys.node(of), Between(*ends))


def summary_and_degrees(of: NodeId, run: str) -> Query:
    """The summary of a node by this run, and those by later ones that are being stored; then what `degrees` reads."""
    return Query(keys.node(of), Between(keys.SUMMARY(of, run).sk, keys.AFTER_DEGREES))


def by_pagerank(run: str) -> Query:
    """The nodes with the greatest PageRank of a generation, greatest first."""
    return Query(keys.GENERATIONS(run), BeginsWith(keys.BY_PAGERANK), forward=False)


def search(partitions: Sequence[str], condition: KeyCondition) -> Sequence[Query]:
    """The nodes with an attribute whose value meets the condition: one query for each shard of its list."""
    return [Query(partition, condition, BY_VALUE) for partition in partitions]


def with_value(value: Sequence[str]) -> KeyCondition:
    """Exactly this value."""
    return BeginsWith(keys.values_equal(value))


def with_place(components: Sequence[str]) -> KeyCondition:
    """This place or one below."""
    return BeginsWith(keys.values_below(components))


def with_beginning(text: str) -> KeyCondition:
    """Values that begin with this text."""
    return BeginsWith(keys.values_beginning(text))


def with_values_between(low: Sequence[str], high: Sequence[str]) -> KeyCondition:
    """Values from `low` on and before `high`, both optional."""
    return Between(*keys.values_between(low, high))
