import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from local.events import FUNCTIONS
from local.invoke import InvokeError, invoke
from ops.processes import free_port

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


# Each function, an event, and a part of what the answer or, where there is none, the log shows.
TABLE = [
    ("telemetry", "telemetry_http", '"accepted":2'),
    ("telemetry", "telemetry_device_http", '"device":"JFK","summary":{"events":3,"places":1'),
    ("telemetry", "telemetry_sqs", '"itemIdentifier": "2e1424d4-f796-459a-8184-9c92662be6da"'),
    ("chat", "chat_http", '"accepted":1'),
    ("places", "places_http", '"id":"Equipment_1","path":["USA","TX","Houston"]'),
    ("billing", "billing_http", '"bills":2,"amount":200'),
    ("graph", "graph_http", '"label":"KNOWS","edges":2'),
    ("walks", "walks_http", '"id":"kim","depth":2'),
    ("alerts", "alerts_http", '"alert":"degraded"'),
    ("orders", "orders_http", '"order_id":"Order-4"'),
    ("games", "games_http", '"rank":2'),
    ("audits", "audits_http", '"version":12'),
    ("documents", "documents_http", '"title":"The handbook"'),
    ("checks", "checks_http", '"checks":[]'),
    ("operations", "operations_http", '"incomplete":[]'),
    ("quarantine", "quarantine_http", '"records":[]'),
    ("proof", "proof_http", '"verdict":"unwatched"'),
    ("proof", "proof_run_http", '"verdict":"equal"'),
    ("api", "api_http", '"status":"ok"'),
    ("search", "search_http", '"total":0'),
    ("indexer", "indexer_sqs", '"things":1,'),
    ("outlet", "outlet_sqs", '"events":1,"failed":0'),
    ("push", "push_http", '"socket_ends_at":"2100-01-01T00:00:00.000Z"'),
    ("pusher", "pusher_sqs", '"notices":1,"taken":1'),
    ("socket", "socket_connect", '"event":"CONNECT"'),
    ("socket", "socket_subscribe", '"event":"MESSAGE"'),
    ("socket", "socket_disconnect", '"event":"DISCONNECT"'),
    ("socket_authorizer", "socket_authorizer_ticket", '"Effect": "Allow"'),
    ("socket_sweeper", "socket_sweeper_schedule", '"closed":'),
    ("redrive", "redrive_recount", '"equal": true'),
    ("sweeper", "sweeper_schedule", '"complete":true'),
    ("heartbeat", "heartbeat_sqs", '"shards":0'),
    ("edge_aggregator", "edge_aggregator_stream", '"written":'),
    ("cascade", "cascade_stream", '"finished":1'),
    ("batch_run", "batch_run_begin", '"kind": "reconcile"'),
    ("batch_repair", "batch_repair_part", '"aggregates": 0'),
    ("batch_verify", "batch_verify_run", '"verified": 1, "busy": 0'),
    ("batch_publish", "batch_publish_part", '"nodes": 0'),
    ("last_line", "last_line_object", '"IncompleteAggregates":['),
]
# Of one process and one table for all, because both take seconds to make. On Lambda, no function would meet the end of
# the time that another one had.
EACH = """
import sys
from contextlib import redirect_stdout
from io import StringIO
from json import dumps
from pathlib import Path
from local.invoke import call, read_event, seeded

shown = []
log = StringIO()
with redirect_stdout(log), seeded():
    from functions.web import runtime
    for name, event in zip(sys.argv[1::2], sys.argv[2::2]):
        log.seek(0)
        log.truncate()
        runtime.table().allow(300)
        shown.append(dumps(call(name, read_event(Path(event))), default=str) + log.getvalue())
print(dumps(shown))
"""


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    """What each event of the table makes its function answer and log, by its file."""
    pairs = [part for name, event, _ in TABLE for part in (name, str(EVENTS / f"{event}.json"))]
    done = subprocess.run([sys.executable, "-c", EACH, *pairs], cwd=EVENTS.parents[1], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return dict(zip((event for _, event, _ in TABLE), json.loads(done.stdout.splitlines()[-1]), strict=True))


@pytest.mark.xdist_group("invoke")  # or each test process would start the one that calls them all
@pytest.mark.parametrize(("event", "part"), [(event, part) for _, event, part in TABLE])
def test_the_answer_shows_something(event: str, part: str, shown: dict[str, str]) -> None:
    assert part in shown[event].replace("\\", "")


def test_the_table_has_every_function() -> None:
    assert {name for name, _, _ in TABLE} == set(FUNCTIONS)


@pytest.mark.parametrize(
    ("name", "event", "expected"),
    [
        ("telemetry", "telemetry_device_http.json", {"statusCode": 200}),
        ("edge_aggregator", "edge_aggregator_stream.json", {"state": {}, "batchItemFailures": []}),
    ],
)
def test_without_a_cloud_a_function_works_on_a_table_in_memory_and_says_so(
    name: str, event: str, expected: dict[str, object]
) -> None:
    command = [sys.executable, "-m", "local.invoke", name, str(EVENTS / event)]
    env = os.environ | {"EDGEWISE_PORT": str(free_port())}
    done = subprocess.run(command, cwd=EVENTS.parents[1], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout).items() >= expected.items()
    assert done.stderr.startswith("on a table in memory, with a few samples\n")
