"""Checks: runs of the batch side, what each found, and which is running."""

from edgewise import BY_VALUE
from edgewise.derived import anew
from functions.system import Rights, System
from functions.systems.checks import codec, keys

SYSTEM = System(
    name="checks",
    rights=Rights(actions=("Query", "GetItem"), reads=(keys.RUNS,), queried={BY_VALUE: (keys.LIST,)}),
    unindexed=("CHECK_DIFFERENCE", "CHECK_LOCK"),
    anew={"CHECK_RUN": anew(codec.run, codec.run_item)},
    ignored=("CHECK_RUN", "CHECK_DIFFERENCE", "CHECK_LOCK"),
    why={(BY_VALUE, keys.RUNS.name): "all checks of the table by their instant"},
)
