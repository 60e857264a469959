"""Print where the suite's time goes: `python -m benchmarks.recorded FOLDER`, of what `pytest --record FOLDER` wrote."""

import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

TOP = 40
PHASES = ("setup", "call", "teardown")


@dataclass(frozen=True)
class Row:
    """Seconds of a test or of a sum: by the clock, CPU of the test process, CPU of what it started."""

    clock: float = 0.0
    own: float = 0.0
    others: float = 0.0

    def __add__(self, other: "Row") -> "Row":
        return Row(self.clock + other.clock, self.own + other.own, self.others + other.others)

    def cells(self) -> str:
        """The cells of a table."""
        waited = max(0.0, self.clock - self.own - self.others)
        return " | ".join(f"{seconds:,.1f}" for seconds in (self.clock, self.own, self.others, waited))


class Line(NamedTuple):
    """What one phase of one test, one shared fixture, or one whole test process took; seconds by cause: CPU, clock."""

    process: str
    phase: str
    name: str
    spent: Row
    causes: dict[str, list[float]]


def read(folder: Path) -> list[Line]:
    """Read what all test processes wrote."""
    return [
        Line(file.stem, phase, name, Row(*spent), causes)
        for file in sorted(folder.glob("*.jsonl"))
        for phase, name, spent, causes in map(json.loads, file.read_text().splitlines())
    ]


def sums(lines: Iterable[Line], group: Callable[[Line], str]) -> dict[str, Row]:
    """Sum by group, the longest by the clock first."""
    found: dict[str, Row] = defaultdict(Row)
    for line in lines:
        found[group(line)] += line.spent
    return dict(sorted(found.items(), key=lambda each: -each[1].clock))


def causes(lines: Iterable[Line]) -> dict[str, list[float]]:
    """Sum seconds of the test processes' main threads by cause: CPU, clock."""
    found: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for line in lines:
        for cause, (cpu, clock) in line.causes.items():
            found[cause][0] += cpu
            found[cause][1] += clock
    return dict(sorted(found.items(), key=lambda each: -each[1][1]))


def file_of(line: Line) -> str:
    """Name the file of a test."""
    return line.name.partition("::")[0]


def room_of(line: Line) -> str:
    """Name the folder of a test below `tests`, or the file there."""
    return file_of(line).split("/")[1]


def table(title: str, rows: dict[str, Row], top: int = TOP) -> None:
    """Print a table of sums."""
    print(f"\n| {title} | clock | CPU of the test process | CPU of what it started | waiting |\n|---|--:|--:|--:|--:|")
    for name, row in list(rows.items())[:top]:
        print(f"| {name} | {row.cells()} |")
    print(f"| all | {sum(rows.values(), Row()).cells()} |")


def main(folder: Path) -> None:
    """Print all tables."""
    lines = read(folder)
    tests = [line for line in lines if line.phase in PHASES]
    for phase in ("whole", "collection"):
        table(phase, sums((line for line in lines if line.phase == phase), lambda line: line.process))
    table("room", sums(tests, room_of))
    table("phase", sums(tests, lambda line: line.phase))
    table("file", sums(tests, file_of))
    table("test", sums(tests, lambda line: line.name))
    table("shared fixture", sums((line for line in lines if line.phase == "fixture"), lambda line: line.name), 25)
    print("\n| cause | CPU of the main thread | clock |\n|---|--:|--:|")
    for cause, (cpu, clock) in causes(lines).items():
        print(f"| {cause} | {cpu:,.1f} | {clock:,.1f} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
