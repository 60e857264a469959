"""How a function starts on Lambda: what it does between being loaded and its first invocation.

Imports create 70,000 to 100,000 objects, and nearly all stay. Python's collector scans them again and again, which
takes 40 ms of CPU in a function with routes and 13 in the consumer. So it rests until a handler's module is complete.
"""

import gc
from collections.abc import Callable

from functions.settings import from_snapshot, on_lambda

# Few enough to fit into the memory of any function, should all of them be in cycles.
NEW_OBJECTS = 50_000


def begin() -> None:
    """Called by the package `functions` itself, before anything else is imported."""
    if on_lambda():
        gc.disable()


def finish(create: Callable[[], object]) -> None:
    """Called by each handler's module as its last step; creates on Lambda what every invocation needs.

    The init phase has more CPU than the invocations of a small function, and clients are slow to create.
    """
    if on_lambda():
        if from_snapshot():
            _once_restored(create)
        else:
            create()
        gc.freeze()  # what was imported stays, so no collection need ever scan it
        seldom()
        gc.enable()


def seldom() -> None:
    """Let the collector look for cycles once in so many new objects: nearly all go without it, when they are not used.

    As often as is usual, once in 700, it looks at the objects of a batch again and again.
    """
    gc.set_threshold(NEW_OBJECTS)


def _once_restored(create: Callable[[], object]) -> None:
    """Environments share a snapshot: each gets random numbers, credentials and connections of its own afterwards."""
    import random

    from snapshot_restore_py import register_after_restore  # part of Lambda's runtimes

    register_after_restore(random.seed)
    register_after_restore(create)
