"""`make halt`, `make pause` and `make resume`: who may run, and what is delivered; each may be repeated."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from ops import refusal
from ops.halting import halt, pause, resume
from ops.stage import Stage

OUTPUTS = {
    "api": {"ApiUrl": "https://a", "ChatFunctionName": "chat", "TelemetryFunctionName": "telemetry"},
    "edge-stream": {"EdgeAggregatorFunctionName": "reader", "RedriveFunctionName": "redrive"},
    "cascade": {"CascadeFunctionName": "cascade"},
    "table": {"TableName": "attached"},
}
OWNERS = {"telemetry": "queue", "reader": "stream", "cascade": "stream too"}


@dataclass
class Faked:
    """What the commands use of Lambda: reserved concurrency, and mappings."""

    reserved: dict[str, int] = field(default_factory=dict)
    enabled: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(OWNERS.values(), True))

    def put_function_concurrency(self, *, FunctionName: str, ReservedConcurrentExecutions: int) -> None:
        self.reserved[FunctionName] = ReservedConcurrentExecutions

    def delete_function_concurrency(self, *, FunctionName: str) -> None:
        self.reserved.pop(FunctionName, None)

    def list_event_source_mappings(self, *, FunctionName: str) -> Mapping[str, Any]:
        return {"EventSourceMappings": [{"UUID": OWNERS[FunctionName]}] if FunctionName in OWNERS else []}

    def update_event_source_mapping(self, *, UUID: str, Enabled: bool) -> None:
        self.enabled[UUID] = Enabled


class FakedStage(Stage):
    """A stage with these functions."""

    def __init__(self, functions: Faked) -> None:
        super().__init__("dev")
        object.__setattr__(self, "functions", functions)

    def client(self, _service: str, _config: Any = None) -> Any:
        return cast(Any, self).functions

    def outputs(self, part: str, *_names: str) -> Mapping[str, str]:
        return OUTPUTS[part]


def test_a_halted_stage_runs_nothing_that_the_api_calls_and_reads_neither_stream_nor_queue() -> None:
    """Functions for operators still run, and readers keep their reserved concurrency."""
    functions = Faked(reserved={"reader": 5})
    for _ in range(2):
        halt(FakedStage(functions))
    assert functions.reserved == {"chat": 0, "telemetry": 0, "reader": 5}
    assert set(functions.enabled.values()) == {False}


def test_a_paused_stage_reads_no_stream_and_everything_else_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    functions = Faked(reserved={"reader": 5})
    for _ in range(2):
        pause(FakedStage(functions))
    assert functions.reserved == {"reader": 5}
    assert functions.enabled == {"stream": False, "stream too": False, "queue": True}
    monkeypatch.setattr(refusal, "end", lambda _client, _table: None)
    resume(FakedStage(functions))
    assert functions.reserved == {"reader": 5}
    assert set(functions.enabled.values()) == {True}


def test_it_resumes_and_the_table_that_is_used_takes_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    functions, taking = Faked(reserved={"reader": 5}), list[str]()
    monkeypatch.setattr(refusal, "end", lambda _, table: taking.append(table))
    halt(FakedStage(functions))
    assert taking == []
    for _ in range(2):
        resume(FakedStage(functions))
    assert taking == ["attached"] * 2
    assert functions.reserved == {"reader": 5}
    assert set(functions.enabled.values()) == {True}
