"""The function that publishes the summaries of a fill: for the run under way, and all of them or none."""

import gzip
import json
from decimal import Decimal
from typing import Any, cast

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import clock
from edgewise.errors import InvalidInputError, OutOfTimeError
from edgewise.times import HOUR, from_rfc_3339
from functions.errors import LostLockError, TornResultError
from functions.handlers import batch_publish
from functions.settings import BatchPublishSettings
from functions.systems.checks import locking
from functions.systems.checks.entity import Lock, Run, RunKind
from functions.systems.graph import generations, summaries
from functions.systems.graph.entity import NodeId
from functions.systems.graph.summaries import AsOf
from functions.systems.graph.summary import Level, Similar, Summary
from tests.handlers.results import BUCKET
from tests.support.http import Context
from tests.support.streams import StreamedTable

RUN = "20261123T054100Z"
INSTANT = "2026-11-23T05:41:00.000Z"
AT = from_rfc_3339(INSTANT)
RESULT = f"runs/{RUN}/result"
ONE, TWO = (f"{RESULT}/nodes/part-0000{n}.gz" for n in range(2))
AMY, BOB = NodeId("person", "amy"), NodeId("person", "bob")
# As batch/graph/lines.py writes it.
LINE = {
    "node": ["person", "amy"],
    "pagerank": 0.0123,
    "component": ["city", "Bern"],
    "component_nodes": 4,
    "two": {"nodes": 1000, "at_least": True, "edges": 4321, "weight": "12.5"},
    "three": {"nodes": 0, "at_least": True, "edges": 0, "weight": "0"},
    "similar": [["person", "eve", 0.9102392266268373, 1]],
}
SUMMARY = Summary(
    AMY,
    Decimal("0.0123"),
    NodeId("city", "Bern"),
    4,
    Level(1000, True, 4321, Decimal("12.5")),
    Level(0, True, 0, Decimal(0)),
    (Similar("person", "eve", 0.9102392266268373, 1),),
)


@pytest.fixture(autouse=True)
def prepared(bucket: Any, table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fill holds the lock, and its job has written two files."""
    monkeypatch.setattr(clock, "now", lambda: AT + HOUR)
    monkeypatch.setattr(batch_publish, "table", lambda: table)
    monkeypatch.setattr(batch_publish, "settings", lambda: BatchPublishSettings("unused", BUCKET))
    under_way(table, "fill")
    put_lines(bucket, ONE, LINE)
    put_lines(bucket, TWO, LINE | {"node": BOB})
    put(bucket, f"{RESULT}/nodes/_SUCCESS", b"")
    told(bucket, nodes=2)


def under_way(table: StreamedTable, kind: RunKind) -> None:
    locking.begin(table, Run(RUN, kind, "running", AT), Lock(RUN, "execution", AT, AT + 3 * HOUR))


class Waiting(Context):
    """An invocation with so many milliseconds left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def get_remaining_time_in_millis(self) -> int:
        return self.left


def put(bucket: Any, key: str, body: bytes) -> None:
    bucket.put_object(Bucket=BUCKET, Key=key, Body=body)


def put_lines(bucket: Any, key: str, *lines: Any) -> None:
    put(bucket, key, gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))


def told(bucket: Any, nodes: int) -> None:
    summary = {"run": RUN, "instant": INSTANT, "items": 9, "unreadable": 0, "nodes": nodes}
    summary |= {"edges": 3, "components": 1, "seconds": 1.5}
    put(bucket, f"{RESULT}/summary.json", json.dumps(summary).encode())


def ask(do: str, run: str = RUN, left: int = 900_000, **more: str) -> dict[str, Any]:
    event = {"do": do, "run": run, **more}
    answer: dict[str, Any] = batch_publish.handler(event, cast(LambdaContext, Waiting(left)))
    return answer


def seen(table: StreamedTable) -> set[NodeId]:
    """Of whom readers see a summary now."""
    generations._known.clear()
    return {node for node in (AMY, BOB) if summaries.find(table, node)}


def test_readers_see_all_of_it_when_it_is_complete(table: StreamedTable) -> None:
    assert ask("publish", part=ONE) == {"run": RUN, "part": ONE, "nodes": 1}
    assert ask("publish", part=TWO) == {"run": RUN, "part": TWO, "nodes": 1}
    assert seen(table) == set()
    assert ask("complete") == {"run": RUN, "instant": INSTANT, "nodes": 2}
    assert seen(table) == {AMY, BOB}
    assert summaries.find(table, AMY) == AsOf(SUMMARY, AT)


def test_everything_may_be_repeated(table: StreamedTable) -> None:
    for _ in range(2):
        for part in (TWO, ONE):
            assert ask("publish", part=part)["nodes"] == 1
    assert ask("complete") == ask("complete")
    assert seen(table) == {AMY, BOB}


def test_half_of_it_is_not_complete(table: StreamedTable) -> None:
    ask("publish", part=ONE)
    with pytest.raises(TornResultError, match=r"part-00001\.gz: it is not published"):
        ask("complete")
    with pytest.raises(OutOfTimeError):
        ask("publish", part=TWO, left=60_000)
    with pytest.raises(TornResultError, match=r"part-00001\.gz: it is not published"):
        ask("complete")
    assert seen(table) == set()


def test_a_job_that_did_not_finish_is_not_complete(bucket: Any, table: StreamedTable) -> None:
    for part in (ONE, TWO):
        ask("publish", part=part)
    told(bucket, nodes=3)
    with pytest.raises(TornResultError, match="2 nodes"):
        ask("complete")
    bucket.delete_object(Bucket=BUCKET, Key=f"{RESULT}/nodes/_SUCCESS")
    with pytest.raises(TornResultError, match="_SUCCESS"):
        ask("complete")
    assert seen(table) == set()


@pytest.mark.parametrize(("do", "more"), [("publish", {"part": ONE}), ("complete", {})])
def test_only_the_run_that_holds_the_lock_publishes(table: StreamedTable, do: str, more: dict[str, str]) -> None:
    for part in (ONE, TWO):
        ask("publish", part=part)
    locking.release(table, RUN)
    with pytest.raises(LostLockError):
        ask(do, RUN, 900_000, **more)
    assert seen(table) == set()


def test_a_file_of_another_run_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="part"):
        ask("publish", part=ONE.replace(RUN, "20261122T054100Z"))


def test_a_reconcile_has_no_summaries(table: StreamedTable) -> None:
    locking.release(table, RUN)
    other = "20261123T064100Z"
    locking.begin(table, Run(other, "reconcile", "running", AT), Lock(other, "execution", AT, AT + HOUR))
    with pytest.raises(InvalidInputError, match="must be a fill"):
        ask("complete", other)


@pytest.mark.parametrize("change", [{"node": "amy"}, {"pagerank": "high"}, {"two": None}, {"similar": [["person"]]}])
def test_a_file_that_cannot_be_understood_is_refused(bucket: Any, change: dict[str, Any]) -> None:
    put_lines(bucket, ONE, LINE, LINE | change)
    with pytest.raises(TornResultError, match=r"part-00000\.gz, line 2"):
        ask("publish", part=ONE)
