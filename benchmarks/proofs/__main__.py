"""`make prove`: a million record deliveries, own tables, views at random, a hundred thousand claims, every order.

All of it is in memory. `make prove ONLY=own` runs one part, by the name of its module, and `ONLY="own 17"` repeats the
history of a seed.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from benchmarks import report
from benchmarks.engine import settings
from ops import terminal
from ops.paths import ROOT
from ops.phases import Phases

DOCUMENT = ROOT / "docs" / "proof.md"
# The parts by module, each with its size there, and what that is of.
PARTS = {
    "histories": ("DELIVERIES", "record deliveries"),
    "own": ("HISTORIES", "histories of somebody's own table"),
    "views": ("DECLARATIONS", "declarations of views at random"),
    "claims": ("ANSWERS", "claims"),
    "orders": ("SCENARIOS", "scenarios in every order"),
}


def main(arguments: Sequence[str]) -> int:
    """Run all parts and write the document; or one part, or one history. Returns 1 if anything is wrong."""
    os.environ.update(settings())
    match arguments:
        case [name, seed]:
            return _repeated(name, int(seed))
        case [name]:
            return _failed(_run([name]))
    found = _run(PARTS)
    report.write(DOCUMENT, (f"# Proof\n\nWritten by `make prove` {report.made()}.",), found)
    return _failed(found)


def _repeated(name: str, seed: int) -> int:
    found = _module(name).history(seed)
    terminal.console().print(found)
    return int(found.failed)


def _run(names: Iterable[str]) -> list[report.Table]:
    """Run these parts, and print what they have found."""
    console = terminal.console()
    phases, found = Phases(console), list[report.Table]()
    for name in names:
        module, (size, what) = _module(name), PARTS[name]
        number = getattr(module, size)
        with phases(f"{number:,} {what}", number) as done:
            found.append(module.measure(done))
    phases.end()
    for each in found:
        report.show(console, each)
    return found


def _failed(found: Iterable[report.Table]) -> int:
    return int(any(each.failed for each in found))


def _module(name: str) -> Any:
    """One that runs a part of the proof. Handlers read the environment when they are imported: so not before."""
    return import_module(f"benchmarks.proofs.{name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
