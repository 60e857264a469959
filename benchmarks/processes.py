"""What a process and all that it starts use: Spark's work is done by a Java process and many Python ones."""

import os
import time
from pathlib import Path
from threading import Thread

_PROCESSES = Path("/proc")
# What a process uses after the last look at it is not seen.
LOOK_SECONDS = 0.25
# A process by its number and when it began: numbers are used again.
Process = tuple[int, int]


class Steps:
    """The steps of a run, as they are told."""

    def __init__(self) -> None:
        self._watch = _Watch()
        self._first = self._before = self._now()

    def tell(self, done: str) -> None:
        """Print how many seconds and CPU seconds the step took."""
        before, self._before = self._before, self._now()
        self._print(before, done)

    def total(self, done: str) -> float:
        """Print what all steps took together; returns the seconds."""
        self._before = self._now()
        return self._print(self._first, done)

    def _now(self) -> tuple[float, float]:
        return time.monotonic(), self._watch.cpu_seconds()

    def _print(self, since: tuple[float, float], done: str) -> float:
        seconds, cpu = (now - then for now, then in zip(self._before, since, strict=True))
        print(f"{seconds:7.1f} s {cpu:7.1f} CPU s  {done}", flush=True)
        return seconds


class _Watch:
    """Looks at this process and all that it starts, again and again: Spark's processes leave nothing when they end."""

    def __init__(self) -> None:
        self._used: dict[Process, int] = {}
        self._look()
        Thread(target=self._keep_looking, daemon=True).start()

    def cpu_seconds(self) -> float:
        """What all of them have used."""
        self._look()
        return sum(self._used.copy().values()) / os.sysconf("SC_CLK_TCK")

    def _keep_looking(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            self._look()

    def _look(self) -> None:
        found = dict(filter(None, map(_stat, _PROCESSES.glob("[0-9]*/stat"))))
        # Also those whose parent has ended.
        ours = {os.getpid()} | {pid for pid, began in found if (pid, began) in self._used}
        while more := {pid for (pid, _), (parent, _) in found.items() if parent in ours} - ours:
            ours |= more
        self._used.update({each: ticks for each, (_, ticks) in found.items() if each[0] in ours})


def _stat(path: Path) -> tuple[Process, tuple[int, int]] | None:
    """A process, its parent, and the ticks that it has used; None if it has just ended."""
    try:
        fields = path.read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return (int(path.parent.name), int(fields[19])), (int(fields[1]), int(fields[11]) + int(fields[12]))
