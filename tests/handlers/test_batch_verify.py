"""The function that verifies directly: what a job was in doubt about, for the run under way, without writing."""

import gzip
import json
import time
from decimal import Decimal
from typing import Any, cast

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import clock
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.stream import quarantine
from edgewise.times import HOUR, from_rfc_3339
from functions.catalog import CATALOG
from functions.errors import LostLockError, TornResultError
from functions.handlers import batch_verify
from functions.settings import BatchVerifySettings
from functions.systems.checks import locking
from functions.systems.checks.entity import Lock, Run
from tests.handlers.results import BUCKET
from tests.support.http import Context
from tests.support.streams import StreamedTable

RUN = "20261123T054100Z"
AT = from_rfc_3339("2026-11-23T05:41:00.000Z")
RESULT = f"runs/{RUN}/result"
AMY, BOB = (CATALOG.kinds["CUSTOMER"](name) for name in ("amy", "bob"))


@pytest.fixture(autouse=True)
def under_way(bucket: Any, table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run holds the lock. Amy and bob have no orders, but amy's aggregate counts one. Each look is a minute later."""
    shown = [AT + HOUR]

    def look(_: float) -> None:
        shown[0] += 60_000

    monkeypatch.setattr(clock, "now", lambda: shown[0])
    monkeypatch.setattr(time, "sleep", look)
    monkeypatch.setattr(batch_verify, "table", lambda: table)
    monkeypatch.setattr(batch_verify, "settings", lambda: BatchVerifySettings("unused", BUCKET, "30"))
    locking.begin(table, Run(RUN, "reconcile", "running", AT), Lock(RUN, "execution", AT, AT + 3 * HOUR))
    table.put_many([aggregate_item(Aggregate(AMY, 1, {"Orders": Cell(1, Decimal("7.50"))}))])


class Hurried(Context):
    """An invocation with time for some looks."""

    def __init__(self) -> None:
        self.left = 120_000

    def get_remaining_time_in_millis(self) -> int:
        self.left -= 1000
        return self.left


def put(bucket: Any, *lines: Any, whole: bool = True) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    bucket.put_object(Bucket=BUCKET, Key=f"{RESULT}/doubtful/part-00000.gz", Body=gzip.compress(text.encode()))
    if whole:
        bucket.put_object(Bucket=BUCKET, Key=f"{RESULT}/doubtful/_SUCCESS", Body=b"")


def ask(run: str = RUN) -> dict[str, Any]:
    answer: dict[str, Any] = batch_verify.handler({"run": run}, cast(LambdaContext, Hurried()))
    return answer


def told(bucket: Any) -> Any:
    return json.loads(bucket.get_object(Bucket=BUCKET, Key=f"{RESULT}/direct.json")["Body"].read())


def test_what_it_finds_is_put_beside_what_the_job_has_found(bucket: Any, table: StreamedTable) -> None:
    put(bucket, {"about": AMY.plain}, {"about": BOB.plain})
    before = table.all_items()
    assert ask() == {"run": RUN, "verified": 1, "busy": 0, "wrong": 1}
    found = told(bucket)
    (wrong,) = found["differences"]
    assert (found["verified"], found["busy"]) == (1, 0)
    assert (wrong["kind"], wrong["why"], wrong["about"]) == ("CUSTOMER", "wrong", ["CUSTOMER", ["amy"]])
    assert (wrong["expected"], wrong["stored"]) == ({"Orders": ""}, {"Orders": "1 7.50"})
    assert table.all_items() == before


def test_nothing_is_called_wrong_while_a_record_is_in_quarantine(bucket: Any, table: StreamedTable) -> None:
    quarantine.quarantine(table, "shard", quarantine.Entry({"dynamodb": {"SequenceNumber": "7"}}, "why"))
    put(bucket, {"about": AMY.plain})
    assert ask() == {"run": RUN, "verified": 0, "busy": 1, "wrong": 0}


def test_there_may_be_nothing_to_verify(bucket: Any) -> None:
    put(bucket)
    assert ask() == {"run": RUN, "verified": 0, "busy": 0, "wrong": 0}
    assert told(bucket) == {"verified": 0, "busy": 0, "differences": []}


def test_only_the_run_that_holds_the_lock_verifies(bucket: Any) -> None:
    put(bucket)
    with pytest.raises(LostLockError):
        ask("20261123T054101Z")


@pytest.mark.parametrize("line", [{}, {"about": []}, {"about": ["NONE", ["x"]]}, {"about": [1, 2]}])
def test_a_line_that_names_no_aggregate(bucket: Any, line: Any) -> None:
    put(bucket, {"about": AMY.plain}, line)
    with pytest.raises(TornResultError, match="line 2"):
        ask()


def test_a_job_that_did_not_finish(bucket: Any) -> None:
    put(bucket, whole=False)
    with pytest.raises(TornResultError, match="_SUCCESS"):
        ask()
