"""What docs/deploying.md shows is what comes back, what there is to set, and what make has."""

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from pathlib import Path

from edgewise.dynamodb.table import Table
from infra.settings import InfraSettings
from tests.support.http import Client
from tests.support.queue import batch, deliver, failed

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "deploying.md").read_text()
ANSWERS = dict(re.findall(r"^```json (.+?)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
(SENT,) = re.findall(r"-d '(.*?)'$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_first_requests_are_answered_as_shown(drain: Callable[[], None], table: Table) -> None:
    sensor = Client("sensor", ("ingest",))
    stored = sensor.call("POST /telemetry", body=json.loads(SENT))
    drain()
    found = sensor.call("GET /devices/{device}", device="123")
    assert json.loads(ANSWERS["POST /telemetry"]) == stored.body
    assert json.loads(ANSWERS["GET /devices/{device}"]) == found.body


def test_a_message_of_the_queue_is_stored_like_a_request(drain: Callable[[], None], table: Table) -> None:
    (message,) = re.findall(r"--message-body '(.*?)'$", PAGE, re.MULTILINE | re.DOTALL)
    assert failed(deliver(batch(message))) == []
    drain()
    found = Client("sensor", ("ingest",)).call("GET /devices/{device}", device="123")
    assert json.loads(ANSWERS["GET /devices/{device}"]) == found.body


def test_every_setting_is_told_with_what_holds_without_it() -> None:
    rows = re.findall(r"^\| (`.+?) \| (.+?) \|", PAGE, re.MULTILINE)
    told = {name: without for names, without in rows for name in re.findall(r"`(\w+)`", names)}
    settings = {field.name: field for field in fields(InfraSettings) if field.name != "stage"}
    assert told.keys() == settings.keys()
    defaults = InfraSettings("test")
    for name in ("production", "protected", "emulator", "queue_concurrency", "log_days", "alarms", "traces"):
        assert told[name].strip("`") == str(getattr(defaults, name)).lower()
    assert told["request_rate"] == f"{defaults.request_rate}, {defaults.request_burst}"
    assert all(field.default is not MISSING or field.default_factory is not MISSING for field in settings.values())


def test_the_commands_are_those_of_make() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"\bmake (?:-s )?([a-z]+) (?:STAGE|ON)=", PAGE)) == {
        "bootstrap",
        "deploy",
        "destroy",
        "user",
        "revoke",
        "token",
    }
    assert targets >= {"bootstrap", "deploy", "destroy", "user", "revoke", "token"}
