"""One hub of the graph: the edges that point at it, and everything that each of them touches."""

from dataclasses import dataclass
from random import Random

from benchmarks.partitions import costs, traffic
from benchmarks.partitions.load import zipf
from benchmarks.partitions.model import LIMITS, Keyspace, point
from benchmarks.partitions.traffic import Counts, Flow, Touch
from edgewise.dynamodb.attributes import key_of
from functions.systems.graph.entity import NodeId

HUBS, LABEL = 100, "LANDED_AT"
# Edges come from many nodes, hardly two from one within a window: batches save no writes of the sources' degrees.
SOURCES = 64
# The edge, its mirror, and the numbers of its source.
UNITS_AN_EDGE = 1 + 1 + 1
# The cascade's batch, as deployed: an end shared by edges of one batch is read once.
CASCADE_BATCH = 10
_ROUNDS = 6  # of splits: enough for 64 partitions out of one
_PART = 10  # seconds between them


@dataclass(frozen=True)
class Hub:
    """The outcome for the hottest hub, at `rate` edges a second.

    `reads`: units a second to check that its node exists. `mirrors`: those of its incoming edges, before and after
    DynamoDB has split what it can. Its numbers are fed by its own partition: one write a batch.
    """

    rate: float
    shards: int
    reads: float
    mirrors: tuple[Counts, Counts]


def simulate(edges: float) -> Hub:
    """Simulate some seconds of a hub, at this rate of edges per second to all hubs together."""
    random, rate, shards = Random(1), edges * zipf(HUBS)[0], shards_at(edges)
    return Hub(
        rate,
        shards,
        reads(edges, zipf(HUBS)[0]),
        _mirrors(rate, random),
    )


def shards_at(edges: float) -> int:
    """How many partitions, and so shards, a table has after growing with this many edges a second."""
    return LIMITS.partitions(edges * UNITS_AN_EDGE)


def reads(edges: float, share: float) -> float:
    """Read units a second of a node with this share of all edges: one per put, and one per batch that contains one."""
    return edges * share + edges / CASCADE_BATCH * (1 - (1 - share) ** CASCADE_BATCH)


def _mirrors(rate: float, random: Random) -> tuple[Counts, Counts]:
    """Mirrors of the hub's edges: one partition key, sorted by their sources."""
    mirror = costs.mirror(NodeId("plane", "N00001"), LABEL, _hub(0))
    units, hub = costs.units(mirror), key_of(mirror).pk
    table = Keyspace(LIMITS.partitions(rate * units))
    touches = [(Touch(table, point(hub, source / SOURCES), units),) for source in range(SOURCES)]
    rounds = []
    for number in range(1 + _ROUNDS):
        flows = [Flow(rate / SOURCES, touch) for touch in touches]
        traffic.run(flows, number * _PART, _PART, random)
        table.split_for_heat(_PART)
        rounds.append(sum((flow.counts for flow in flows), Counts()))
    return rounds[0], rounds[-1]


def _hub(number: int) -> NodeId:
    return NodeId("airport", f"A{number:03}")
