"""What an engine can't index is set aside, so that it holds up nothing else."""

from collections.abc import Callable

from edgewise.observability import logger
from functions.search.engine import Address, Changes


class UnindexableError(Exception):
    """An engine refuses something of what it was told to write; which of it, it may not say."""


def write_what_can_be(write: Callable[[Changes], None], changes: Changes) -> list[Address]:
    """Write changes; returns those of the things that the engine refuses, of which it then knows nothing.

    What it refuses is halved until the thing is found. Raises UnindexableError if it does not even take that one thing
    is gone: then the fault is not the thing's.
    """
    try:
        write(changes)
        return []
    except UnindexableError as error:
        reason = str(error)
    # From here on nothing of the failed attempt is open any more: the error held it.
    if len(changes) > 1:
        some = list(changes.items())
        middle = len(some) // 2
        return [each for half in (some[:middle], some[middle:]) for each in write_what_can_be(write, dict(half))]
    (address,) = changes
    write({address: None})
    logger.error("not indexed", kind=address.kind, key=address.key, reason=reason)
    return [address]
