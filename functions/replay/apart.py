"""A run takes place apart from the world: time passes and chance decides as it says, and its stream is the only one.

Whatever asks the machine for the time, waits, or draws a name does so through these few functions. While a run has
them, nothing else may go on in the process: so a run has a process of its own (functions/systems/proof/replaying.py).
"""

import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from random import Random
from types import ModuleType
from typing import Any, Self, TypeVar

from delivery import Reads
from edgewise import Millis, aws, clock
from edgewise.stream import writer
from functions.replay.run import Run

T = TypeVar("T")


class OneByOne:
    """In place of threads: writes in a known order, and nobody runs beside them but whom the simulator lets."""

    def __init__(self, _workers: int) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """Do each when its result is asked for."""
        return map(work, *arguments)


# By module and name.
Replaced = Mapping[tuple[ModuleType, str], Any]


@contextmanager
def apart(run: Run, chance: Random) -> Iterator[None]:
    """While the block runs, the process has the time of this run. Nothing runs beside it, so the order is the same."""
    reads = Reads(run.stream)
    of_run: Replaced = {
        (time, "sleep"): run.wait,
        (secrets, "token_hex"): _names(chance),
        (aws, "streams"): lambda: reads,
    }
    with replaced({**in_order(lambda: run.now), **of_run}):
        yield


def in_order(now: Callable[[], Millis]) -> Replaced:
    """What the consumer asks for the time, and writes with: it is as late as `now` says, and writes in one order."""
    return {(clock, "now"): now, (writer, "ThreadPoolExecutor"): OneByOne}


@contextmanager
def replaced(values: Replaced) -> Iterator[None]:
    """While the block runs, these names of modules stand for something else."""
    before = {place: getattr(*place) for place in values}
    _set(values)
    try:
        yield
    finally:
        _set(before)


def _set(values: Replaced) -> None:
    for (module, name), value in values.items():
        setattr(module, name, value)


def _names(chance: Random) -> Callable[[int], str]:
    return lambda length: chance.randbytes(length).hex()
