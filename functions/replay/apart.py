"""A run takes place apart from the world: time passes and chance decides as it says, and its stream is the only one.

While a run has its surroundings, nothing else may go on in the process: so it has a process of its own
(functions/systems/proof/replaying.py).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from delivery import Reads
from edgewise import surroundings
from functions.replay.run import Run


@contextmanager
def apart(run: Run, chance: Random) -> Iterator[None]:
    """While the block runs, the process has the time of this run. Nothing runs beside it, so the order is the same."""
    reads = Reads(run.stream)
    with surroundings.replaced(surroundings.in_turn(lambda: run.now, run.wait, chance, lambda: reads)):
        yield
