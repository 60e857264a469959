"""Walks over the graph: rankings, traversals, recommendations, sums over all nodes below a node."""

from edgewise import Item
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.dynamodb.attributes import key_of
from functions.system import Live, Rights, System
from functions.systems.graph import keys
from functions.systems.graph.system import DEGREE


def _ranking(label: str, direction: str = "in", measure: str = "count", **_: str) -> str:
    """The rankings of the nodes by their edges; that by PageRank only changes with a fill."""
    declared = DEGREE.ranked
    if declared is None or measure not in declared.measures:
        raise ValueError(f"nothing can be subscribed to by {measure}")
    return keys.rankings(label, direction)


def _ranked_in(item: Item) -> tuple[str]:
    """The rankings that show a node's number of edges."""
    _, direction, label = keys.DEGREE.parse(*key_of(item))
    return (keys.rankings(label, direction),)


def _of_ranking(item: Item) -> tuple[str]:
    """Those of a ranking itself, whatever its measure."""
    return (keys.rankings(*keys.parse_ranking(key_of(item).pk)),)


# The numbers of a ranking are those of its nodes; the ranking itself changes when nodes enter or leave it.
RANKING_CHANGES = Live(_ranking, {DEGREE.name: _ranked_in, RANKING: _of_ranking})

SYSTEM = System(
    name="walks",
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem"),
        reads=(keys.NODES, keys.RANK, keys.CURRENT.pk, keys.GENERATIONS),
    ),
    shown=(DEGREE,),
    live=(RANKING_CHANGES,),
    # A full vCPU: the greatest budget, 1,000 requests, takes almost two seconds of it.
    memory_mb=1769,
)
