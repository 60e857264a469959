"""What a function imports is what its cold start costs: its own system, and no other's routes."""

import json
import subprocess
import sys
from functools import cache

import pytest

from functions.catalog import module_of
from functions.routes import ROUTES
from infra.functions import FUNCTIONS

_MODULES = "import importlib, json, sys; importlib.import_module(sys.argv[1]); print(json.dumps(sorted(sys.modules)))"
# What a system declares that it needs of others (see the contracts in pyproject.toml).
TIES = {"places": {"telemetry"}, "walks": {"graph"}}


# One process runs them all: each function starts once.
pytestmark = pytest.mark.xdist_group("imports")


@cache
def imported(module: str) -> frozenset[str]:
    command = [sys.executable, "-c", _MODULES, module]
    return frozenset(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


# They show and mend the aggregates of all systems, or find what is in them.
ABOUT_ALL = {"operations", "quarantine", "search"}


@pytest.mark.parametrize("function", sorted(ROUTES.keys() - ABOUT_ALL))
def test_a_function_with_routes_imports_its_own_system_only(function: str) -> None:
    modules = imported(module_of(function))
    systems = {name.split(".")[2] for name in modules if name.startswith("functions.systems.")}
    assert systems == {function} | TIES.get(function, set())
    assert not {name for name in modules if name.startswith(("functions.catalog", "edgewise.stream"))}


@pytest.mark.parametrize("function", ["edge_aggregator", "cascade"])
def test_the_readers_of_the_stream_import_every_system_but_no_routes(function: str) -> None:
    modules = imported(module_of(function))
    assert {f"functions.systems.{name}.system" for name in ROUTES} <= modules
    assert not {name for name in modules if name.startswith(("pydantic", "functions.web")) or name.endswith(".routes")}


# Nobody waits for the sender, and it does nothing but take messages of a queue.
@pytest.mark.parametrize("function", sorted(FUNCTIONS.keys() - {"pusher"}))
def test_no_function_imports_what_takes_long_and_few_requests_need(function: str) -> None:
    heavy = (
        "aws_lambda_powertools.utilities.batch",  # for messages from a queue
        "aws_lambda_powertools.utilities.parser",  # comes with the former: models of all kinds of events
        "boto3",
        "cryptography",  # for cursors
        "multiprocessing",  # comes with boto3
        "pydantic.v1",
        "s3transfer",  # comes with boto3
    )
    assert not {name for name in imported(module_of(function)) if name.startswith(heavy)}


# The sender reads what requests read, and the socket's function refuses the addresses that requests are refused.
VALIDATING = {"redrive", "pusher", "socket"} | {name for name in FUNCTIONS if name.startswith("batch_")}


@pytest.mark.parametrize("function", sorted(set(FUNCTIONS) - set(ROUTES) - VALIDATING))
def test_what_serves_no_requests_imports_nothing_that_validates_them(function: str) -> None:
    served = ("aws_lambda_powertools.event_handler", "aws_lambda_powertools.utilities.data_classes", "asyncio")
    assert not {name for name in imported(module_of(function)) if name.startswith(("pydantic", *served))}
