"""Access patterns of rankings and walks."""

from decimal import Decimal
from itertools import chain
from typing import Final

from docs.patterns import example
from docs.patterns.pattern import BatchGet, Read, Write
from edgewise.aggregates.rankings.declaration import RankingId
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.times import from_rfc_3339
from functions.systems.graph import codec as graph_codec
from functions.systems.graph import keys as graph_keys
from functions.systems.graph import patterns as graph_patterns
from functions.systems.graph import summary_codec
from functions.systems.graph.entity import Direction, GraphEdge, Node, NodeId
from functions.systems.graph.summary import Generation, Level, Similar, Summary
from functions.systems.graph.system import DEGREE

KNOWS: Final = "KNOWS"
BELOW: Final = "PARENT_OF"
BOTH: Final[tuple[Direction, ...]] = ("out", "in")
_AMY, _EVE, _SAM, _ZOE = _RING = [NodeId("person", name) for name in ("amy", "eve", "sam", "zoe")]


def _start(node: NodeId) -> dict[str, str]:
    return {"type": node.type, "id": node.id}


def _graph(table: Table) -> None:
    """Each person knows the next, and Zoe knows Amy; Amy is above Eve, and Eve is above Sam."""
    ends = list(zip(_RING, [*_RING[1:], _AMY], strict=True))
    edges = [GraphEdge(one, KNOWS, other, Decimal(1)) for one, other in ends]
    edges += [GraphEdge(one, BELOW, other, Decimal(1)) for one, other in ends[:2]]
    nodes = [graph_codec.node_item(Node(node, version=1)) for node in _RING]
    example.store(table, *nodes, *chain.from_iterable(map(graph_codec.edge_items, edges)))


_FILL: Final = Generation("20180829T114500Z", from_rfc_3339("2018-08-29T11:45:00.000Z"))
_LEVELS = Level(1, False, 4, Decimal(4)), Level(1, False, 3, Decimal(3))


def _filled(table: Table) -> None:
    """The same, with what a fill computed of Amy."""
    _graph(table)
    summary = Summary(_AMY, Decimal("0.25"), _AMY, 4, *_LEVELS, (Similar("person", "sam", 1.82, 2),))
    example.store(
        table,
        summary_codec.generation_item(_FILL),
        summary_codec.summary_item(_FILL, summary),
        summary_codec.ranked_item(_FILL, summary),
    )


def _degrees(*nodes: NodeId, label: str) -> BatchGet:
    return BatchGet([graph_keys.DEGREE(node, direction, label) for node in nodes for direction in BOTH])


def _edges(*nodes: NodeId) -> list[Query]:
    return [graph_patterns.edges(node, direction, KNOWS) for node in nodes for direction in BOTH]


READS = (
    Read(
        "the nodes with the most edges of a label, or with the greatest sum of weights",
        "GET /graph/rankings/{label}",
        {"label": KNOWS},
        {},
        [
            RankingId(DEGREE, (KNOWS, "in"), "count").key,
            BatchGet([graph_keys.DEGREE(node, "in", KNOWS) for node in _RING], consistent=True),
        ],
        units=5.0,
        bound="1, and 1 per 100 nodes that may be among the first (at most 350)",
        given=_graph,
    ),
    Read(
        "the nodes with the greatest PageRank, as of a fill",
        "GET /graph/rankings/{label}",
        {"label": "*"},
        {"measure": "pagerank"},
        [graph_keys.CURRENT, graph_patterns.by_pagerank(_FILL.run)],
        units=1.5,
        bound="1, and 1 per 10 s for which fill is current",
        given=_filled,
    ),
    Read(
        "the nodes that can be reached from a node",
        "GET /graph/nodes/{type}/{id}/traverse",
        _start(_AMY),
        {"depth": "2", "labels": KNOWS},
        [graph_keys.NODE_ITEM(_AMY), *(graph_patterns.edges(node, "out", KNOWS) for node in (_AMY, _EVE))],
        units=2.0,
        bound="1, and 1 per node nearer than depth, direction and label; at most `max_requests`",
        given=_graph,
    ),
    Read(
        "the same where the budget ends: how far a fill saw the node reach",
        "GET /graph/nodes/{type}/{id}/traverse",
        _start(_AMY),
        {"depth": "3", "labels": KNOWS, "max_requests": "2"},
        [
            graph_keys.NODE_ITEM(_AMY),
            graph_patterns.edges(_AMY, "out", KNOWS),
            graph_keys.CURRENT,
            graph_keys.SUMMARY(_AMY, _FILL.run),
        ],
        units=3.5,
        bound="`max_requests`, 1 for the summary, and 1 per 10 s for which fill is current",
        given=_filled,
    ),
    Read(
        "the nodes that have neighbours in common with a node",
        "GET /graph/nodes/{type}/{id}/recommendations",
        _start(_AMY),
        {"label": KNOWS},
        [
            graph_keys.NODE_ITEM(_AMY),
            *_edges(_AMY, _ZOE, _EVE),
            _degrees(_ZOE, _EVE, label=KNOWS),
        ],
        units=6.0,
        bound="1, 1 per direction for it and each neighbour, 1 per 50 neighbours; at most `max_requests`",
        given=_graph,
    ),
    Read(
        "the same where the budget ends: the nodes most similar to it, as of a fill",
        "GET /graph/nodes/{type}/{id}/recommendations",
        _start(_AMY),
        {"label": KNOWS, "max_requests": "1"},
        [graph_keys.NODE_ITEM(_AMY), graph_keys.CURRENT, graph_keys.SUMMARY(_AMY, _FILL.run)],
        units=3.0,
        bound="`max_requests`, 1 for the summary, and 1 per 10 s for which fill is current",
        given=_filled,
    ),
    Read(
        "everything below a node, and the sums of its aggregates",
        "GET /graph/nodes/{type}/{id}/subtree",
        _start(_AMY),
        {},
        [
            graph_keys.NODE_ITEM(_AMY),
            *(graph_patterns.edges(node, "out", BELOW) for node in (_AMY, _EVE)),
            *(_degrees(node, label=BELOW) for node in (_AMY, _EVE, _SAM)),
        ],
        units=4.0,
        bound="1, 1 per 50 nodes of a level, 1 per node with others below; at most `max_requests`",
        given=_graph,
    ),
)

WRITES: tuple[Write, ...] = ()
