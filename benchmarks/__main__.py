"""`make bench`: what the consumer and ingestion cost, measured on DynamoDB Local."""

import os
import sys

from benchmarks import engine
from ops import terminal
from ops.errors import LocalError


def main() -> int:
    """Run all benchmarks; returns the exit status."""
    console = terminal.console()
    sample = os.environ.get("SAMPLE") or "default"
    if sample not in ("default", "all"):
        console.print(f"SAMPLE={sample}: expected default or all")
        return 1
    try:
        with engine.running():
            # Imported only now: what handlers create at import must see the environment.
            with engine.silenced():
                from benchmarks import suite
            well = suite.run(console, "make bench" + (f" SAMPLE={sample}" if sample == "all" else ""), sample == "all")
    except LocalError as error:
        console.print(str(error), style="red", markup=False)
        return 1
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
