"""The deployed API keeps what its OpenAPI document promises, whoever asks: schemathesis, three minutes at the most.

By its name it is the last module here: the others would find what it stores.
"""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from functions.catalog import ROUTES
from functions.system import GROUPS
from functions.systems.api.routes import OPENAPI
from local.users import DEMO_USERS, create_user, token
from tests.e2e.conftest import Deployment

pytestmark = pytest.mark.xdist_group("e2e")

CONFIG = Path(__file__).with_name("schemathesis.toml")
SEED = 10
MINUTES, WORTHWHILE = 3 * 60, 30
# Every operation, a few times: few enough for any machine.
BRIEF = ("--phases", "fuzzing", "--max-examples", "3")
# With every value that the document makes special, for the rest of the time.
THOROUGH = ("--phases", "coverage,fuzzing", "--max-examples", "20")


@pytest.fixture(scope="module")
def began(deployment: Deployment) -> float:
    """When the first of these tests had an API to ask."""
    return time.monotonic()


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


@pytest.mark.parametrize("user", DEMO_USERS)
def test_every_promise_is_kept_to_every_group(deployment: Deployment, began: float, tmp_path: Path, user: str) -> None:
    report = run(deployment, tmp_path, user, *BRIEF)
    assert f"Tested: {sum(map(len, ROUTES.values()))}\n" in report


def test_every_promise_is_kept_to_who_may_do_everything(deployment: Deployment, began: float, tmp_path: Path) -> None:
    create_user(deployment.cloud, deployment.outputs, "everybody", GROUPS)
    left = MINUTES - (time.monotonic() - began)
    if left < WORTHWHILE:
        pytest.skip("this machine is too busy for more than a few cases of each operation")
    run(deployment, tmp_path, "everybody", *THOROUGH, "--max-time", f"{int(left)}")
