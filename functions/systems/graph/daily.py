"""Edges by day: what feeds the numbers of a node's edges by the day that their data say, if their label declares it."""

from collections.abc import Iterator
from datetime import date

from edgewise import Fed, Observation
from functions.systems.graph.declared import LABELS
from functions.systems.graph.entity import EDGES, IN, OUT, Direction, GraphEdge, NodeId
from functions.systems.graph.paths import value_in


def of_source(edge: GraphEdge) -> Fed:
    """An edge feeds the numbers of its source's day."""
    yield from _of(edge, edge.source, OUT)


def of_target(edge: GraphEdge) -> Fed:
    """A mirror feeds the numbers of its target's day."""
    yield from _of(edge, edge.target, IN)


def _of(edge: GraphEdge, node: NodeId, direction: Direction) -> Fed:
    for day in _days(edge):
        yield (node, direction, edge.label, day), {EDGES: Observation(amount=edge.weight)}


def _days(edge: GraphEdge) -> Iterator[str]:
    """The day of an edge, if it has one; an edge of before the declaration may say anything there."""
    label = LABELS.get(edge.label)
    if label and label.daily and label.path:
        said = value_in(edge.data, label.path)
        if isinstance(said, str) and _is_day(said):
            yield said


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
