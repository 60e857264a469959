"""A second stage in the account: each answers for itself, and one goes without the other. Users are made as on AWS."""

import stat
from collections.abc import Iterator

import pytest
import requests

from local import deploy
from local.users import token as demo_token
from ops import passwords
from ops.local_cloud import Cloud, Outputs
from ops.processes import free_port
from tests.e2e.conftest import Deployment
from tests.support.commands import outcome

STAGE = "alice"
EVENTS = {"events": [{"device_id": "staged", "at": 0, "metrics": {"temp": 1}}]}


@pytest.fixture(scope="module")
def alice(deployment: Deployment) -> Outputs:
    deploy.synthesize(deployment.cloud, STAGE)
    return deploy.publish(deployment.cloud, STAGE)


@pytest.fixture(autouse=True)
def no_password_left() -> Iterator[None]:
    yield
    passwords.kept_in(STAGE, "sensor").unlink(missing_ok=True)


def command(account: Cloud, module: str, *arguments: str, **env: str) -> str:
    """What a command prints that is led to the account as to any on AWS: by its environment."""
    status, printed = outcome(module, STAGE, *arguments, port=free_port(), **(account.env() | env))
    assert status == 0, printed
    return printed.strip()


def tables(account: Cloud) -> list[str]:
    found: list[str] = account.client("dynamodb").list_tables()["TableNames"]
    return found


def statuses(outputs: Outputs, token: str) -> tuple[int, int]:
    """Of a reading that is stored, and of the devices' list of them."""
    headers, url = {"authorization": f"Bearer {token}"}, outputs.api_url
    stored = requests.post(f"{url}/telemetry", json=EVENTS, headers=headers, timeout=60)
    found = requests.get(f"{url}/devices/staged/events", headers=headers, timeout=60)
    return stored.status_code, len(found.json()["events"]) if found.ok else found.status_code


def test_stages_side_by_side(deployment: Deployment, alice: Outputs) -> None:
    account, other = deployment.cloud, deployment.outputs
    said = command(account, "ops.user", "sensor", "ingest")
    kept = passwords.kept_in(STAGE, "sensor")
    assert said == f"sensor on {STAGE}: ingest; the password is stored in {kept}"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert kept.read_text() not in said
    token, others = command(account, "ops.token", "sensor"), demo_token(account, other, "sensor")

    assert statuses(alice, token) == (202, 1)
    assert requests.get(f"{other.api_url}/health", timeout=60).status_code == 200
    assert statuses(other, token) == (401, 401), "a stage has users of its own"
    assert statuses(alice, others) == (401, 401)
    assert statuses(other, others) == (202, 1)

    again = command(account, "ops.user", "sensor", "write")
    assert again.startswith(f"sensor on {STAGE}: write; ")
    kept.unlink()
    assert command(account, "ops.user", "sensor", "write").endswith("; the password is the one you know")
    status, refused = outcome("ops.token", STAGE, "sensor", port=free_port(), **account.env())
    assert (status, refused) == (
        1,
        "the password of sensor is not stored here: set EDGEWISE_PASSWORD, or call this at a terminal\n",
    )
    told = "a-Password-of-my-own-1"
    command(account, "ops.user", "sensor", "", EDGEWISE_PASSWORD=told)
    assert statuses(alice, command(account, "ops.token", "sensor", EDGEWISE_PASSWORD=told)) == (202, 1)

    left = tables(account)
    left.remove(f"edgewise-{STAGE}")
    deploy.destroy(account, STAGE)
    assert tables(account) == left
    assert statuses(other, others) == (202, 1)
