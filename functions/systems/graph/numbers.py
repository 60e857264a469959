"""Reads the numbers of a node: those of its edges, which the stream keeps, and its summary, which a fill stored."""

from dataclasses import dataclass

from edgewise import Cell, Item, Millis, Position, Table
from edgewise.aggregates.stored import aggregate
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of
from functions.systems.graph import generations, keys, patterns, summary_codec
from functions.systems.graph.entity import EDGES, Direction, NodeId
from functions.systems.graph.summaries import AsOf
from functions.systems.graph.summary import Summary
from functions.systems.graph.system import DEGREE


@dataclass(frozen=True)
class Degree:
    """A node's edges of one direction and label: how many, their weights' sum, when the stream last changed them."""

    direction: Direction
    label: str
    edges: Cell
    changed_at: Millis


@dataclass(frozen=True)
class Numbers:
    """One page of the numbers of a node's edges, and the next position; the first page also has the node's summary."""

    degrees: list[Degree]
    summary: AsOf | None
    position: Position | None


def numbers(table: Table, of: NodeId, limit: int, after: Position | None) -> Numbers:
    """One page, in one query, and one read of the current generation; empty if nothing is known of the node."""
    generation = generations.current(table) if after is None else None
    if generation is None:
        found, position = pages.listed(table, patterns.degrees(of), limit, after, _degree, bool)
        return Numbers([each for each in found if each], None, position)
    query, own = patterns.summary_and_degrees(of, generation.run), keys.summary(of, generation.run)

    def number(item: Item) -> Degree | Summary | None:
        if not key_of(item).sk.startswith(keys.SUMMARIES):
            return _degree(item)
        summary = summary_codec.summary(item)
        return summary if key_of(item) == own else None  # of a generation that is being stored

    told, position = pages.listed(table, query, limit, None, number, lambda each: isinstance(each, Degree), beside=1)
    summary = next((AsOf(each, generation.at) for each in told if isinstance(each, Summary)), None)
    return Numbers([each for each in told if isinstance(each, Degree)], summary, position)


def _degree(item: Item) -> Degree | None:
    """None if all such edges are gone; the item soon expires."""
    of, direction, label = keys.parse_degree(*key_of(item))
    numbers = aggregate(DEGREE(of, direction, label), item)
    if EDGES not in numbers.cells:
        return None
    changed_at = max(checkpoint.at for checkpoint in numbers.checkpoints.values())
    return Degree(direction, label, numbers.cells[EDGES], changed_at)
