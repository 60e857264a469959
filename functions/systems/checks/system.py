"""Checks: runs of the batch side, what each found, and which is running."""

from edgewise import BY_VALUE
from functions.system import ByHand, Rights, System
from functions.systems.checks import codec, keys

SYSTEM = System(
    name="checks",
    rights=Rights(actions=("Query", "GetItem"), reads=(keys.RUNS,), queried={BY_VALUE: (keys.LIST,)}),
    unindexed=("CHECK_DIFFERENCE", "CHECK_LOCK"),
    by_hand=(ByHand("CHECK_RUN", codec.run, codec.run_item),),
    ignored=("CHECK_RUN", "CHECK_DIFFERENCE", "CHECK_LOCK"),
    why={(BY_VALUE, keys.RUNS.name): "all checks of the table by their instant"},
)
