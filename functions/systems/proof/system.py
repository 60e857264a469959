"""The proof: the consumer is broken on purpose, and what it counts is recounted meanwhile."""

from functions.system import Rights, System
from functions.systems.proof import codec

_TYPES = (codec.ASKED, codec.DONE, codec.NOTED, codec.PLAIN)

SYSTEM = System(
    name="proof",
    # It reads numbers of all systems: the rights follow from those (infra/rights.py).
    rights=Rights(),
    unindexed=_TYPES,
    ignored=_TYPES,
    # A run in memory takes seconds of a whole vCPU.
    memory_mb=1769,
)
