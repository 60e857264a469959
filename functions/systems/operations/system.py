"""Operations: what the whole application does, what the table holds, and how a number came about."""

from functions.derived import in_no_index
from functions.stream import incomplete
from functions.system import Rights, Route, System

GET_OVERVIEW = Route("GET /overview", "What the application does: what flows, how fresh numbers are, what it costs")
GET_KINDS = Route("GET /aggregates/kinds", "All kinds of aggregates, and what names an aggregate of each")
GET_INCOMPLETE = Route(
    "GET /aggregates/incomplete",
    "The aggregates that are known to lack something, the oldest note first",
    group="admin",
)
GET_AGGREGATE = Route(
    "GET /aggregates", "One aggregate opened up: its cells, how far it has absorbed each shard, what waits for it"
)
COUNT_AGGREGATE = Route(
    "POST /aggregates/count",
    "Count an aggregate anew from its stored sources, and those below it; the cursor of an answer goes on with it",
    group="admin",
)

GET_TABLE = Route("GET /table", "How everything lies in the one table: partitions, items, indexes", group="admin")
GET_PARTITION = Route(
    "GET /table/partition",
    "The items of a partition by sort key, with their entries in the indexes",
    group="admin",
)
GET_INDEX = Route("GET /table/index", "The entries of a partition of an index by its sort key", group="admin")

SYSTEM = System(
    name="operations",
    routes=(
        GET_OVERVIEW,
        GET_KINDS,
        GET_INCOMPLETE,
        GET_AGGREGATE,
        COUNT_AGGREGATE,
        GET_TABLE,
        GET_PARTITION,
        GET_INDEX,
    ),
    # Every number takes its sources from elsewhere: the rights follow from those of all systems (infra/rights.py).
    rights=Rights(),
    anew={"INCOMPLETE": incomplete.listed_anew, "LIST_SHARDS": in_no_index},
    unjudged={
        "INCOMPLETE": "whether the aggregate still lacks something: `make redrive` clears its note",
    },
)
