"""The graph: edges come, change their weight, go; some lead back to their node, some run beside others."""

from collections import defaultdict
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from functions.domain.graph import GraphEdge, NodeId
from functions.store.attributes import Item
from functions.store.codec.graph import edge_item
from tests.delivery.stories.story import Source, Story

Fact = tuple[str, str, str, Decimal]


def _source(source: str, label: str, target: str, weight: Decimal) -> Source:
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
    """How many edges, sum of weights, and the number by which the index ranks."""
    found = {}
    for item in items:
        kind = item["Type"]["S"]
        if kind in ("DEGREE", "STRENGTH") and "Cells" in item:
            node, (_, direction, label) = item["PK"]["S"].split("#")[2], item["SK"]["S"].split("#")
            ranking = ["RANK", label, direction, {"DEGREE": "count", "STRENGTH": "weight"}[kind]]
            assert item["GSI3PK"]["S"].split("#")[:4] == ranking
            cell = _count_and_sum(item["Cells"]["M"]["Edges"])
            found[kind, node, direction, label] = (*cell, Decimal(item["GSI3SK"]["N"]))
    return found


def _count_and_sum(cell: Any) -> tuple[int, Decimal]:
    if "N" in cell:
        return int(cell["N"]), Decimal(0)
    count, total = cell["S"].split(" ")
    return int(count), Decimal(total)


STORY = Story(
    "graph",
    st.builds(
        _source,
        source=st.sampled_from(("amy", "bob", "cyd")),
        label=st.sampled_from(("KNOWS", "LIKES")),
        target=st.sampled_from(("amy", "bob", "cyd")),
        weight=st.decimals(min_value=-5, max_value=5, places=2),
    ),
    _recount,
    _actual,
)
