"""Environments that Lambda restores from one snapshot share what was imported: nothing random, dated or connected."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from functions.catalog import module_of
from functions.routes import ROUTES

ROOT = Path(__file__).parents[2]
# Tells of calls of C's functions, which no name that was imported earlier can hide. Lambda's own code uses `logging`.
SPY = """
import gc, importlib, json, logging, os, sys
DATED = {"time.time", "time.time_ns", "time.monotonic", "time.monotonic_ns", "time.localtime", "time.gmtime"}
DATED |= {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"}
RANDOM = {"posix.urandom", "posix.getrandom"}
CONNECTED = {"socket.connect", "socket.connect_ex", "_socket.getaddrinfo"}
found = set()
def spy(frame, event, called):
    if event == "c_call":
        module, name = getattr(called, "__module__", None), getattr(called, "__qualname__", "")
        name = f"{module}.{name}" if module else name
        if name in DATED | RANDOM | CONNECTED or name.startswith("Random."):
            found.add((name, frame.f_globals["__name__"]))
sys.setprofile(spy)
importlib.import_module(sys.argv[1])
sys.setprofile(None)
"""
RESTORED = """
import random
from snapshot_restore_py import get_after_restore
def clients():
    gc.unfreeze()
    return sum(hasattr(type(each), "get_paginator") for each in gc.get_objects())
before, state = clients(), random.getstate()
os.environ |= {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"}
for hook, given, named in get_after_restore():
    hook(*given, **named)
after = {"found": sorted(found), "clients": [before, clients()], "seeded": random.getstate() != state}
print(json.dumps(after))
"""
# Who calls what, and why it may.
HARMLESS = [
    ["Random.seed", "random"],  # it is seeded anew
    ["time.localtime", "dateutil.parser._parser"],  # the century of years that have two digits, of which AWS sends none
]


def run(script: str, *arguments: str, **more: str) -> Any:
    """What a script prints in a process that Lambda would take a snapshot of."""
    env = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_LAMBDA_FUNCTION_NAME": "under-test",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "snap-start",
        # Where Lambda has the credentials of such a function. Nobody listens there.
        "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:9/credentials",
        "TABLE_NAME": "Edgewise",
        "CURSOR_SECRET_ARN": "arn",
        "POWERTOOLS_SERVICE_NAME": "test",
        "POWERTOOLS_METRICS_NAMESPACE": "Edgewise",
    }
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, env=env | more, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("function", ROUTES)
def test_a_snapshot_holds_nothing_random_dated_or_connected(function: str) -> None:
    told = run(SPY + RESTORED, module_of(function))
    assert told["found"] == HARMLESS
    assert told["clients"] == [0, 1], "credentials are fetched when a client is made: after the restoration"
    assert told["seeded"], "or all environments would pause equally long before they try again"


@pytest.mark.parametrize(
    ("line", "called"),
    [
        ("from time import time; time()", "time.time"),
        ("import datetime; datetime.datetime.now(datetime.UTC)", "datetime.now"),
        ("import random; random.uniform(0, 1)", "Random.random"),
        ("import uuid; uuid.uuid4()", "posix.urandom"),
        ("import secrets; secrets.token_hex(8)", "posix.urandom"),
        ("import socket; socket.socket(socket.AF_UNIX).connect_ex('nowhere')", "socket.connect_ex"),
    ],
)
def test_what_would_be_frozen_is_noticed(line: str, called: str, tmp_path: Path) -> None:
    (tmp_path / "frozen.py").write_text(line)
    found = run(SPY + "print(json.dumps(sorted(found)))", "frozen", PYTHONPATH=str(tmp_path))
    assert called in {name for name, _ in found}
