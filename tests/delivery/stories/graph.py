"""The graph: edges come, change their weight, go; some lead back to their node, some run beside others.

Edges and mirrors come and go each by themselves: for what counts them they are unrelated.
"""

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal
from random import Random
from typing import Any

from edgewise.aggregates.rankings.standings import Top
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from functions.systems.graph.codec import edge_items
from functions.systems.graph.entity import Direction, GraphEdge, NodeId
from functions.systems.graph.keys import ranked_node
from functions.systems.walks import rankings
from functions.systems.walks.rankings import Measure
from tests.delivery.stories.story import Numbers, Rankings, Source, Story, count_and_sum, decimal, ranked

# A node, the direction and label of an edge of its, and that edge's weight.
Fact = tuple[str, Direction, str, Decimal]


NODES, LABELS = ("amy", "bob", "cyd"), ("KNOWS", "LIKES")
DIRECTIONS: tuple[Direction, ...] = ("out", "in")
MEASURES: tuple[Measure, ...] = ("count", "weight")
LIMIT = 100


def _source(random: Random) -> Source:
    source, label, target = random.choice(NODES), random.choice(LABELS), random.choice(NODES)
    weight = decimal(random, 2)
    return random.choice(sources(source, label, target, weight))


def sources(source: str, label: str, target: str, weight: Decimal) -> tuple[Source, Source]:
    """An edge and its mirror, each with what it says of one node."""
    edge, mirror = edge_items(GraphEdge(NodeId("person", source), label, NodeId("person", target), weight))
    return Source(edge, (source, "out", label, weight)), Source(mirror, (target, "in", label, weight))


def facts(edges: Iterable[tuple[str, str, str, Decimal]]) -> list[Fact]:
    """What edges and their mirrors say."""
    return [source.fact for edge in edges for source in sources(*edge)]


def _recount(facts: list[Fact]) -> dict[Any, Any]:
    weights: defaultdict[Any, list[Decimal]] = defaultdict(list)
    for node, direction, label, weight in facts:
        weights[node, direction, label].append(weight)
    degrees = {about: (len(found), sum(found)) for about, found in weights.items()}
    return dict(degrees)


def _actual(items: list[Item]) -> dict[Any, Any]:
    """How many edges, and the sum of their weights."""
    found: dict[Any, Any] = {}
    for item in items:
        if item["Type"]["S"] == "DEGREE" and "Cells" in item:
            node, (_, direction, label) = item["PK"]["S"].split("#")[2], item["SK"]["S"].split("#")
            found[node, direction, label] = count_and_sum(item["Cells"]["M"]["Edges"])
    return found


def _read(table: Table) -> Numbers:
    """Every ranking by both measures, each with its ranks."""
    return {
        (label, direction, measure): _with_ranks(rankings.top(table, label, direction, measure, LIMIT))
        for label in LABELS
        for direction in DIRECTIONS
        for measure in MEASURES
    }


def _with_ranks(found: Top) -> list[Any]:
    assert found.complete, "all deliveries are over, so are all refills"
    return ranked((each.number, (each.rank, ranked_node(each.member).id)) for each in found.standings)


def _sort(facts: list[Fact]) -> Numbers:
    """The rank of a node is one more than how many have a greater number."""
    degrees = _recount(facts)
    lists: Numbers = {}
    for label in LABELS:
        for direction in DIRECTIONS:
            for position, measure in enumerate(MEASURES):
                ends = {name: degrees.get((name, direction, label)) for name in NODES}
                numbers = {name: degree[position] for name, degree in ends.items() if degree}
                ranks = {name: 1 + sum(other > own for other in numbers.values()) for name, own in numbers.items()}
                best_first = sorted(numbers, key=lambda name: numbers[name], reverse=True)
                lists[label, direction, measure] = ranked((numbers[name], (ranks[name], name)) for name in best_first)
    return lists


STORY = Story("graph", _source, _recount, _actual, Rankings(_read, _sort))
