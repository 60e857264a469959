"""The graph: edges come, change their weight, go; some lead back to their node, some run beside others."""

from collections import defaultdict
from decimal import Decimal
from random import Random
from typing import Any

from functions.dynamodb.attributes import Item
from functions.dynamodb.table import Table
from functions.systems.graph.codec import edge_item
from functions.systems.graph.entity import Direction, GraphEdge, NodeId
from functions.systems.walks import rankings
from functions.systems.walks.patterns import Measure
from tests.delivery.stories.story import Numbers, Rankings, Source, Story, count_and_sum, decimal, ranked

Fact = tuple[str, str, str, Decimal]


NODES, LABELS = ("amy", "bob", "cyd"), ("KNOWS", "LIKES")
DIRECTIONS: tuple[Direction, ...] = ("out", "in")
MEASURES: tuple[Measure, ...] = ("count", "weight")
LIMIT = 100


def _source(random: Random) -> Source:
    source, label, target = random.choice(NODES), random.choice(LABELS), random.choice(NODES)
    weight = decimal(random, 2)
    edge = GraphEdge(NodeId("person", source), label, NodeId("person", target), weight)
    return Source(edge_item(edge), (source, label, target, weight))


def _recount(facts: list[Fact]) -> dict[Any, Any]:
    weights: defaultdict[Any, list[Decimal]] = defaultdict(list)
    for source, label, target, weight in facts:
        weights[source, "out", label].append(weight)
        weights[target, "in", label].append(weight)
    degrees = {about: (len(found), sum(found)) for about, found in weights.items()}
    numbers = {("DEGREE", *about): (*degree, degree[0]) for about, degree in degrees.items()}
    return numbers | {("STRENGTH", *about): (*degree, degree[1]) for about, degree in degrees.items()}


def _actual(items: list[Item]) -> dict[Any, Any]:
    """How many edges, sum of weights, and the number by which the index ranks (None: it does not)."""
    found: dict[Any, Any] = {}
    for item in items:
        kind = item["Type"]["S"]
        if kind in ("DEGREE", "STRENGTH") and "Cells" in item:
            node, (_, direction, label) = item["PK"]["S"].split("#")[2], item["SK"]["S"].split("#")
            ranking = ["RANK", label, direction, {"DEGREE": "count", "STRENGTH": "weight"}[kind]]
            is_ranked = "GSI3PK" in item and item["GSI3PK"]["S"].split("#")[:4] == ranking
            rank = Decimal(item["GSI3SK"]["N"]) if is_ranked else None
            found[kind, node, direction, label] = (*count_and_sum(item["Cells"]["M"]["Edges"]), rank)
    return found


def _read(table: Table) -> Numbers:
    """Every ranking by both measures, each with its ranks."""
    return {
        (label, direction, measure): _with_ranks(rankings.top(table, label, direction, measure, LIMIT))
        for label in LABELS
        for direction in DIRECTIONS
        for measure in MEASURES
    }


def _with_ranks(found: list[rankings.Ranked]) -> list[Any]:
    return ranked((each.number, (each.rank, each.node.id)) for each in found)


def _sort(facts: list[Fact]) -> Numbers:
    """The rank of a node is one more than how many have a greater number."""
    degrees = _recount(facts)
    lists: Numbers = {}
    for label in LABELS:
        for direction in DIRECTIONS:
            for position, measure in enumerate(MEASURES):
                ends = {name: degrees.get(("DEGREE", name, direction, label)) for name in NODES}
                numbers = {name: degree[position] for name, degree in ends.items() if degree}
                ranks = {name: 1 + sum(other > own for other in numbers.values()) for name, own in numbers.items()}
                best_first = sorted(numbers, key=lambda name: numbers[name], reverse=True)
                lists[label, direction, measure] = ranked((numbers[name], (ranks[name], name)) for name in best_first)
    return lists


STORY = Story("graph", _source, _recount, _actual, Rankings(_read, _sort))
