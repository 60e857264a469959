"""`make prove`: a million record deliveries, and every order of a few actors' requests, in memory."""

import os
import sys
from importlib import import_module

from benchmarks import report
from benchmarks.engine import settings
from local import terminal
from local.paths import ROOT
from local.phases import Phases

DOCUMENT = ROOT / "docs" / "proof.md"


def main() -> int:
    """Run both, print the tables and write the document; returns the exit status, 1 if anything differs."""
    os.environ.update(settings())
    # Imported only now: handlers read the environment when they are imported.
    histories, orders = (import_module(f"benchmarks.proofs.{name}") for name in ("histories", "orders"))
    console = terminal.console()
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
