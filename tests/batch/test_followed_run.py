"""A run on a stage in AWS: who may not begin one hears why, and who stops following it that it goes on.

Requests and answers are checked against the descriptions of the services.
"""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber

from batch.runs import followed_run
from batch.runs.execution import RunFailedError
from batch.runs.followed_run import LeftError
from ops.stage import Stage, StageError

RUN, NOW = "20261123T054100Z", datetime(2026, 11, 23, 5, 41, tzinfo=UTC)
MACHINE = "arn:aws:states:eu-central-1:111122223333:stateMachine:batch"
ARN = "arn:aws:states:eu-central-1:111122223333:execution:batch:e1"
OUTPUTS = {"BatchMachineArn": MACHINE, "RunsBucketName": "runs"}
STACK = {"StackName": "edgewise-dev-batch", "CreationTime": NOW, "StackStatus": "CREATE_COMPLETE"}
BEGIN = {"stateMachineArn": MACHINE, "input": '{"kind": "reconcile"}'}
HISTORY = {"executionArn": ARN, "reverseOrder": True, "includeExecutionData": False}
Answers = Callable[..., None]


@pytest.fixture
def stubs(aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Stubber]]:
    """What AWS answers; a test fails that asks for something else, or not for everything."""
    services = ("cloudformation", "stepfunctions")
    create: Any = boto3.client
    found = {service: Stubber(create(service)) for service in services}
    monkeypatch.setattr(Stage, "client", lambda _self, service, *_: found[service].client)
    monkeypatch.setattr(followed_run, "LOOK_SECONDS", 0)
    outputs = [{"OutputKey": name, "OutputValue": value} for name, value in OUTPUTS.items()]
    found["cloudformation"].add_response("describe_stacks", {"Stacks": [STACK | {"Outputs": outputs}]})
    for stub in found.values():
        stub.activate()
    yield found
    for stub in found.values():
        stub.assert_no_pending_responses()


@pytest.fixture
def begun(stubs: dict[str, Stubber]) -> Stubber:
    states = stubs["stepfunctions"]
    states.add_response("start_execution", {"executionArn": ARN, "startDate": NOW}, BEGIN)
    return states


def look(states: Stubber, entered: str) -> None:
    """A look at the execution while it runs, in which it has entered a state."""
    event = {"timestamp": NOW, "type": "TaskStateEntered", "id": 1, "stateEnteredEventDetails": {"name": entered}}
    states.add_response("describe_execution", described("RUNNING"), {"executionArn": ARN})
    states.add_response("get_execution_history", {"events": [event]}, HISTORY)


def end(states: Stubber, status: str, **told: str) -> None:
    """The last look, and how it ended."""
    states.add_response("describe_execution", described(status, **told), {"executionArn": ARN})
    states.add_response("get_execution_history", {"events": []}, HISTORY)
    states.add_response("describe_execution", described(status, **told), {"executionArn": ARN})


def described(status: str, **told: str) -> dict[str, Any]:
    of = {"executionArn": ARN, "stateMachineArn": MACHINE, "startDate": NOW, "status": status}
    return of | told


def test_a_run_is_begun_and_followed_to_its_end(begun: Stubber) -> None:
    look(begun, "Begin")
    end(begun, "SUCCEEDED", output=json.dumps({"run": RUN, "state": "done"}))
    told = list[str]()
    assert followed_run.run(Stage("dev"), {"kind": "reconcile"}, told.append) == RUN
    assert told == ["e1 began; Ctrl-C stops following it, not the run itself", "Begin ..."]


def test_while_another_run_goes_on_it_is_refused_by_name(begun: Stubber) -> None:
    cause = json.dumps(
        {"errorMessage": f"the run {RUN} is still running, since now", "errorType": "AlreadyRunningError"}
    )
    end(begun, "FAILED", cause=cause)
    with pytest.raises(RunFailedError, match=f"^no result: the run {RUN} is still running, since now$"):
        followed_run.run(Stage("dev"), {"kind": "reconcile"}, lambda _: None)


def test_who_stops_following_hears_that_the_run_goes_on(begun: Stubber) -> None:
    look(begun, "Job")

    def interrupted(line: str) -> None:
        if line == "Job ...":
            raise KeyboardInterrupt

    with pytest.raises(LeftError, match=r"^not followed any more, but the run goes on: GET /checks tells how it ends$"):
        followed_run.run(Stage("dev"), {"kind": "reconcile"}, interrupted)


def test_whose_credentials_end_while_following_hears_that_too(begun: Stubber) -> None:
    begun.add_client_error("describe_execution", "ExpiredTokenException", "expired")
    with pytest.raises(LeftError, match=r"(?s)^ON=dev: .*expired\nnot followed any more, but the run goes on"):
        followed_run.run(Stage("dev"), {"kind": "reconcile"}, lambda _: None)


def test_who_may_not_begin_one_hears_it(stubs: dict[str, Stubber]) -> None:
    stubs["stepfunctions"].add_client_error("start_execution", "AccessDeniedException", "not allowed")
    with pytest.raises(StageError, match=r"^ON=dev: .*AccessDeniedException"):
        followed_run.run(Stage("dev"), {"kind": "reconcile"}, lambda _: None)


def test_a_stage_without_a_batch_side_says_what_it_needs(
    aws_env: pytest.MonkeyPatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    stub = Stubber(boto3.client("cloudformation"))
    gone = "Stack with id edgewise-dev-batch does not exist"
    stub.add_client_error(
        "describe_stacks", "ValidationError", gone, expected_params={"StackName": "edgewise-dev-batch"}
    )
    monkeypatch.setattr(Stage, "client", lambda *_: stub.client)
    with stub, pytest.raises(StageError, match=r"^ON=dev: .*needs a table \[batch\] in its file"):
        followed_run.outputs(Stage("dev"))
