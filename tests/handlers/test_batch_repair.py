"""The function that applies the plan of a run: once, however often it is asked, and only for the run under way."""

import gzip
import json
from decimal import Decimal
from typing import Any, cast

import pytest
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import clock
from edgewise.aggregates import keys as aggregate_keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.stream.verification import RepairRefusedError
from edgewise.times import DAY, HOUR, from_rfc_3339
from functions.catalog import CATALOG
from functions.errors import LostLockError, TornResultError
from functions.handlers import batch_repair
from functions.settings import BatchRepairSettings
from functions.systems.checks import locking
from functions.systems.checks.entity import Lock, Run
from tests.handlers.results import BUCKET
from tests.support.http import Context
from tests.support.streams import StreamedTable

RUN = "20261123T054100Z"
AT = from_rfc_3339("2026-11-23T05:41:00.000Z")
PART = f"runs/{RUN}/result/plan/part-00000.gz"
CUSTOMER = CATALOG.kinds["CUSTOMER"]("amy")
LINE = {"about": ["CUSTOMER", ["amy"]], "adds": {"Orders": [2, "12.50", None, 0]}, "stream_adds": {}, "close": False}
LINE |= {"knew": [["", []]], "together": 0}


@pytest.fixture(autouse=True)
def under_way(bucket: Any, table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run holds the lock, and a customer has too few orders."""
    monkeypatch.setattr(clock, "now", lambda: AT + HOUR)
    monkeypatch.setattr(batch_repair, "table", lambda: table)
    monkeypatch.setattr(batch_repair, "settings", lambda: BatchRepairSettings("unused", BUCKET, "puts"))
    locking.begin(table, Run(RUN, "reconcile", "running", AT), Lock(RUN, "execution", AT, AT + 3 * HOUR))
    stored = Aggregate(CUSTOMER, 1, {"Orders": Cell(1, Decimal("7.50"))})
    table.put_many([aggregate_item(stored)])


class Patient(Context):
    """An invocation that has just begun."""

    def get_remaining_time_in_millis(self) -> int:
        return 900_000


def put(bucket: Any, *lines: Any) -> None:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    bucket.put_object(Bucket=BUCKET, Key=PART, Body=gzip.compress(text.encode()))


def ask(run: str = RUN) -> dict[str, Any]:
    answer: dict[str, Any] = batch_repair.handler({"run": run, "part": PART}, cast(LambdaContext, Patient()))
    return answer


def stored(table: StreamedTable) -> Any:
    return aggregate(CUSTOMER, table.get(aggregate_keys.of(CUSTOMER))).cells


def test_a_plan_is_added_once(bucket: Any, table: StreamedTable) -> None:
    put(bucket, LINE)
    assert ask() == {"run": RUN, "part": PART, "aggregates": 1, "derived": 0, "written": 1, "current": 0}
    assert ask() == {"run": RUN, "part": PART, "aggregates": 1, "derived": 0, "written": 0, "current": 1}
    assert stored(table) == {"Orders": Cell(3, Decimal("20.00"))}


def test_what_is_derived_wrongly_is_derived_anew(bucket: Any, table: StreamedTable) -> None:
    """The same file may have both: the customer is found under a wrong name in the list of all."""
    key = aggregate_keys.of(CUSTOMER)
    right = table.get(key)
    assert right
    table.put_many([right | {"GSI1SK": {"S": "bob"}}])
    put(bucket, {"wrong": "entries", "key": list(key)})
    assert ask()["derived"] == 1
    item = table.get(key)
    assert item
    assert item["GSI1SK"] == right["GSI1SK"]


def test_only_the_run_that_holds_the_lock_repairs(bucket: Any, table: StreamedTable) -> None:
    put(bucket, LINE)
    with pytest.raises(LostLockError):
        ask("20261123T054101Z")
    assert stored(table) == {"Orders": Cell(1, Decimal("7.50"))}


def test_a_plan_of_the_day_before_is_refused(bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    put(bucket, LINE)
    monkeypatch.setattr(clock, "now", lambda: AT + DAY + 1)
    with pytest.raises(RepairRefusedError, match="more than a day old"):
        ask()


@pytest.mark.parametrize(
    "line",
    [
        {"about": ["NOBODY", ["amy"]], "adds": {}, "close": False},
        {"about": ["CUSTOMER", ["amy"]], "adds": {"Orders": [2, "many", None, 0]}, "close": False},
        {"about": ["CUSTOMER", ["amy"]]},
        {"wrong": "everything", "key": ["CUSTOMER#amy", "EDGE#"]},
    ],
)
def test_a_file_that_cannot_be_understood_changes_nothing(bucket: Any, table: StreamedTable, line: Any) -> None:
    put(bucket, LINE, line)
    with pytest.raises(TornResultError, match=r"part-00000\.gz, line 2"):
        ask()
    assert stored(table) == {"Orders": Cell(1, Decimal("7.50"))}
