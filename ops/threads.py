"""Threads that send requests in parallel, and stop when one of them fails."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

PARALLEL = 4


@contextmanager
def threads() -> Iterator[ThreadPoolExecutor]:
    """A few threads during a block; if the block fails, work that has not begun is dropped."""
    pool = ThreadPoolExecutor(PARALLEL)
    try:
        yield pool
    except BaseException:  # also on an interrupt
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
