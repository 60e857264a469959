"""`make prove`: a million record deliveries, a hundred thousand claims, and every order of a few actors, in memory."""

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
    """Run all, print the tables and write the document; returns the exit status, 1 if anything differs."""
    os.environ.update(settings())
    # Imported only now: handlers read the environment when they are imported.
    names = ("histories", "claims", "orders")
    histories, claims, orders = (import_module(f"benchmarks.proofs.{name}") for name in names)
    console = terminal.console()
    phases = Phases(console)
    with phases(f"{histories.DELIVERIES:,} record deliveries", histories.DELIVERIES) as done:
        proved = histories.measure(done)
    with phases(f"{claims.ANSWERS:,} claims", claims.ANSWERS) as done:
        claimed = claims.measure(done)
    with phases("every order", orders.SCENARIOS) as done:
        ordered = orders.measure(done)
    phases.end()
    found = (proved, claimed, ordered)
    for each in found:
        report.show(console, each)
    report.write(DOCUMENT, (f"# Proof\n\nWritten by `make prove` {report.made()}.",), found)
    return any(each.failed for each in found)


if __name__ == "__main__":
    sys.exit(main())
