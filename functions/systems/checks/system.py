"""Checks: runs of the batch side, what each found, and which is running."""

from functions.derived import anew, in_no_index
from functions.dynamodb.schema import BY_VALUE
from functions.system import Rights, Route, System
from functions.systems.checks import codec, keys

GET_CHECKS = Route("GET /checks", "All checks of the whole table, the newest first", group="admin")
GET_CHECK = Route("GET /checks/{run}", "One check: what it counted, and how many aggregates differ", group="admin")
GET_DIFFERENCES = Route(
    "GET /checks/{run}/differences",
    "What differs from what it is counted or derived from, the causes first, and what can't be read",
    group="admin",
)

SYSTEM = System(
    name="checks",
    routes=(GET_CHECKS, GET_CHECK, GET_DIFFERENCES),
    rights=Rights(actions=("Query", "GetItem"), reads=(keys.RUNS,), queried={BY_VALUE: (keys.LIST,)}),
    anew={
        "CHECK_RUN": anew(codec.run, codec.run_item),
        "CHECK_DIFFERENCE": in_no_index,
        "CHECK_LOCK": in_no_index,
    },
    ignored=("CHECK_RUN", "CHECK_DIFFERENCE", "CHECK_LOCK"),
)
