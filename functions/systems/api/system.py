"""Routes that belong to no other system: the health check and the API's description."""

from functions import rates
from functions.system import Rights, System

SYSTEM = System(
    name="api",
    rights=Rights(),
    # What all callers may take is no system's own.
    ignored=(rates.TYPE,),
    unindexed=(rates.TYPE,),
)
