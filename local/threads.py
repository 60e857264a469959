"""Threads that send requests side by side, and stop where one of them fails."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

PARALLEL = 4


@contextmanager
def threads() -> Iterator[ThreadPoolExecutor]:
    """A few threads for the length of a block; when it fails, what has not been begun is dropped."""
    pool = ThreadPoolExecutor(PARALLEL)
    try:
        yield pool
    except BaseException:  # also when it is interrupted
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
