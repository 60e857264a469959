"""Waits until everything that was written to a local cloud is absorbed, with all that follows from it."""

from collections.abc import Callable
from functools import partial

from edgewise.freshness.hops import ways
from functions.catalog import CATALOG
from local.stream import running
from ops.local_cloud import Cloud
from ops.processes import wait_until

# Seconds without any progress.
PATIENCE = 600
# The most hops of a change on its way to an aggregate, each a pass through the stream, and one that changes nothing.
PASSES = 1 + max(len(way) for kind in CATALOG.kinds.values() for way in ways(kind))


def drain(cloud: Cloud, passed: Callable[[int], None] = lambda _: None) -> None:
    """Wait until all that was written so far, and what follows from it, is in its aggregates; raises NotReadyError.

    Calls `passed` after each pass. When all records up to the last one are delivered to all readers, and their windows
    have ended, what follows from them is in the stream too: the next pass waits for that. It is the last one if nothing
    came meanwhile. Others may write meanwhile: so there are no more passes than there are hops.
    """
    upto = running.news(cloud)
    for _ in range(PASSES):
        done, left = partial(running.is_done, cloud, upto), partial(running.left, cloud)
        wait_until(done, PATIENCE, "the delivery of the local stream", left)
        passed(1)
        before, upto = upto, running.news(cloud)
        if upto == before:
            return
