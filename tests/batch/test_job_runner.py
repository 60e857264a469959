"""The job of a run is done where the run was begun, and the state machine hears how it ended."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import pytest

from batch import job
from batch.exports import TornExportError
from batch.runs import changes, job_runner
from batch.runs.execution import Execution
from batch.runs.job_runner import CAUSE, ERROR, Runner
from edgewise.dynamodb.attributes import Item
from ops.local_cloud import Cloud, Outputs

RUN = {
    "run": "20261123T054100Z",
    "kind": "reconcile",
    "full_prefix": "runs/20261123T054100Z/full",
    "increment_prefix": "runs/20261123T054100Z/increment",
    "result_prefix": "runs/20261123T054100Z/result",
    "previous_prefix": "runs/20261122T054100Z/result",
}
NAMES = {"BatchMachineArn": "machine", "JobQueueUrl": "queue", "RunsBucketName": "bucket", "TableName": "table"}


@dataclass
class Faked:
    """What the runner uses of AWS: a machine with some executions by their status, a queue, a bucket.

    An execution that is answered ends.
    """

    home: Path
    executions: dict[str, dict[str, str]]
    messages: list[dict[str, Any]]
    answered: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    put_back: list[str] = field(default_factory=list)
    objects: dict[str, bytes] = field(default_factory=dict)

    def items(self, _table: str) -> Iterator[Item]:
        """Nothing is stored."""
        return iter(())

    def client(self, _service: str) -> "Faked":
        return self

    def describe_execution(self, *, executionArn: str) -> Mapping[str, str]:
        return self.executions[executionArn]

    def get_paginator(self, _operation: str) -> "Faked":
        return self

    def paginate(self, **_: Any) -> Iterable[Mapping[str, Any]]:
        entered = {"id": 1, "type": "TaskStateEntered", "stateEnteredEventDetails": {"name": "Job"}}
        return [{"events": [{"id": 2, "type": "TaskScheduled"}, entered]}]

    def receive_message(self, **_: Any) -> Mapping[str, Any]:
        found = [{"Body": json.dumps(each), "ReceiptHandle": each["token"]} for each in self.messages]
        return {"Messages": found} if found else {}

    def delete_message(self, *, ReceiptHandle: str, **_: Any) -> None:
        self.messages = [each for each in self.messages if each["token"] != ReceiptHandle]

    def change_message_visibility(self, *, ReceiptHandle: str, VisibilityTimeout: int, **_: Any) -> None:
        assert VisibilityTimeout == 0
        self.put_back.append(ReceiptHandle)

    def send_task_success(self, **told: str) -> None:
        self._end("SUCCEEDED", told)

    def send_task_failure(self, **told: str) -> None:
        self._end("FAILED", told)

    def put_object(self, *, Bucket: str, Key: str, Body: bytes) -> None:
        assert Bucket == "bucket"
        self.objects[Key] = Body

    def list_objects_v2(self, *, Bucket: str, Prefix: str) -> Mapping[str, Any]:
        assert Bucket == "bucket"
        return {"Contents": [{"Key": key} for key in self.objects if key.startswith(Prefix)]}

    def get_object(self, *, Bucket: str, Key: str) -> Mapping[str, Any]:
        return {"Body": BytesIO(self.objects[Key])}

    def _end(self, status: str, told: Mapping[str, str]) -> None:
        self.answered.append((status, told))
        self.executions["mine"] = {"status": status}


def asked(token: str, execution: str = "mine") -> dict[str, Any]:
    return {"token": token, "execution": execution, "run": RUN}


@pytest.fixture
def faked(tmp_path: Path) -> Faked:
    return Faked(tmp_path, {"mine": {"status": "RUNNING"}}, [asked("t1")])


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def runner(faked: Faked, told: list[str], monkeypatch: pytest.MonkeyPatch) -> Runner:
    monkeypatch.setattr(changes, "since", lambda _cloud, _table, _start: iter(()))
    # Nothing is under way in a table of nobody.
    monkeypatch.setattr(job_runner, "AFTER_SECONDS", 0)
    return Runner(cast(Cloud, faked), Outputs(NAMES, "", ""), told.append)


def test_an_empty_table_is_exported_checked_and_all_files_are_put_where_the_machine_said(
    runner: Runner, faked: Faked, told: list[str]
) -> None:
    for each in runner.asked(Execution(faked, "mine")):
        runner.answer(each)
    assert faked.answered == [("SUCCEEDED", {"taskToken": "t1", "output": "{}"})]
    names = {name.removeprefix("runs/20261123T054100Z/") for name in faked.objects}
    manifests = {f"{kind}/AWSDynamoDB/local/manifest-summary.json" for kind in ("full", "increment")}
    assert names >= manifests | {"result/summary.json", "result/differences/_SUCCESS"}
    summary = json.loads(faked.objects["runs/20261123T054100Z/result/summary.json"])
    assert (summary["run"], summary["sources"], summary["differences"]) == (RUN["run"], 0, {})
    assert told[0] == "Job ..."


def test_a_fill_leaves_the_nodes_of_the_graph(runner: Runner, faked: Faked) -> None:
    runner.answer(asked("t1") | {"run": RUN | {"kind": "fill"}})
    names = {name.removeprefix("runs/20261123T054100Z/") for name in faked.objects}
    assert "result/nodes/_SUCCESS" in names
    assert not [name for name in names if name.startswith("increment/")]
    assert json.loads(faked.objects["runs/20261123T054100Z/result/summary.json"])["nodes"] == 0


def test_a_job_that_fails_ends_the_run_and_says_why_here(
    runner: Runner, faked: Faked, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(*_: Any) -> None:
        raise TornExportError("a file", "it is missing")

    monkeypatch.setattr(job, "run", torn)
    with pytest.raises(TornExportError):
        runner.answer(asked("t1"))
    assert faked.answered == [("FAILED", {"taskToken": "t1", "error": ERROR, "cause": CAUSE})]


def test_messages_for_others_stay_and_those_that_nobody_waits_for_go(runner: Runner, faked: Faked) -> None:
    faked.executions |= {"others": {"status": "RUNNING"}, "over": {"status": "TIMED_OUT"}}
    faked.messages = [asked("t2", "others"), asked("t3", "over"), asked("t1")]
    assert [each["token"] for each in runner._messages("mine")] == ["t1"]
    assert [each["token"] for each in faked.messages] == ["t2"]
    assert faked.put_back == ["t2"]
