"""Reads the numbers of a node: those of its edges, which the stream keeps, and its summary, which a fill stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from edgewise import Cell, Item, Millis, Position, Query, Table
from edgewise.aggregates import stored
from edgewise.dynamodb import pages
from edgewise.dynamodb.attributes import key_of, string
from functions.systems.graph import generations, keys, patterns, summary_codec
from functions.systems.graph.entity import EDGES, MEASURE, STATE, Direction, NodeId
from functions.systems.graph.summaries import AsOf
from functions.systems.graph.summary import Summary
from functions.systems.graph.system import ADJACENT, DEGREE, DEGREE_ON


@dataclass(frozen=True)
class Degree:
    """A node's edges of one direction and label: how many, their weights' sum, when the stream last changed them."""

    direction: Direction
    label: str
    edges: Cell
    changed_at: Millis


@dataclass(frozen=True)
class Adjacent:
    """A node's neighbours of one direction and label: how many in each state, and what they measure, by name."""

    direction: Direction
    label: str
    states: Mapping[str, int]
    measures: Mapping[str, Cell]
    changed_at: Millis


@dataclass(frozen=True)
class Numbers:
    """One page of the numbers of a node's edges and neighbours, and the next position; the first page has its summary.

    What the neighbours' states come to stands before the numbers of the edges.
    """

    degrees: list[Degree]
    adjacent: list[Adjacent]
    summary: AsOf | None
    position: Position | None


def numbers(table: Table, of: NodeId, limit: int, after: Position | None) -> Numbers:
    """One page, in one query, and one read of the current generation; empty if nothing is known of the node."""
    generation = generations.current(table) if after is None else None
    query = patterns.summary_and_degrees(of, generation.run) if generation else patterns.degrees(of)
    own = keys.SUMMARY(of, generation.run) if generation else None

    def number(item: Item) -> Degree | Adjacent | Summary | None:
        if not key_of(item).sk.startswith(keys.SUMMARIES):
            return _number(item)
        summary = summary_codec.summary(item)
        return summary if key_of(item) == own else None  # of a generation that is being stored

    told, position = pages.listed(table, query, limit, after, number, _counts, beside=1 if generation else 0)
    summary = next((AsOf(each, generation.at) for each in told if isinstance(each, Summary) and generation), None)
    degrees = [each for each in told if isinstance(each, Degree)]
    return Numbers(degrees, [each for each in told if isinstance(each, Adjacent)], summary, position)


@dataclass(frozen=True)
class Daily:
    """A node's edges of one direction, label and day."""

    day: str
    edges: Cell
    changed_at: Millis


def days(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Daily], Position | None]:
    """One page of days with edges, the earliest first, in one query; and the next position."""
    found, position = pages.listed(table, query, limit, after, _daily, lambda each: each is not None)
    return [each for each in found if each], position


def _daily(item: Item) -> Daily | None:
    """None if nothing is counted any more; the item soon expires."""
    about = DEGREE_ON.key.parse(*key_of(item))
    numbers = stored.aggregate(DEGREE_ON(*about), item)
    if not numbers.cells:
        return None
    return Daily(about[-1], numbers.cells[EDGES], max(each.at for each in numbers.checkpoints.values()))


def _counts(found: Degree | Adjacent | Summary | None) -> bool:
    return isinstance(found, Degree | Adjacent)


def _number(item: Item) -> Degree | Adjacent | None:
    """None if nothing is counted any more; the item soon expires."""
    of_edges = string(item["Type"]) == DEGREE.name
    kind = DEGREE if of_edges else ADJACENT
    about = kind.key.parse(*key_of(item))
    numbers = stored.aggregate(kind(*about), item)
    if not numbers.cells:
        return None
    _, direction, label = about
    changed_at = max(checkpoint.at for checkpoint in numbers.checkpoints.values())
    if of_edges:
        return Degree(direction, label, numbers.cells[EDGES], changed_at)
    states = {name: cell.count for name, cell in _named(STATE, numbers.cells)}
    return Adjacent(direction, label, states, dict(_named(MEASURE, numbers.cells)), changed_at)


def _named(prefix: str, cells: Mapping[str, Cell]) -> Iterator[tuple[str, Cell]]:
    return ((name.removeprefix(prefix), cell) for name, cell in sorted(cells.items()) if name.startswith(prefix))
