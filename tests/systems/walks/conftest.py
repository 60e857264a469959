"""Real graphs, loaded through the API and absorbed by the consumer, beside what networkx knows of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import networkx as nx
import pytest

from edgewise.stream import writer
from functions import rates
from functions.handlers import edge_aggregator
from functions.settings import NO_BATCH, ConsumerSettings, RoutesSettings
from tests.support.http import Answer, Client, Context
from tests.support.streams import StreamedMemory, window_event

WRITER, READER = Client(groups=("write",)), Client("bob")
LABEL, RATES = "KNOWS", rates.to_text({rates.EVERYBODY: 50})
PLENTY = {"max_requests": "1000", "max_items": "20000"}

Node = tuple[str, str]


@dataclass(frozen=True)
class Loaded:
    """A graph as networkx has it, nodes renamed to (type, id), and its edges as they were stored, one way each."""

    graph: "nx.Graph[Node]"

    @cached_property
    def directed(self) -> "nx.DiGraph[Node]":
        made: nx.DiGraph[Node] = nx.DiGraph()
        made.add_nodes_from(self.graph)
        made.add_edges_from(self.graph.edges(data=True))
        return made

    def read(self, what: str, node: Node, **query: str) -> Answer:
        answer = READER.call(f"GET /graph/nodes/{{type}}/{{id}}/{what}", query, type=node[0], id=node[1])
        assert answer.status == 200, answer.body
        return answer


def _named(graph: "nx.Graph[Any]") -> "nx.Graph[Node]":
    kinds = nx.get_node_attributes(graph, "bipartite")
    return nx.relabel_nodes(graph, {node: (f"kind {kinds.get(node, 0)}", str(node)) for node in graph})


GRAPHS: dict[str, Callable[[], "nx.Graph[Any]"]] = {
    "karate": nx.karate_club_graph,
    "miserables": nx.les_miserables_graph,
    "florentine": nx.florentine_families_graph,
    "davis": nx.davis_southern_women_graph,
}


@contextmanager
def routes_on(table: StreamedMemory) -> Iterator[pytest.MonkeyPatch]:
    """Routes answer from this table, whatever test runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("functions.web.runtime.table", lambda: table)
        patch.setattr("functions.web.runtime.limits", lambda: RoutesSettings("Memory", "", RATES, "2500"))
        yield patch


def store(graph: "nx.Graph[Node]") -> StreamedMemory:
    """A table with the graph, and all that follows from it."""
    table = StreamedMemory()
    with routes_on(table) as patch:
        patch.setattr(edge_aggregator, "table", lambda: table)
        patch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("Memory", "puts", NO_BATCH))
        patch.setattr(writer, "WRITERS", 1)
        for kind, name in graph:
            _put("/graph/nodes/{type}/{id}", {"attributes": []}, type=kind, id=name)
        for (kind, name), (target_type, target_id), weight in graph.edges(data="weight", default=1):
            ends = {"type": kind, "id": name, "label": LABEL, "target_type": target_type, "target_id": target_id}
            _put("/graph/edges/{type}/{id}/{label}/{target_type}/{target_id}", {"weight": weight}, **ends)
        for shard, records in table.shards.items():
            while records:
                batch, records[:] = list(records), []
                edge_aggregator.handler(window_event(shard, batch), Context())
    return table


def _put(route: str, body: Any, **ids: str) -> None:
    assert WRITER.call(f"PUT {route}", None, body, **ids).status == 200


@pytest.fixture(scope="module", params=GRAPHS)
def loaded(request: pytest.FixtureRequest) -> Iterator[Loaded]:
    """Each graph in turn, and the handlers on a table that holds it."""
    graph = _named(GRAPHS[request.param]())
    with routes_on(store(graph)):
        yield Loaded(graph)
