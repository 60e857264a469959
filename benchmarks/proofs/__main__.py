"""`make prove`: a million record deliveries, and every order of a few actors' requests, in memory."""

import os
import sys
from importlib import import_module

from rich.console import Console

from benchmarks import report
from benchmarks.engine import WIDTH_OF_FILES, settings
from local.paths import ROOT
from local.phases import Phases

DOCUMENT = ROOT / "docs" / "proof.md"


def main() -> int:
    """Run both, print the tables and write the document; returns the exit status, 1 if anything differs."""
    os.environ.update(settings())
    # Imported only now: handlers read the environment when they are imported.
    histories, orders = (import_module(f"benchmarks.proofs.{name}") for name in ("histories", "orders"))
    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else WIDTH_OF_FILES)
    phases = Phases(console)
    with phases(f"{histories.DELIVERIES:,} record deliveries", histories.DELIVERIES) as done:
        proved = histories.measure(done)
    with phases("every order", orders.SCENARIOS) as done:
        ordered = orders.measure(done)
    phases.end()
    for each in (proved, ordered):
        report.show(console, each)
    report.write(DOCUMENT, (f"# Proof\n\nWritten by `make prove` {report.made()}.",), (proved, ordered))
    return any(each.failed for each in (proved, ordered))


if __name__ == "__main__":
    sys.exit(main())
