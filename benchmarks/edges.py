"""A stream of graph edges like those of flights: planes that land at airports, few hubs and many leaves."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from decimal import Decimal

from networkx.algorithms import bipartite

from benchmarks.stream import AT, Record
from delivery.clock import Clock
from delivery.stream import Stream
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import GraphEdge, NodeId

EDGES, SHARDS, SEED = 8_000, 4, 2013
PLANES, AIRPORTS = 1_400, 180
# How fast degrees fall with rank. Chosen so that one ADD per aggregate and batch takes 0.49 units at batch 1,000.
ZIPF_OF_PLANES, ZIPF_OF_AIRPORTS = 0.75, 1.0
LABEL = "LANDED_AT"
# Pairs drawn twice are one edge, so more are drawn than needed.
_DRAWN = 11_500
_FARTHEST = 2_500

Facts = Mapping[tuple[NodeId, str], tuple[int, Decimal]]


def edges(count: int = EDGES) -> list[GraphEdge]:
    """The first of the edges in the order in which they are written, always the same ones."""
    rng = random.Random(SEED)
    degrees = _degrees(PLANES, ZIPF_OF_PLANES, rng), _degrees(AIRPORTS, ZIPF_OF_AIRPORTS, rng)
    pairs = sorted(set(bipartite.configuration_model(*degrees, seed=SEED).edges()))
    rng.shuffle(pairs)
    return [_edge(plane, airport - PLANES, rng.randint(1, _FARTHEST)) for plane, airport in pairs[:count]]


def stream(written: Sequence[GraphEdge], *, mirrored: bool, shards: int = SHARDS) -> Stream:
    """The table's stream of these edges, in its shards, dated now: the consumer skips records that are days old.

    `mirrored`: each with its mirror.
    """
    told = Stream(shards=shards, clock=Clock(AT))
    for edge in written:
        for item in graph_codec.edge_items(edge)[: 1 + mirrored]:
            told.record(None, item)
    return told


def shards(told: Stream) -> list[list[Record]]:
    """The records of each shard, as a handler receives them."""
    return [[json.loads(record.wire) for record in shard.records] for shard in told.shards]


def recount(written: Sequence[GraphEdge]) -> Facts:
    """Number and sum of weights of each node's edges in each direction."""
    weights: defaultdict[tuple[NodeId, str], list[Decimal]] = defaultdict(list)
    for edge in written:
        weights[edge.source, "out"].append(edge.weight)
        weights[edge.target, "in"].append(edge.weight)
    return {end: (len(some), sum(some, Decimal(0))) for end, some in weights.items()}


def _degrees(nodes: int, exponent: float, rng: random.Random) -> list[int]:
    drawn = Counter(rng.choices(range(nodes), [rank**-exponent for rank in range(1, nodes + 1)], k=_DRAWN))
    return [drawn[node] for node in range(nodes)]


def _edge(plane: int, airport: int, weight: int) -> GraphEdge:
    return GraphEdge(NodeId("plane", f"N{plane:05}"), LABEL, NodeId("airport", f"A{airport:03}"), Decimal(weight))
