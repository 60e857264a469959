"""What a new execution environment does before and in its first request: it imports modules and creates a client.

Measured on the deployed code and layer alone: this machine's packages neither help nor hinder.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from benchmarks import http
from benchmarks.engine import Context
from benchmarks.http import Request
from benchmarks.report import Table
from functions.catalog import module_of
from infra import bundle

# That of devices, a large one, the one with a layer more, and the reader of the stream.
HANDLERS = ("telemetry", "graph", "search", "edge_aggregator")
STARTS = 5
_LAYER, _SEARCH_LAYER = "layer", "search layer"
_AT = "2018-08-29T12:00:00Z"
# The first requests that are measured, of the function `telemetry`.
REQUESTS = (
    Request("GET /devices/{device}/events", {"device": "JFK"}, {"limit": "10"}),
    Request("POST /telemetry", body={"events": [{"device_id": "JFK", "at": _AT, "metrics": {"temp": 39.02}}]}),
)
# On Lambda, the import of a handler creates its client.
_START = """
import json, sys, time
known = len(sys.modules)
started = time.process_time()
import {module} as function
imported, modules = time.process_time(), len(sys.modules) - known
print(json.dumps([(imported - started) * 1e3, modules]))
"""
_REQUEST = """
from types import SimpleNamespace
context = SimpleNamespace(**json.loads(sys.argv[1]), get_remaining_time_in_millis=lambda: 60_000)
began = time.process_time()
answer = function.handler(json.loads(sys.argv[2]), context)
print(json.dumps([(time.process_time() - began) * 1e3, answer["statusCode"]]))
"""


def measure(table: str, done: Callable[[int], None]) -> Table:
    """Start each handler several times in a fresh interpreter; calls `done` after each start.

    The table must be empty: a page with a cursor would need the secret that encrypts it.
    """
    with tempfile.TemporaryDirectory() as folder:
        bundle.write_layer(Path(folder, _LAYER), None)
        bundle.write_layer(Path(folder, _SEARCH_LAYER), None, bundle.SEARCH_REQUIREMENTS)
        for handler in HANDLERS:
            bundle.write_code(handler, Path(folder, handler))
        starts = _Starts(Path(folder), table)
        rows = [starts.row(handler, done) for handler in HANDLERS]
        firsts = " and ".join(f"{starts.first(request):.0f} ms for {request.route}" for request in REQUESTS)
    return Table(
        "Cold start",
        ("handler", "start ms", "modules"),
        rows,
        (
            f"CPU time of imports and of creating the client, median of {STARTS} fresh interpreters on deployed code "
            "and layer, with bytecode, from the disk cache.",
            f"The first request of telemetry then takes {firsts}, without TLS.",
            "After start-up, a function of 1,024 MB has 0.58 of a processor.",
        ),
    )


class _Starts:
    """Starts handlers from the bundles in a folder."""

    def __init__(self, bundles: Path, table: str) -> None:
        self._bundles = bundles
        lambdas = {"AWS_LAMBDA_FUNCTION_NAME": "benchmark", "TABLE_NAME": table}
        self._env = os.environ | lambdas

    def row(self, handler: str, done: Callable[[int], None]) -> tuple[str, ...]:
        """How long a handler takes to start, and how many modules it imports."""
        starts = []
        for _ in range(STARTS):
            starts.append(_figures(self._python(handler, "-c", _START.format(module=module_of(handler))).stdout, 0))
            done(1)
        cpu, modules = map(statistics.median, zip(*starts, strict=True))
        return handler, f"{cpu:.0f}", f"{modules:.0f}"

    def first(self, request: Request) -> float:
        """The CPU time of a request, in ms, when it is the first of its interpreter."""
        script = _START.format(module=module_of("telemetry")) + _REQUEST
        arguments = ("-c", script, json.dumps(asdict(Context())), json.dumps(http.event(request)))
        times = []
        for _ in range(STARTS):
            cpu, status = _figures(self._python("telemetry", *arguments).stdout, 1)
            if status >= 400:
                raise RuntimeError(f"{request.route}: {status}")
            times.append(cpu)
        return statistics.median(times)

    def _python(self, handler: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-S", *arguments]  # without this environment's packages
        layers = [_LAYER, *([_SEARCH_LAYER] if handler in bundle.SEARCHING else [])]
        paths = os.pathsep.join(str(self._bundles / each / bundle.LAYER_FOLDER) for each in layers)
        env = self._env | {"PYTHONPATH": paths}
        return subprocess.run(command, cwd=self._bundles / handler, env=env, check=True, capture_output=True, text=True)


def _figures(output: str, position: int) -> tuple[float, int]:
    """The list at this position among those that a script prints; its handler prints log lines and metrics, too."""
    first, second = [json.loads(line) for line in output.splitlines() if line.startswith("[")][position]
    return float(first), int(second)
