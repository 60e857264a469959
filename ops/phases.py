"""The phases of a long command: a progress bar while a phase runs, and a line with its duration when it has ended."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

Advance = Callable[[int], None]


class Phases:
    """Runs phases one after the other and prints the duration of each."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._started = time.monotonic()

    @contextmanager
    def __call__(self, name: str, total: int | None = None) -> Iterator[Advance]:
        """Run one phase; yields a function to call with the number of steps done, of `total` if that is known.

        A phase of so many steps that fails says how many it has done.
        """
        started, reached = time.monotonic(), 0
        counted = () if total is None else (BarColumn(), MofNCompleteColumn())
        columns = (SpinnerColumn(), TextColumn("{task.description}"), *counted, TimeElapsedColumn())
        shown = self._console.is_terminal
        with Progress(*columns, console=self._console, transient=True, disable=not shown) as progress:
            task = progress.add_task(name, total=total)

            def advance(steps: int) -> None:
                nonlocal reached
                reached += steps
                progress.advance(task, steps)

            try:
                yield advance
            except BaseException:
                if total is not None:
                    self._line(f"{name}: ended at {reached:,}", time.monotonic() - started)
                raise
        self._line(name, time.monotonic() - started)

    def end(self) -> None:
        """Print the duration of all phases together."""
        self._line("all together", time.monotonic() - self._started)

    def _line(self, name: str, seconds: float) -> None:
        self._console.print(f"{name:<50} {seconds:7.1f} s", highlight=False)
