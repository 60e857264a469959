"""What a new execution environment does before its first request: it imports modules and creates a client.

Measured on the deployed code and layer alone: this machine's packages neither help nor hinder.
"""

import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from benchmarks.engine import REGION
from benchmarks.report import Table
from functions.catalog import ROUTES, module_of
from infra import bundle

_ENV = {"AWS_DEFAULT_REGION": REGION}
HANDLERS = (*ROUTES, "edge_aggregator")
STARTS = 5
CONTRIBUTORS = 6
_START = """
import sys, time
known = len(sys.modules)
started = time.perf_counter()
import {module}
imported, modules = time.perf_counter(), len(sys.modules) - known
from functions.dynamodb.table import Table
Table("cold")
print((imported - started) * 1e3, (time.perf_counter() - imported) * 1e3, modules)
"""


def measure(done: Callable[[int], None]) -> Table:
    """Start each handler several times in a fresh interpreter; calls `done` after each start."""
    with tempfile.TemporaryDirectory() as folder:
        bundle.write_layer(Path(folder), None)
        for handler in HANDLERS:
            bundle.write_code(handler, Path(folder, handler))
        rows = [_row(handler, Path(folder), done) for handler in HANDLERS]
    return Table(
        "Cold start",
        ("handler", "import ms", "client ms", "both", "modules", "largest parts of the import, ms by -X importtime"),
        rows,
        (
            f"Median of {STARTS} fresh interpreters on deployed code and layer, with bytecode, from the disk cache.",
            "After start-up, a function of 1,024 MB has 0.58 of a processor.",
            "By package, each without its imports from other packages; -X importtime itself slows imports down.",
        ),
    )


def _row(handler: str, bundles: Path, done: Callable[[int], None]) -> tuple[str, ...]:
    starts = []
    for _ in range(STARTS):
        starts.append(
            list(map(float, _python(bundles, handler, "-c", _START.format(module=module_of(handler))).stdout.split()))
        )
        done(1)
    imported, client, modules = map(statistics.median, zip(*starts, strict=True))
    times = (f"{imported:.0f}", f"{client:.0f}", f"{imported + client:.0f}")
    return handler, *times, f"{modules:.0f}", ", ".join(_contributors(handler, bundles))


def _contributors(handler: str, bundles: Path) -> list[str]:
    log = _python(bundles, handler, "-X", "importtime", "-c", f"import {module_of(handler)}").stderr
    return [f"{package} {time / 1e3:.0f}" for package, time in by_package(log).most_common(CONTRIBUTORS)]


def by_package(log: str) -> Counter[str]:
    """Microseconds by package, from the log of -X importtime, each under its topmost name."""
    times: Counter[str] = Counter()
    for line in log.splitlines():
        own, _, name = line.removeprefix("import time:").split("|") if line.count("|") == 2 else ("", "", "")
        if own.strip().isdigit():
            times[name.strip().partition(".")[0]] += int(own)
    return times


def _python(bundles: Path, handler: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-S", *arguments]  # without this environment's packages
    env = _ENV | {"PYTHONPATH": str(bundles / bundle.LAYER_FOLDER)}
    return subprocess.run(command, cwd=bundles / handler, env=env, check=True, capture_output=True, text=True)
