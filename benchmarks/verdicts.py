"""How far a method's numbers about a graph are from the truth."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from benchmarks.baselines.increments import COUNT, SUM
from benchmarks.edges import Facts
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.rankings.standings import Top
from edgewise.aggregates.stored import stored_cell
from edgewise.dynamodb.attributes import Item, number, string
from edgewise.dynamodb.keys import prefix
from edgewise.dynamodb.table import Table
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import EDGES, Direction, NodeId
from functions.systems.walks import rankings
from functions.systems.walks.rankings import Measure

EXACT = "exact"
DIRECTIONS: tuple[Direction, ...] = ("out", "in")
MEASURES: tuple[Measure, ...] = ("count", "weight")
_NOTHING = (0, Decimal(0))


@dataclass(frozen=True)
class Errors:
    """How many of the `aggregates` are `wrong`; by how many edges in total, too many or too few."""

    aggregates: int
    wrong: int
    edges: int

    @property
    def text(self) -> str:
        """For a table."""
        return f"{self.wrong / self.aggregates:.1%} wrong, off by {self.edges:,}" if self.wrong else EXACT


def verdict(table: Table, expected: Facts, ranked: str | None) -> str:
    """Compare what a table holds with the recount; also the rankings by this label, if nodes are `ranked`."""
    found = errors(table, expected).text
    return found if ranked is None or found != EXACT else _of_rankings(table, expected, ranked)


def _of_rankings(table: Table, expected: Facts, label: str) -> str:
    wrong = [
        f"{direction} by {measure}"
        for direction in DIRECTIONS
        for position, measure in enumerate(MEASURES)
        if not _is_top(rankings.top(table, label, direction, measure, TOP), expected, direction, position)
    ]
    return f"wrong rankings: {', '.join(wrong)}" if wrong else EXACT


def _is_top(found: Top, expected: Facts, direction: Direction, position: int) -> bool:
    """Whether these are the first: the greatest numbers, each of the node that has it; ties at the end are free."""
    numbers = {graph_keys.ranked_node(each.member): each.number for each in found.standings}
    all_of = {node: facts[position] for (node, way), facts in expected.items() if way == direction}
    greatest = sorted(all_of.values(), reverse=True)[:TOP]
    return (
        found.complete
        and [each.number for each in found.standings] == greatest
        and all(all_of[node] == number for node, number in numbers.items())
        and len(numbers) == len(greatest)
    )


def errors(table: Table, expected: Facts) -> Errors:
    """Compare what a table holds with the recount."""
    found = dict(_kept(table))
    pairs = [(found.get(end, _NOTHING), expected.get(end, _NOTHING)) for end in found.keys() | expected.keys()]
    wrong = [(one, other) for one, other in pairs if one != other]
    return Errors(len(pairs), len(wrong), sum(abs(one[0] - other[0]) for one, other in wrong))


def _kept(table: Table) -> Facts:
    client: Any = table.client
    kept: dict[tuple[NodeId, str], tuple[int, Decimal]] = {}
    for page in client.get_paginator("scan").paginate(TableName=table.name):
        for item in page["Items"]:
            sk = string(item["SK"])
            if sk.startswith(prefix("DEGREE")):
                node, direction, _ = graph_keys.DEGREE.parse(string(item["PK"]), sk)
                kept[node, direction] = _numbers(item)
    return kept


def _numbers(item: Item) -> tuple[int, Decimal]:
    if COUNT in item:
        return int(number(item[COUNT])), number(item[SUM])
    # An emptied aggregate stays for a while, without the cell: it counts no edge.
    cell = stored_cell(item, EDGES) or Cell()
    return cell.count, cell.total
