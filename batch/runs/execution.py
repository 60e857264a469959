"""An execution of a stage's state machine of runs: begun, followed, ended."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, takewhile
from typing import Any

from ops.errors import LocalError

Tell = Callable[[str], None]
# After so long without news, the state that goes on is told again.
STILL_SECONDS = 60
# What happens within a map is not told: it happens for each of its items.
_ENTERED, _LEFT = "MapStateEntered", ("MapStateExited", "MapStateFailed", "MapStateAborted")
# Choices take no time.
_TIMELESS = "ChoiceStateEntered"


class RunFailedError(LocalError):
    """A run failed, or could not begin; the message says why."""


@dataclass(frozen=True)
class Execution:
    """One execution, by its ARN; `states` is a client of Step Functions."""

    states: Any
    arn: str

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return bool(self._described()["status"] == "RUNNING")

    @property
    def run(self) -> str:
        """The name of the run, once it has ended; raises RunFailedError unless it has ended well."""
        told = self._described()
        if told["status"] != "SUCCEEDED":
            raise RunFailedError(f"no result: {_said(told.get('cause', told['status']))}")
        return str(json.loads(told["output"])["run"])

    def events(self, after: int) -> Sequence[Mapping[str, Any]]:
        """The events that came after the one with this number."""
        pages = self.states.get_paginator("get_execution_history").paginate(
            executionArn=self.arn, reverseOrder=True, includeExecutionData=False
        )
        newest_first = chain.from_iterable(page["events"] for page in pages)
        return [*takewhile(lambda event: event["id"] > after, newest_first)][::-1]

    def _described(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.states.describe_execution(executionArn=self.arn)
        return found


def begun(states: Any, machine: str, asked: Mapping[str, str]) -> Execution:
    """An execution that begins now."""
    return Execution(states, states.start_execution(stateMachineArn=machine, input=json.dumps(asked))["executionArn"])


class Progress:
    """Tells of each state that an execution enters, and every minute that it is still there."""

    def __init__(self, execution: Execution, tell: Tell, now: Callable[[], float] = time.monotonic) -> None:
        self._execution, self._tell, self._now = execution, tell, now
        self._state, self._since, self._told_at = "", now(), now()
        self._seen, self._in_map = 0, False

    def news(self) -> None:
        """Tell what there is to tell since the last time."""
        for event in self._execution.events(self._seen):
            self._seen = event["id"]
            self._hear(event)
        if self._state and self._now() - self._told_at >= STILL_SECONDS:
            self._say(f"{self._state}, {(self._now() - self._since) / 60:.0f} min so far")

    def _hear(self, event: Mapping[str, Any]) -> None:
        entered = event.get("stateEnteredEventDetails")
        if entered and event["type"] != _TIMELESS and not self._in_map:
            self._state, self._since = entered["name"], self._now()
            self._say(f"{self._state} ...")
        if event["type"] == _ENTERED or event["type"] in _LEFT:
            self._in_map = event["type"] == _ENTERED

    def _say(self, line: str) -> None:
        self._tell(line)
        self._told_at = self._now()


def _said(cause: str) -> str:
    """What a function raised, or the cause as it is."""
    with suppress(ValueError, TypeError, KeyError):
        return str(json.loads(cause)["errorMessage"])
    return cause
