"""Threads that share a clock of their own: one runs at a time, and pauses cost nothing but simulated seconds."""

import heapq
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Lock, Thread, current_thread
from typing import Any, Self, TypeVar

T = TypeVar("T")
_REAL_SLEEP = time.sleep


class SimulatedTime:
    """Runs tasks as threads, always the one whose pause ends first; what they do takes only the time they say."""

    def __init__(self) -> None:
        self.now = 0.0
        self._raised: list[BaseException] = []
        self._numbers = itertools.count()
        self._pausing: list[tuple[float, int, Lock]] = []
        self._ended = _closed()
        self._own: set[Thread] = set()

    def run(self, *tasks: Callable[[], object]) -> None:
        """Run the tasks, and what they start, to their ends; raises what one of them raised."""
        for task in tasks:
            self.start(task)
        while self._pausing and not self._raised:
            self.now, _, gate = heapq.heappop(self._pausing)
            gate.release()
            self._ended.acquire()
        if self._raised:
            raise self._raised[0]

    def start(self, task: Callable[[], object]) -> None:
        """Let a task begin at this moment."""
        gate = _closed()
        self._open(gate)

        def body() -> None:
            gate.acquire()
            try:
                task()
            except BaseException as error:  # noqa: BLE001 (raised again by run)
                self._raised.append(error)
            self._ended.release()

        thread = Thread(target=body, daemon=True)
        self._own.add(thread)
        thread.start()

    def sleep(self, seconds: float) -> None:
        """Stand still for so long while others run; threads of libraries, which other tests started, really sleep."""
        if current_thread() not in self._own:
            _REAL_SLEEP(seconds)
            return
        gate = _closed()
        self._open(gate, seconds)
        self._stand(gate)

    def together(self, tasks: Iterable[Callable[[], T]]) -> list[T]:
        """Run the tasks beside each other; what they return, once all have ended."""
        calls = list(tasks)
        results: dict[int, T] = {}
        gate = _closed()

        def run(number: int) -> None:
            results[number] = calls[number]()
            if len(results) == len(calls):
                self._open(gate)

        for number in range(len(calls)):
            self.start(partial(run, number))
        self._stand(gate)
        return [results[number] for number in range(len(calls))]

    def _open(self, gate: Lock, seconds: float = 0) -> None:
        heapq.heappush(self._pausing, (self.now + seconds, next(self._numbers), gate))

    def _stand(self, gate: Lock) -> None:
        self._ended.release()
        gate.acquire()


class SimulatedPool:
    """In place of a ThreadPoolExecutor: its workers live in simulated time."""

    def __init__(self, time: SimulatedTime) -> None:
        self.time = time

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def map(self, work: Callable[..., T], *arguments: Iterable[Any]) -> Iterator[T]:
        """As the executor's, but for errors: they end the simulation."""
        return iter(self.time.together([partial(work, *call) for call in zip(*arguments, strict=True)]))


def _closed() -> Lock:
    gate = Lock()
    gate.acquire()
    return gate
