"""Histories of one seed after another, in all processes."""

import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

FIRST_SEED, PROCESSES = 1, 2
T = TypeVar("T")


def lived(history: Callable[[int, int], T], happenings: int) -> Iterator[T]:
    """What a function tells of the histories of all seeds, in order, each of so many happenings.

    Each process begins the next one while the last is being evaluated.
    """
    with ProcessPoolExecutor(PROCESSES, get_context("spawn"), quiet) as pool:
        seeds = count(FIRST_SEED)
        coming = [pool.submit(history, seed, happenings) for seed in islice(seeds, 2 * PROCESSES)]
        try:
            while True:
                yield coming.pop(0).result()
                coming.append(pool.submit(history, next(seeds), happenings))
        finally:
            for each in coming:
                each.cancel()


def told(histories: int) -> str:
    """The seeds of so many histories."""
    return f"seeds {FIRST_SEED} to {FIRST_SEED + histories - 1}"


def quiet() -> None:
    """Keep the consumer of this process from writing logs or metrics."""
    logging.disable(logging.CRITICAL)
    redirect_stdout(Path(os.devnull).open("w")).__enter__()  # noqa: SIM115
