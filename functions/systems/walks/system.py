"""Walks over the graph: rankings, traversals, recommendations, sums over all nodes below a node."""

from functions.dynamodb.schema import BY_TARGET
from functions.system import Rights, Route, System
from functions.systems.graph import keys
from functions.systems.graph.system import DEGREE

GET_RANKING = Route(
    "GET /graph/rankings/{label}", "The nodes with the most edges of a label, or with the greatest sum of their weights"
)
TRAVERSE = Route("GET /graph/nodes/{type}/{id}/traverse", "The nodes within up to three steps of a node, breadth first")
GET_RECOMMENDATIONS = Route(
    "GET /graph/nodes/{type}/{id}/recommendations",
    "The nodes that share neighbours with a node: common neighbours weighted by 1/log(degree)",
)
GET_SUBTREE = Route("GET /graph/nodes/{type}/{id}/subtree", "The nodes below a node, and the sums of their aggregates")

SYSTEM = System(
    name="walks",
    routes=(
        GET_RANKING,
        TRAVERSE,
        GET_RECOMMENDATIONS,
        GET_SUBTREE,
    ),
    rights=Rights(
        actions=("Query", "GetItem", "BatchGetItem"),
        reads=(keys.NODES, keys.RANK, keys.CURRENT.pk, keys.GENERATIONS),
        queried={BY_TARGET: (keys.NODES,)},
    ),
    shown=(DEGREE,),
    # A full vCPU: the greatest budget, 1,000 requests, takes almost two seconds of it.
    memory_mb=1769,
)
