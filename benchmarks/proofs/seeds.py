"""Histories of one seed after another, in all processes."""

import logging
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from itertools import count, islice
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

FIRST_SEED, PROCESSES = 1, 2
T = TypeVar("T")


@dataclass(frozen=True)
class Outcome:
    """How one seed's history ended: what was said that is not so, and what came again without an end."""

    seed: int
    wrong: str = field(default="", kw_only=True)
    endless: str = field(default="", kw_only=True)

    @property
    def failed(self) -> bool:
        """Whether it shows something that must not happen."""
        return bool(self.wrong or self.endless)


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


def failures(found: Iterable[Outcome]) -> list[tuple[str, str]]:
    """The rows of a table on what must not happen: of each kind, the first of these histories that shows it."""
    wrong = [f"FAILED, seed {each.seed}: {each.wrong}" for each in found if each.wrong]
    endless = [f"FAILED, seed {each.seed}: {each.endless}" for each in found if each.endless]
    return [("wrong", next(iter(wrong), "none")), ("without an end", next(iter(endless), "none"))]


def quiet() -> None:
    """Keep the consumer of this process from writing logs or metrics."""
    logging.disable(logging.CRITICAL)
    redirect_stdout(Path(os.devnull).open("w")).__enter__()  # noqa: SIM115
