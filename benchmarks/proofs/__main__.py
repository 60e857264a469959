"""`make prove`: a million record deliveries, somebody's own tables, a hundred thousand claims, every order; in memory.

With the name of a module here and a seed (`make prove SEED="own 17"`), it repeats the history of that seed.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from benchmarks import report
from benchmarks.engine import settings
from local import terminal
from local.paths import ROOT
from local.phases import Phases

DOCUMENT = ROOT / "docs" / "proof.md"


def main(arguments: Sequence[str]) -> int:
    """Run all, print the tables and write the document; or one history. Returns the status, 1 if anything differs."""
    os.environ.update(settings())
    return _repeated(*arguments) if arguments else _proved()


def _repeated(name: str, seed: str) -> int:
    found = _module(name).history(int(seed))
    terminal.console().print(found)
    return int(found.failed)


def _proved() -> int:
    console = terminal.console()
    phases, found = Phases(console), list[report.Table]()
    histories, own, claims, orders = map(_module, ("histories", "own", "claims", "orders"))
    for module, number, what in (
        (histories, histories.DELIVERIES, "record deliveries"),
        (own, own.HISTORIES, "histories of somebody's own table"),
        (claims, claims.ANSWERS, "claims"),
        (orders, orders.SCENARIOS, "scenarios in every order"),
    ):
        with phases(f"{number:,} {what}", number) as done:
            found.append(module.measure(done))
    phases.end()
    for each in found:
        report.show(console, each)
    report.write(DOCUMENT, (f"# Proof\n\nWritten by `make prove` {report.made()}.",), found)
    return any(each.failed for each in found)


def _module(name: str) -> Any:
    """One that runs a part of the proof. Handlers read the environment when they are imported: so not before."""
    return import_module(f"benchmarks.proofs.{name}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
