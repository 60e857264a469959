"""What an edge tells of its item."""

from collections.abc import Mapping
from decimal import Decimal

from edgewise.aggregates import edges
from edgewise.aggregates.edges import Edge
from edgewise.aggregates.measures import Observation
from edgewise.dynamodb.attributes import Attribute, Item


def edge_item(cells: Mapping[str, Attribute] | None) -> Item:
    item: Item = {"PK": {"S": "DEVICE#123"}, "SK": {"S": "EDGE#REPORTED_FROM#PLACE#US#New$20York"}}
    return item if cells is None else item | {"Cells": {"M": cells}}


def test_an_edge_counts_what_it_stands_for() -> None:
    target = ("US", "New York")
    spanned = {"Count": {"S": "7 2018-08-29T12:00:00.000Z 2018-08-30T12:00:00.000Z"}}
    assert edges.edge(edge_item(spanned)) == Edge(("123",), target, 7)
    assert edges.edge(edge_item({"Count": {"N": "3"}})) == Edge(("123",), target, 3)
    assert edges.edge(edge_item(None)) is None


def test_an_edge_tells_the_counts_and_sums_of_its_other_cells() -> None:
    cells = {"Count": {"N": "3"}, "Length": {"S": "3 12.5"}, "Seen": {"N": "2"}}
    sums = {"Length": Observation(3, amount=Decimal("12.5")), "Seen": Observation(2, amount=Decimal(0))}
    assert edges.edge(edge_item(cells)) == Edge(("123",), ("US", "New York"), 3, sums)
