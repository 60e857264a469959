"""The deployed API keeps what its OpenAPI document promises, whoever asks: schemathesis, three minutes at the most."""

import subprocess
import sys
from pathlib import Path

import pytest

from functions.handlers.api import OPENAPI
from functions.routes import GROUPS
from local.users import DEMO_USERS, create_user, token
from tests.e2e.conftest import Deployment

pytestmark = pytest.mark.xdist_group("e2e")

CONFIG = Path(__file__).with_name("schemathesis.toml")
SEED = 10
# Every operation with every value that the document makes special, by somebody who may do everything.
THOROUGH = ("--phases", "coverage,fuzzing", "--max-examples", "10", "--max-time", "80")
# The same operations by those who may not.
BRIEF = ("--phases", "fuzzing", "--max-examples", "5", "--max-time", "15")


def run(deployment: Deployment, folder: Path, user: str, *options: str) -> None:
    """Fail with what schemathesis prints: each broken promise with the request that shows it, cases, seed."""
    bearer = token(deployment.cloud, deployment.outputs, user)
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIG), "run", str(OPENAPI)]
    where = ["--url", deployment.outputs.api_url, "--header", f"Authorization: Bearer {bearer}"]
    how = ["--seed", f"{SEED}", "--request-timeout", "60", "--no-shrink", "--continue-on-failure"]
    done = subprocess.run([*command, *where, *how, *options], cwd=folder, capture_output=True, text=True)
    (folder / "schemathesis.log").write_text(done.stdout + done.stderr)
    assert done.returncode == 0, done.stdout[-20_000:] + done.stderr


def test_every_promise_is_kept_to_who_may_do_everything(deployment: Deployment, tmp_path: Path) -> None:
    create_user(deployment.cloud, deployment.outputs, "everybody", GROUPS)
    run(deployment, tmp_path, "everybody", *THOROUGH)


@pytest.mark.parametrize("user", DEMO_USERS)
def test_every_promise_is_kept_to_every_group(deployment: Deployment, tmp_path: Path, user: str) -> None:
    run(deployment, tmp_path, user, *BRIEF)
