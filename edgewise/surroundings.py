"""What the engine takes from its surroundings: time, pauses, threads, chance, and the streams of tables.

Production leaves them alone. A test, or a run that is to be the same each time, replaces all of them by one call; while
it has them, nothing else may go on in the process. What only measures how long the machine takes, for log lines and for
the patience with a request, asks the machine itself.
"""

import random
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, fields
from random import Random
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from edgewise import aws, clock
from edgewise.times import SECOND, Millis

T = TypeVar("T")


class Threads(Protocol):
    """Some threads, which work while the block runs."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> bool | None: ...

    def map(self, work: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """Do each; the results are in order."""


# So many threads.
threads: Callable[[int], Threads] = ThreadPoolExecutor


def uniform(low: float, high: float) -> float:
    """A number between these at random, for pauses."""
    return random.uniform(low, high)


def token(size: int) -> str:
    """So many bytes that nobody else draws, in hexadecimal: a name."""
    return secrets.token_hex(size)


@dataclass(frozen=True)
class Surroundings:
    """In place of `clock.now`, `clock.sleep`, `clock.monotonic`, `threads`, `uniform`, `token` and `aws.streams`."""

    now: Callable[[], Millis]
    sleep: Callable[[float], None]
    monotonic: Callable[[], float]
    threads: Callable[[int], Threads]
    uniform: Callable[[float, float], float]
    token: Callable[[int], str]
    streams: Callable[[], Any]


_HERE = sys.modules[__name__]
_HOMES = {"now": clock, "sleep": clock, "monotonic": clock, "streams": aws}


@contextmanager
def replaced(by: Surroundings) -> Iterator[None]:
    """While the block runs, the engine has these surroundings."""
    homes = {each.name: _HOMES.get(each.name, _HERE) for each in fields(by)}
    former = {name: getattr(home, name) for name, home in homes.items()}
    try:
        for name, home in homes.items():
            setattr(home, name, getattr(by, name))
        yield
    finally:
        for name, home in homes.items():
            setattr(home, name, former[name])


class OneByOne:
    """In place of threads: everything is done in a known order, and nobody runs beside it."""

    def __init__(self, _workers: int) -> None:
        pass

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """Do each when its result is asked for."""
        return map(work, *arguments)


def in_turn(
    now: Callable[[], Millis], sleep: Callable[[float], None], chance: Random, streams: Callable[[], Any]
) -> Surroundings:
    """Those of a world with a time of its own, where one thing is done after the other: the same each time.

    `chance` draws names; pauses are drawn by themselves.
    """
    return Surroundings(
        now=now,
        sleep=sleep,
        monotonic=lambda: now() / SECOND,
        threads=OneByOne,
        uniform=Random("pauses").uniform,
        token=lambda size: chance.randbytes(size).hex(),
        streams=streams,
    )
