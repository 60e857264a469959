"""Two stages in one account: each answers for itself, and one goes without the other. Users are made as on AWS."""

import stat
from collections.abc import Iterator

import pytest
import requests

from local import deploy, passwords
from local.cloud import Cloud, running
from local.deploy import Outputs
from local.processes import free_port
from tests.local.commands import outcome

STAGES = ("alice", "bob")
EVENTS = {"events": [{"device_id": "d", "at": 0, "metrics": {"temp": 1}}]}


@pytest.fixture(scope="module")
def account(local_cloud: None) -> Iterator[Cloud]:
    with running(free_port(), auth=True) as cloud:
        deploy.bootstrap(cloud)
        yield cloud


@pytest.fixture(scope="module")
def deployed(account: Cloud) -> dict[str, Outputs]:
    return {stage: published(account, stage) for stage in STAGES}


@pytest.fixture(autouse=True)
def no_passwords_left() -> Iterator[None]:
    yield
    for stage in STAGES:
        passwords.kept_in(stage, "sensor").unlink(missing_ok=True)


def published(account: Cloud, stage: str) -> Outputs:
    with deploy.synthesis(account, stage) as synth:
        synth.finish()
    return deploy.publish(account, stage)


def command(account: Cloud, module: str, *arguments: str, **env: str) -> str:
    """What a command prints that is led to the account as to any on AWS: by its environment."""
    status, printed = outcome(module, *arguments, port=free_port(), **(account.env() | env))
    assert status == 0, printed
    return printed.strip()


def statuses(outputs: Outputs, token: str) -> tuple[int, int]:
    """Of a reading that is stored, and of the devices' list of them."""
    headers, url = {"authorization": f"Bearer {token}"}, outputs.api_url
    stored = requests.post(f"{url}/telemetry", json=EVENTS, headers=headers, timeout=60)
    found = requests.get(f"{url}/devices/d/events", headers=headers, timeout=60)
    return stored.status_code, len(found.json()["events"]) if found.ok else found.status_code


def test_stages_side_by_side(account: Cloud, deployed: dict[str, Outputs]) -> None:
    for stage in STAGES:
        said = command(account, "local.user", stage, "sensor", "ingest")
        kept = passwords.kept_in(stage, "sensor")
        assert said == f"sensor on {stage}: ingest; the password is stored in {kept}"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        assert kept.read_text() not in said
    tokens = {stage: command(account, "local.token", stage, "sensor") for stage in STAGES}

    assert statuses(deployed["alice"], tokens["alice"]) == (202, 1)
    assert requests.get(f"{deployed['bob'].api_url}/health", timeout=60).status_code == 200
    assert statuses(deployed["bob"], tokens["alice"]) == (401, 401), "a stage has users of its own"
    assert statuses(deployed["bob"], tokens["bob"]) == (202, 1)

    again = command(account, "local.user", "bob", "sensor", "write")
    assert again.startswith("sensor on bob: write; ")
    passwords.kept_in("bob", "sensor").unlink()
    assert command(account, "local.user", "bob", "sensor", "write").endswith("; the password is the one you know")
    status, refused = outcome("local.token", "bob", "sensor", port=free_port(), **account.env())
    assert (status, refused) == (
        1,
        "the password of sensor is not stored here: set EDGEWISE_PASSWORD, or call this at a terminal\n",
    )
    told = "a-Password-of-my-own-1"
    command(account, "local.user", "bob", "sensor", "", EDGEWISE_PASSWORD=told)
    token = command(account, "local.token", "bob", "sensor", EDGEWISE_PASSWORD=told)

    deploy.destroy(account, "alice")
    tables = account.client("dynamodb").list_tables()["TableNames"]
    assert tables == ["edgewise-bob"]
    assert statuses(deployed["bob"], token) == (202, 1)
