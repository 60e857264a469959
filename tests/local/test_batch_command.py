"""The statuses with which `make reconcile`, `make backfill` and `make fill` end."""

from collections.abc import Mapping
from typing import Any
from unittest.mock import Mock

import pytest

from batch import __main__ as command
from batch.__main__ import AskedError, main
from local import followed_run
from local.processes import free_port
from local.run_results import Results
from local.stage import Stage
from tests.local.commands import outcome

CHECKED = {"aggregates": 3, "unsettled": 0, "quarantined": 0, "backfilling": 0, "late": 0, "unreadable": 0} | {
    "direct": {"verified": 0, "busy": 0, "differences": []},
}
RIGHT = CHECKED | {"differences": {}, "planned": 0, "to_backfill": 0, "derived": 0, "unjudged": []}
WRONG = RIGHT | {"differences": {"ROOM": {"wrong": 1, "follows": 0, "noted": 0}}}
FILLED = {"nodes": 1, "edges": 2, "components": 1, "seconds": 0.1}


@pytest.mark.parametrize(
    ("asked", "machine", "summary", "status"),
    [
        ("", {"kind": "reconcile"}, RIGHT, 0),
        ("", {"kind": "reconcile"}, WRONG, 1),
        ("plan", {"kind": "reconcile", "apply": "plan"}, WRONG, 1),
        ("backfill", {"kind": "reconcile", "apply": "backfill"}, RIGHT, 0),
        ("fill", {"kind": "fill"}, FILLED, 0),
    ],
)
def test_the_status_says_whether_something_differs(
    asked: str,
    machine: Mapping[str, str],
    summary: Mapping[str, Any],
    status: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    begin = Mock(return_value="R1")
    monkeypatch.setattr(followed_run, "outputs", lambda _: {followed_run.BUCKET: "runs"})
    monkeypatch.setattr(followed_run, "run", begin)
    monkeypatch.setattr(Stage, "client", lambda *_: None)
    monkeypatch.setattr(Results, "summary", lambda _: summary)
    monkeypatch.setattr(Results, "first", lambda *_: [])
    assert main("dev", asked) == status
    begin.assert_called_once_with(Stage("dev"), machine, print)
    assert capsys.readouterr().out.startswith("stored: GET /checks/R1\n")


def test_a_plan_that_there_is_none_of_begins_nothing() -> None:
    with pytest.raises(AskedError, match=r"^APPLY=everything: expected plan, or nothing$"):
        main("dev", "everything")


def test_without_a_result_the_status_is_another_one() -> None:
    status, printed = outcome("batch", "local", "", port=free_port())
    assert (status, printed.partition(":")[0]) == (command.NO_RESULT, "the local cloud is not running")
    assert command.NO_RESULT not in (0, 1)
