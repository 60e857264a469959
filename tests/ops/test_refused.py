"""What people get wrong, on the command line: one status, a few words, no traceback."""

import json
from pathlib import Path

import pytest

from ops.processes import free_port
from tests.support.commands import outcome

EVENTS = Path(__file__).parents[1] / "events"
HTTP = str(EVENTS / "telemetry_http.json")
NO_AWS = {"AWS_CONFIG_FILE": "/dev/null", "AWS_SHARED_CREDENTIALS_FILE": "/dev/null"}


def refused(module: str, *arguments: str, **env: str) -> str:
    """What the command printed, which is no more than a few lines."""
    status, printed = outcome(module, *arguments, port=free_port(), **env)
    assert status == 1
    assert "Traceback" not in printed
    return printed


@pytest.mark.parametrize(
    ("on", "command", "said"),
    [
        ("local", ["nonsense"], "'nonsense': expected one of"),
        ("local", [], "'': expected one of"),
        ("local", ["list"], "the local cloud is not running: make run, or ON=STAGE"),
        ("dev", ["list"], "ON=dev: You must specify a region."),
    ],
)
def test_redrive(on: str, command: list[str], said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    assert refused("ops.redrive", on, *command, **NO_AWS).startswith(said)


def test_invoke_with_an_event_of_another_service(tmp_path: Path) -> None:
    event = tmp_path / "s3.json"
    event.write_text(json.dumps({"Records": [{"eventSource": "aws:s3", "s3": {}}]}))
    assert refused("local.invoke", "telemetry", str(event)).startswith(
        "telemetry takes events of an HTTP API (payload format 2.0) or SQS; here, Records.0.eventSource: "
    )


@pytest.mark.parametrize(
    ("name", "said"),
    [("edge_aggregator", "DynamoDB Streams with a tumbling window"), ("orders", "POST /customers/{customer}/orders")],
)
def test_invoke_with_an_event_of_another_function(name: str, said: str) -> None:
    assert said in refused("local.invoke", name, HTTP)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "No such file or directory"),
        (b"\xff", "is not JSON"),
    ],
)
def test_invoke_with_what_is_no_event(tmp_path: Path, content: bytes | None, said: str) -> None:
    event = tmp_path / "event.json"
    if content is not None:
        event.write_bytes(content)
    assert refused("local.invoke", "telemetry", str(event)).startswith(f"EVENT={event}: {said}")


def test_invoke_with_a_folder(tmp_path: Path) -> None:
    assert refused("local.invoke", "telemetry", str(tmp_path)) == f"EVENT={tmp_path}: Is a directory\n"


def test_invoke_without_function_and_event() -> None:
    assert refused("local.invoke", "", "").startswith("FN=: expected one of telemetry, ")


def test_token_without_a_cloud() -> None:
    assert refused("ops.token", "guest").startswith("the local cloud is not running: make run")


def test_token_without_a_name() -> None:
    assert refused("ops.token", "local", "") == "usage: make token ON=STAGE NAME=...\n"


def test_user_in_a_group_that_is_none() -> None:
    said = "GROUPS=write,boss: expected some of ingest,import,write,admin, or nothing for read-only users\n"
    assert refused("ops.user", "local", "amy", "write,boss") == said


def test_revoke_without_a_name() -> None:
    assert refused("ops.revoke", "local", "", "") == "usage: make revoke ON=STAGE NAME=... [GROUPS=write,admin]\n"


def test_user_without_a_name() -> None:
    assert refused("ops.user", "local", "", "write") == "usage: make user ON=STAGE NAME=... GROUPS=ingest,write\n"
