"""What a process and all that it starts use: Spark's work is done by a Java process and many Python ones."""

import os
import time
from pathlib import Path

_PROCESSES = Path("/proc")


class Steps:
    """The steps of a run, as they are told."""

    def __init__(self) -> None:
        self._first = self._before = time.monotonic(), cpu_seconds()

    def tell(self, done: str) -> None:
        """Print how many seconds and CPU seconds the step took."""
        before, self._before = self._before, (time.monotonic(), cpu_seconds())
        self._print(before, done)

    def total(self, done: str) -> float:
        """Print what all steps took together; returns the seconds."""
        self._before = time.monotonic(), cpu_seconds()
        return self._print(self._first, done)

    def _print(self, since: tuple[float, float], done: str) -> float:
        seconds, cpu = (now - then for now, then in zip(self._before, since, strict=True))
        print(f"{seconds:7.1f} s {cpu:7.1f} CPU s  {done}", flush=True)
        return seconds


def cpu_seconds() -> float:
    """What this process and all that it started have used."""
    found = {
        int(path.parent.name): path.read_text().rpartition(")")[2].split() for path in _PROCESSES.glob("[0-9]*/stat")
    }
    ours = {os.getpid()}
    while more := {each for each, fields in found.items() if int(fields[1]) in ours} - ours:
        ours |= more
    ticks = sum(int(ticks) for each in ours for ticks in found[each][11:15])
    return ticks / os.sysconf("SC_CLK_TCK")
