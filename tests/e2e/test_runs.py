"""A run on a stage, as somebody begins and follows it who may do no more than that needs."""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import boto3
import pytest

from batch.runs import followed_run
from batch.runs.execution import Execution, RunFailedError
from batch.runs.job_runner import Runner
from batch.runs.run_report import told
from batch.runs.run_results import Results
from ops.local_cloud import ACCOUNT, REGION
from ops.processes import wait_until
from ops.stage import Stage
from tests.e2e.conftest import Client, Deployment

CHECK, ROLE = {"kind": "reconcile"}, "who-begins-runs"


def allowed(deployment: Deployment) -> dict[str, Any]:
    """The rights that docs/batch.md names."""
    machine, bucket = deployment.outputs["BatchMachineArn"], f"arn:aws:s3:::{deployment.outputs['RunsBucketName']}"
    stack = f"arn:aws:cloudformation:{REGION}:{ACCOUNT}:stack/edgewise-local-batch/*"
    executions = f"{machine.replace(':stateMachine:', ':execution:')}:*"
    rights = (
        ("cloudformation:DescribeStacks", stack),
        ("states:StartExecution", machine),
        ("states:DescribeExecution", executions),
        ("states:GetExecutionHistory", executions),
        ("s3:ListBucket", bucket),
        ("s3:GetObject", f"{bucket}/runs/*/result/*"),
    )
    statements = [{"Effect": "Allow", "Action": action, "Resource": resource} for action, resource in rights]
    return {"Version": "2012-10-17", "Statement": statements}


@pytest.fixture
def stage(deployment: Deployment, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """The deployed stage, with the credentials of somebody who has these rights alone."""
    trusted = {"Effect": "Allow", "Principal": {"AWS": "*"}, "Action": "sts:AssumeRole"}
    trust = json.dumps({"Version": "2012-10-17", "Statement": [trusted]})
    iam = deployment.cloud.client("iam")
    role = iam.create_role(RoleName=ROLE, AssumeRolePolicyDocument=trust)["Role"]["Arn"]
    iam.put_role_policy(RoleName=ROLE, PolicyName="rights", PolicyDocument=json.dumps(allowed(deployment)))
    keys = deployment.cloud.client("sts").assume_role(RoleArn=role, RoleSessionName="test")["Credentials"]

    def client(_stage: Stage, service: str, *_: Any) -> Any:
        create: Any = boto3.client
        return create(
            service,
            endpoint_url=deployment.cloud.url,
            region_name=REGION,
            aws_access_key_id=keys["AccessKeyId"],
            aws_secret_access_key=keys["SecretAccessKey"],
            aws_session_token=keys["SessionToken"],
        )

    monkeypatch.setattr(Stage, "client", client)
    monkeypatch.setattr(followed_run, "LOOK_SECONDS", 1)
    return Stage("local")


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def followed(deployment: Deployment, stage: Stage, lines: list[str]) -> Iterator["Future[str]"]:
    """A run that somebody follows."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(followed_run.run, stage, CHECK, lines.append)
        for arn in running(deployment):
            deployment.cloud.client("stepfunctions").stop_execution(executionArn=arn)


def running(deployment: Deployment) -> list[str]:
    """The executions that run."""
    of = {"stateMachineArn": deployment.outputs["BatchMachineArn"], "statusFilter": "RUNNING"}
    return [
        each["executionArn"] for each in deployment.cloud.client("stepfunctions").list_executions(**of)["executions"]
    ]


def test_a_run_is_followed_while_another_is_refused_and_read_with_these_rights_alone(
    deployment: Deployment, stage: Stage, followed: "Future[str]", lines: list[str], admin: Client
) -> None:
    runner = Runner(deployment.cloud, deployment.outputs, lambda _: None)
    wait_until(lambda: bool(running(deployment)) or followed.done(), 60, "an execution that runs")
    (arn,) = running(deployment)
    for asked in runner.asked(Execution(runner.states, arn)):
        with pytest.raises(RunFailedError, match=f"^no result: the run {asked['run']['run']} is still running"):
            followed_run.run(stage, CHECK, lambda _: None)
        runner.answer(asked)

    run = followed.result()
    assert [line for line in lines if line.endswith(" ...")] == [
        *("Begin ...", "Export table ...", "Let changes happen ...", "Export changes ...", "Exports ..."),
        *("Renew for job ...", "Job ...", "How far behind? ...", "Verify ...", "Report ..."),
    ]
    results = Results(stage.client("s3"), deployment.outputs["RunsBucketName"], run)
    check = admin.get("checks", run)
    assert next(told(results, results.checked())).startswith(f"{check['aggregates']:,} aggregates compared, ")
    assert check["state"] == "done"
