"""What a new execution environment does before its first request: imports, and the making of a client."""

import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

from benchmarks.report import Table
from functions.routes import ROUTES
from local.paths import ROOT

HANDLERS = (*ROUTES, "edge_aggregator")
STARTS = 5
CONTRIBUTORS = 6
_START = """
import sys, time
known = len(sys.modules)
started = time.perf_counter()
import functions.handlers.{handler}
imported, modules = time.perf_counter(), len(sys.modules) - known
from functions.store.table import Table
Table("cold")
print((imported - started) * 1e3, (time.perf_counter() - imported) * 1e3, modules)
"""


def measure(done: Callable[[int], None]) -> Table:
    """Start each handler several times in a fresh interpreter; calls `done` after each start."""
    rows = []
    for handler in HANDLERS:
        starts = []
        for _ in range(STARTS):
            starts.append(list(map(float, _python("-c", _START.format(handler=handler)).stdout.split())))
            done(1)
        imported, client, modules = map(statistics.median, zip(*starts, strict=True))
        row = (handler, f"{imported:.0f}", f"{client:.0f}", f"{imported + client:.0f}", f"{modules:.0f}")
        rows.append((*row, ", ".join(contributors(handler))))
    return Table(
        "Cold start",
        ("handler", "import ms", "client ms", "both", "modules", "most of the import, ms by -X importtime"),
        rows,
        (
            f"Median of {STARTS} fresh interpreters with compiled files; on Lambda 1,024 MB give about half a core.",
            "By package, each without what it imports from the others; -X importtime itself slows imports down.",
        ),
    )


def contributors(handler: str) -> list[str]:
    """The packages whose modules take most of the import, with their milliseconds."""
    log = _python("-X", "importtime", "-c", f"import functions.handlers.{handler}").stderr
    return [f"{package} {time / 1e3:.0f}" for package, time in by_package(log).most_common(CONTRIBUTORS)]


def by_package(log: str) -> Counter[str]:
    """Microseconds by package out of the log of -X importtime; standard library packages are those of one name."""
    times: Counter[str] = Counter()
    for line in log.splitlines():
        own, _, name = line.removeprefix("import time:").split("|") if line.count("|") == 2 else ("", "", "")
        if own.strip().isdigit():
            times[name.strip().partition(".")[0]] += int(own)
    return times


def _python(*arguments: str) -> "subprocess.CompletedProcess[str]":
    env = {name: value for name, value in os.environ.items() if not name.startswith("AWS_LAMBDA")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True)
