"""Graphs that ship with networkx, as the edges that a table would hold, and what networkx makes of those."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import networkx as nx

from batch.graph.skeleton import Graph, Row, units
from functions.systems.graph import keys
from functions.systems.graph.entity import GraphEdge, NodeId

AWKWARD = ('a,"b"', "new\nline", "é\u2028\U0001f600", "#$", " ", "a", "A", "~", "'", "\\")


@dataclass(frozen=True)
class Known:
    """Some nodes and edges, and the multigraph that they are."""

    nodes: Sequence[NodeId]
    edges: Sequence[GraphEdge]

    @cached_property
    def expected(self) -> "nx.MultiDiGraph[NodeId]":
        made: nx.MultiDiGraph[NodeId] = nx.MultiDiGraph()
        made.add_nodes_from(self.nodes)
        for edge in self.edges:
            made.add_edge(edge.source, edge.target, edge.label, weight=edge.weight)
        return made

    @cached_property
    def graph(self) -> Graph:
        """As the job has it."""
        named = sorted(self.expected)
        number = {name: at for at, name in enumerate(named)}
        made = Graph()
        for name in named:
            leaving = [edge for edge in self.edges if edge.source == name]
            coming = [edge for edge in self.edges if edge.target == name]
            out = sorted(number[edge.target] for edge in leaving)
            back = sorted(number[edge.source] for edge in coming)
            made.append(Row(keys.node(name), out, back, sum(units(edge.weight) for edge in (*leaving, *coming))))
        return made


def known(graph: "nx.Graph[Any]", extra: Iterable[tuple[Any, str, Any, str]] = ()) -> Known:
    """The graph, its nodes renamed, with some more edges."""
    named = {node: NodeId(f"kind {len(str(node)) % 3}", str(node)) for node in graph}
    edges = [
        GraphEdge(named[one], "KNOWS", named[other], Decimal(str(weight)))
        for one, other, weight in graph.edges(data="weight", default=1)
    ]
    edges += [GraphEdge(named[one], label, named[other], Decimal(weight)) for one, label, other, weight in extra]
    return Known(list(named.values()), edges)


def awkward() -> Known:
    """Directed, with parallel edges, loops, a node without edges, great and negative weights, and awkward names."""
    dice = random.Random(7)
    graph: nx.Graph[Any] = nx.gnp_random_graph(40, 0.04, seed=7, directed=True)
    graph = nx.relabel_nodes(graph, dict(enumerate(AWKWARD)))
    graph.add_node("alone")
    nodes = [node for node in graph if node != "alone"]
    weights = ("9999999999999.999999999999999999", "-0.000000000000000001", "-5", "1E+3", "0")
    extra = {(dice.choice(nodes), dice.choice("AB"), dice.choice(nodes)) for _ in range(30)}
    extra |= {(node, "SELF", node) for node in nodes[:3]}
    return known(graph, [(*edge, dice.choice(weights)) for edge in sorted(extra, key=str)])


GRAPHS = {
    "karate": known(nx.karate_club_graph()),
    "miserables": known(nx.les_miserables_graph()),
    "florentine": known(nx.florentine_families_graph()),
    "awkward": awkward(),
    "path": known(nx.path_graph(7, create_using=nx.DiGraph)),
    "empty": Known([], []),
}
