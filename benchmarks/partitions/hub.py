"""One hub of the graph: the edges that point at it, and everything that each of them touches."""

import math
from collections import defaultdict
from dataclasses import dataclass
from random import Random

from benchmarks.partitions import costs, traffic
from benchmarks.partitions.contention import HotItem
from benchmarks.partitions.load import zipf
from benchmarks.partitions.model import LIMITS, Bucket, Keyspace, point
from benchmarks.partitions.summaries import Outcome, written
from benchmarks.partitions.traffic import Counts, Flow, Touch
from functions.dynamodb import keys
from functions.dynamodb.attributes import Item, string
from functions.dynamodb.schema import BY_NUMBER, BY_TARGET, Index
from functions.systems.graph import keys as graph_keys
from functions.systems.graph.entity import EDGES, NodeId
from functions.systems.graph.system import DEGREE

HUBS, LABEL = 100, "LANDED_AT"
# Edges come from many nodes, hardly twice from one within a window: no batch saves writes of the sources' degrees.
SOURCES = 64
# An entry whose number changes is removed and added.
MOVED = 2
# Of the table itself: the edge, then two degrees at its source.
UNITS_AN_EDGE = 1 + 2
# Of the cascade, as deployed: edges of one batch read an end that they share once.
CASCADE_BATCH = 10
_ROUNDS = 6  # of splits: enough for 64 partitions out of one
_PART = 10  # seconds between them


@dataclass(frozen=True)
class Hub:
    """How the hottest hub came through, `rate` edges a second.

    `reads`: units a second to look whether its node is there. `entries`: those of its incoming edges in the index by
    target, before and after DynamoDB has split what it can. `degrees`: its two summaries. `ranked`: units a second of
    the hottest partition key in the rankings.
    """

    rate: float
    shards: int
    reads: float
    entries: tuple[Counts, Counts]
    degrees: Outcome
    ranked: float


def simulate(edges: float, freshness: int = 1) -> Hub:
    """Some seconds of a hub, when so many edges a second are put to all of them."""
    random, rate, shards = Random(1), edges * zipf(HUBS)[0], shards_at(edges)
    return Hub(
        rate,
        shards,
        reads(edges, zipf(HUBS)[0]),
        _entries(rate, random),
        _degrees(shards, rate, freshness, random),
        ranked(edges, shards, freshness, graph_keys.RANKING_SHARDS),
    )


def shards_at(edges: float) -> int:
    """How many partitions, and so shards, a table has that has grown with so many edges a second."""
    return LIMITS.partitions(edges * UNITS_AN_EDGE)


def reads(edges: float, share: float) -> float:
    """Read units a second of a node with this share of all edges: for each put, and each batch with one of them."""
    return edges * share + edges / CASCADE_BATCH * (1 - (1 - share) ** CASCADE_BATCH)


def ranked(edges: float, shards: int, freshness: int, lists: int) -> float:
    """Units a second of the hottest key of a ranking: by outgoing edges all sources move, by incoming ones the hubs."""
    moves: defaultdict[int, float] = defaultdict(float)
    for hub, share in enumerate(zipf(HUBS)):
        in_a_window = edges * share * freshness / shards
        moves[int(keys.digest(*_hub(hub)), 16) % lists] += shards * -math.expm1(-in_a_window) / freshness
    return MOVED * _entry(BY_NUMBER, _degree(shards)) * max(edges / lists, *moves.values())


def shards_needed(edges: float, freshness: int = 1) -> int:
    """The smallest power of two of ranking shards at which none is asked for more than a partition serves."""
    lists = 1
    while ranked(edges, shards_at(edges), freshness, lists) > LIMITS.write_units:
        lists *= 2
    return lists


def _entries(rate: float, random: Random) -> tuple[Counts, Counts]:
    """Entries in the index by target: one partition key, sorted by where the edges come from."""
    edge = costs.edge(NodeId("plane", "N00001"), LABEL, _hub(0))
    units, hub = _entry(BY_TARGET, edge), string(edge[BY_TARGET.partition_key])
    index = Keyspace(LIMITS.partitions(rate * units))
    touches = [(Touch(index, point(hub, source / SOURCES), units),) for source in range(SOURCES)]
    rounds = []
    for number in range(1 + _ROUNDS):
        flows = [Flow(rate / SOURCES, touch) for touch in touches]
        traffic.run(flows, number * _PART, _PART, random)
        index.split_for_heat(_PART)
        rounds.append(sum((flow.counts for flow in flows), Counts()))
    return rounds[0], rounds[-1]


def _degrees(shards: int, rate: float, freshness: int, random: Random) -> Outcome:
    """Its two summaries, which share its partition; shards without an edge in a window write nothing."""
    busy = min(shards, math.ceil(rate * freshness))
    bucket, item = Bucket(), _degree(shards)
    # The index moves an entry with each write: a partition of it has to take twice what the summaries take.
    units = max(costs.units(item), MOVED * _entry(BY_NUMBER, item))
    pair = [HotItem(bucket, units, busy), HotItem(bucket, units, busy)]
    return written([pair], rate / busy, freshness, random)


def _hub(number: int) -> NodeId:
    return NodeId("airport", f"A{number:03}")


def _degree(shards: int) -> Item:
    return costs.aggregate(DEGREE(_hub(0), "in", LABEL), (EDGES,), shards)


def _entry(index: Index, item: Item) -> int:
    return costs.entry_units(item, index)
