"""Operations: what the whole application does, what the table holds, and how a number came about."""

from edgewise.stream import incomplete
from functions.system import Rights, System

SYSTEM = System(
    name="operations",
    # Every number takes its sources from elsewhere: the rights follow from those of all systems (infra/rights.py).
    rights=Rights(),
    unindexed=("LIST_SHARDS",),
    anew={"INCOMPLETE": incomplete.listed_anew},
    unjudged={
        "INCOMPLETE": "whether the aggregate still lacks something: `make redrive` clears its note",
    },
)
