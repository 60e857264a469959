"""Recounts with networkx what the graph of flights should say: degrees, the states of neighbours, derived states."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

import networkx as nx

from demo.flights import AIRPORT, CARRIER, FLOWN_BY, ROUTE, SERVES, Flights, Node
from ops.recounting.facts import Facts, Name

IN, OUT = "in", "out"


def concerned(of: Flights, changed: Flights) -> Facts:
    """The numbers of the graph that somebody who has changed so much of it may have changed, without values."""
    graph: nx.DiGraph[Node] = nx.DiGraph((edge.source, edge.target) for edge in (*of.edges, *changed.edges))
    begun = {(AIRPORT, code) for code in changed.airports}
    begun |= {node for edge in changed.edges for node in (edge.source, edge.target)}
    reached = begun.union(*(nx.descendants(graph, node) for node in begun if node in graph))
    named = {Name("STATE", (node,)) for node in reached}
    named |= {Name("ADJACENT", (edge.target, IN, edge.label)) for edge in of.edges if edge.target in reached}
    for edge in changed.edges:
        named |= {Name("DEGREE", (edge.source, OUT, edge.label)), Name("DEGREE", (edge.target, IN, edge.label))}
    return {name: {} for name in named}


class Known(NamedTuple):
    """How a node is."""

    state: str
    measures: Mapping[str, int]


def recount(of: Flights) -> Facts:
    """The numbers of each node's edges and neighbours, and its state."""
    graph: nx.DiGraph[Node] = nx.DiGraph()
    graph.add_edges_from((edge.source, edge.target, {"label": edge.label}) for edge in of.edges)
    known = {(AIRPORT, code): Known(each.state, {"cancelled": each.cancelled}) for code, each in of.airports.items()}
    facts: Facts = {}
    for node in nx.topological_sort(graph):  # airports, routes, carriers
        before = [known[each] for each in graph.predecessors(node)]
        if before:
            known[node] = _derived(node, before)
            facts[Name("ADJACENT", (node, IN, SERVES if node[0] == ROUTE else FLOWN_BY))] = _together(before)
        facts |= _degrees(graph, node)
        facts[Name("STATE", (node,))] = {"nodes": 1, **known[node].measures, "state": known[node].state}
    return facts


def _derived(of: Node, before: list[Known]) -> Known:
    states = Counter(each.state for each in before)
    if of[0] == ROUTE:
        state = next((each for each in ("closed", "disrupted") if states[each]), "open")
        return Known(state, {"airports_closed": states["closed"], "cancelled": _sum(before, "cancelled")})
    assert of[0] == CARRIER
    measures = {"airports_closed": _sum(before, "airports_closed")}
    if Fraction(states["closed"], len(before)) >= Fraction(1, 2):
        return Known("closed", measures)
    hurt = Fraction(len(before) - states["open"], len(before))
    return Known("disrupted" if hurt >= Fraction(1, 4) else "open", measures)


def _together(before: list[Known]) -> dict[str, object]:
    sums = {name: _sum(before, name) for name in sorted({name for each in before for name in each.measures})}
    return {"neighbours": len(before), "states": dict(Counter(each.state for each in before)), "sums": sums}


def _degrees(graph: "nx.DiGraph[Node]", node: Node) -> Facts:
    labelled = [(IN, data["label"]) for *_, data in graph.in_edges(node, data=True)]
    labelled += [(OUT, data["label"]) for *_, data in graph.out_edges(node, data=True)]
    return {
        Name("DEGREE", (node, direction, label)): {"edges": number, "weight": number}
        for (direction, label), number in Counter(labelled).items()
    }


def _sum(of: list[Known], name: str) -> int:
    return sum(each.measures[name] for each in of)
