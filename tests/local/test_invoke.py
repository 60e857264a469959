import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.invoke import InvokeError, invoke
from local.processes import free_port

EVENTS = Path(__file__).resolve().parents[1] / "events"


def test_an_unknown_function_is_answered_with_the_known_ones() -> None:
    with pytest.raises(InvokeError, match=r"FN=telemtry: .*telemetry, chat, .*, edge_aggregator, cascade"):
        invoke("telemtry", EVENTS / "telemetry_http.json")


@pytest.mark.parametrize("content", [None, "", "{", "not JSON", "[" * 100_000])
def test_an_event_that_cannot_be_read_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "event.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(InvokeError, match=r"EVENT=.*event\.json"):
        invoke("telemetry", path)


@pytest.mark.parametrize(
    ("name", "event", "expected"),
    [
        ("telemetry", "telemetry_http.json", {"statusCode": 202, "body": '{"accepted":2,"rejected":[]}'}),
        ("edge_aggregator", "edge_aggregator_stream.json", {"state": {}, "batchItemFailures": []}),
    ],
)
def test_without_a_cloud_a_function_works_on_a_table_in_memory(
    name: str, event: str, expected: dict[str, object]
) -> None:
    # A process of its own, because handlers keep the table that they first saw.
    command = [sys.executable, "-m", "local.invoke", name, str(EVENTS / event)]
    env = os.environ | {"EDGEWISE_PORT": str(free_port())}
    done = subprocess.run(command, cwd=EVENTS.parents[1], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout).items() >= expected.items()
