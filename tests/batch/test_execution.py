"""Executions are told of as people want to hear of them: each state once, and that it goes on."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from batch.runs.execution import Execution, Progress, RunFailedError

RUN = "20261123T054100Z"


def raised(message: str) -> str:
    """The cause, as Lambda tells it."""
    return json.dumps({"errorMessage": message, "errorType": "AnError", "stackTrace": []})


@dataclass
class History:
    """The history of one execution, of which pages have two events, the newest first."""

    events: list[Mapping[str, Any]] = field(default_factory=list)
    told: Mapping[str, Any] = field(default_factory=dict)
    pages_read: int = 0

    def add(self, *kinds: str) -> None:
        """Events such as `Task:Job` (the state Job is entered) or `MapStateExited`."""
        for each in kinds:
            kind, _, name = each.partition(":")
            entered = {"type": f"{kind}StateEntered", "stateEnteredEventDetails": {"name": name}}
            self.events.append({"id": len(self.events) + 1, **(entered if name else {"type": kind})})

    def get_paginator(self, operation: str) -> "History":
        assert operation == "get_execution_history"
        return self

    def paginate(self, *, executionArn: str, reverseOrder: bool, **_: Any) -> Iterable[Mapping[str, Any]]:
        assert (executionArn, reverseOrder) == ("arn", True)
        newest: Sequence[Any] = self.events[::-1]
        for first in range(0, len(newest), 2):
            self.pages_read += 1
            yield {"events": newest[first : first + 2]}

    def describe_execution(self, *, executionArn: str) -> Mapping[str, Any]:
        assert executionArn == "arn"
        return self.told


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_each_state_is_told_once_and_neither_choices_nor_what_happens_for_each_item_of_a_map() -> None:
    history, told = History(), list[str]()
    progress = Progress(Execution(history, "arn"), told.append, Clock())
    history.add("ExecutionStarted", "Task:Begin", "TaskStateExited", "Choice:Is it a check?", "Map:Exports")
    progress.news()
    history.add("Task:Look", "Choice:Is it complete?", "Wait:Look again", "Task:Look", "MapStateExited", "Task:Job")
    progress.news()
    progress.news()
    assert told == ["Begin ...", "Exports ...", "Job ..."]


def test_a_failed_map_is_left_too() -> None:
    history, told = History(), list[str]()
    history.add("Map:Exports", "Task:Look", "MapStateFailed", "Task:Failed")
    Progress(Execution(history, "arn"), told.append, Clock()).news()
    assert told == ["Exports ...", "Failed ..."]


def test_only_news_are_read() -> None:
    history = History()
    progress = Progress(Execution(history, "arn"), lambda _: None, Clock())
    history.add(*["TaskScheduled"] * 10)
    progress.news()
    history.add("Task:Job")
    history.pages_read = 0
    progress.news()
    assert history.pages_read == 1


def test_a_state_that_goes_on_is_told_every_minute() -> None:
    history, told, clock = History(), list[str](), Clock()
    progress = Progress(Execution(history, "arn"), told.append, clock)
    history.add("Task:Job")
    for clock.seconds in (0, 59, 60, 100, 121):
        progress.news()
    assert told == ["Job ...", "Job, 1 min so far", "Job, 2 min so far"]


def test_an_execution_that_ended_well_names_its_run() -> None:
    history = History(told={"status": "SUCCEEDED", "output": f'{{"run": "{RUN}", "state": "done"}}'})
    assert Execution(history, "arn").run == RUN


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ({"status": "FAILED", "cause": raised("the job died")}, "no result: the job died"),
        (
            {"status": "FAILED", "error": "ExportFailed", "cause": "an export failed"},
            "no result: an export failed",
        ),
        ({"status": "TIMED_OUT"}, "no result: TIMED_OUT"),
        (
            {"status": "FAILED", "cause": raised(f"the run {RUN} is")},
            f"no result: the run {RUN} is",
        ),
    ],
)
def test_one_that_did_not_says_why(state: Mapping[str, str], said: str) -> None:
    with pytest.raises(RunFailedError, match=f"^{said}$"):
        _ = Execution(History(told=state), "arn").run
