"""The proof: the consumer is broken on purpose, and what it counts is recounted meanwhile."""

from functions.system import Rights, System
from functions.systems.proof import codec, keys

_TYPES = (codec.ASKED, codec.DONE, codec.NOTED, codec.PLAIN)

SYSTEM = System(
    name="proof",
    rights=Rights(
        actions=("GetItem", "BatchGetItem", "Query", "PutItem"),
        writes=(keys.PROOF,),
        reads=(keys.WATCHES,),
    ),
    unindexed=_TYPES,
    ignored=_TYPES,
)
