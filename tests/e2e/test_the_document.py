"""The deployed API keeps the promises of its OpenAPI document to every group: schemathesis sends thousands of requests.

Their number is fixed, so a busy machine takes longer but leaves none out. By its name this is the last module here: the
others would find the data that it stores.
"""

import json
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

from functions.routes import ROUTES
from functions.system import GROUPS
from functions.systems.api.routes import OPENAPI
from local.users import create_user, token
from ops.passwords import DEMO_USERS
from tests.e2e.conftest import Deployment
from tests.support.histories import NIGHT

CONFIG = Path(__file__).with_name("schemathesis.toml")
SEED = 10
pytestmark = pytest.mark.usefixtures("check_packages")
# A case of every operation: groups differ only in what they may do. More of them at night.
BRIEF = ("--phases", "fuzzing", "--max-examples", "1")
FUZZED = (*BRIEF[:-1], "4" if NIGHT else "1")
# Every value that the document makes special: at night of every path, by day of every fourth.
COVERED = sorted(json.loads(OPENAPI.read_text())["paths"])[:: 1 if NIGHT else 4]
COVERAGE = ("--phases", "coverage", *chain.from_iterable(("--include-path", each) for each in COVERED))


def run(deployment: Deployment, folder: Path, user: str, *options: str) -> str:
    """What schemathesis reports; fails with each broken promise, and with the request that shows it."""
    bearer = token(deployment.cloud, deployment.outputs, user)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", str(OPENAPI)]
    where = ["--url", deployment.outputs.api_url, "--header", f"Authorization: Bearer {bearer}"]
    how = ["--seed", f"{SEED}", "--request-timeout", "60", "--no-shrink", "--continue-on-failure"]
    done = subprocess.run([*command, *where, *how, *options], cwd=folder, capture_output=True, text=True)
    (folder / "schemathesis.log").write_text(done.stdout + done.stderr)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr
    return done.stdout


# The least of them each day.
USERS = [each if each == "guest" else pytest.param(each, marks=pytest.mark.night("the guest")) for each in DEMO_USERS]


@pytest.mark.parametrize("user", USERS)
def test_every_promise_is_kept_to_every_group(deployment: Deployment, tmp_path: Path, user: str) -> None:
    report = run(deployment, tmp_path, user, *BRIEF)
    assert f"Tested: {sum(map(len, ROUTES.values()))}\n" in report


def test_every_promise_is_kept_to_a_user_in_all_groups(deployment: Deployment, tmp_path: Path) -> None:
    create_user(deployment.cloud, deployment.outputs, "everybody", GROUPS)
    run(deployment, tmp_path, "everybody", *FUZZED)
    run(deployment, tmp_path, "everybody", *COVERAGE)
