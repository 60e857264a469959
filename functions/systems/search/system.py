"""Search: messages, documents, orders, nodes, devices, places by their words (docs/search.md)."""

from functions.search import withdrawals
from functions.system import Rights, System

# What it reads of all that people can find follows from the systems that declare it (infra/rights.py).
# A full vCPU: whoever types waits for each search.
SYSTEM = System(
    name="search",
    rights=Rights(),
    memory_mb=1769,
    unindexed=(withdrawals.TYPE,),
    # The stream's first reader; the second one hints at them.
    ignored=(withdrawals.TYPE,),
    private=(withdrawals.WITHDRAWN,),
)
