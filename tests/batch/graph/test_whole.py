"""What is known of a node only by looking at all: ranks and components, beside networkx."""

from functools import partial

import pytest

from batch.graph.components import components
from batch.graph.ranks import arriving, ranks
from tests.batch.graph import expected
from tests.batch.graph.graphs import Known


def test_ranks_are_those_of_networkx(each: Known) -> None:
    graph = each.graph
    found = ranks(graph, partial(arriving, graph.back, graph.nodes))
    # All of them together are off by less than 1e-6.
    told = {graph.names[node]: rank for node, rank in enumerate(found)}
    assert told == pytest.approx(expected.ranks(each), abs=1e-6 / max(len(told), 1), rel=0)


def test_a_component_is_named_by_its_first_node(each: Known) -> None:
    found = components(each.graph)
    names = each.graph.names
    told = {names[node]: (names[first], list(found).count(first)) for node, first in enumerate(found)}
    assert told == expected.components(each)
