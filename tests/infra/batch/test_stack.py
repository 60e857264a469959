"""The optional stack: there only if asked for, and none of its parts may do more than its own work."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from aws_cdk import Stack

from infra.batch.settings import BatchSettings
from tests.infra import iam
from tests.infra.alarm_world import alarms_of
from tests.infra.conftest import CHECKED, Deployment


def rights(deployment: Deployment, role: str) -> set[str]:
    """What the policies of a role allow."""
    policies = [one["Properties"] for one in deployment.resources("AWS::IAM::Policy").values()]
    own = [one for one in policies if any(_named(each, role) for each in one["Roles"])]
    statements = [one for policy in own for one in policy["PolicyDocument"]["Statement"]]
    assert all(one["Effect"] == "Allow" for one in statements)
    return {
        f"{action} {iam.resource_name(resource)}"
        for one in statements
        for action in iam.listed(one["Action"])
        for resource in iam.listed(one["Resource"])
    }


def _named(reference: Any, role: str) -> bool:
    return iam.resource_name({"Fn::GetAtt": [reference["Ref"], "Id"]}) == role


def test_it_is_off_unless_a_stage_asks_for_it_as_production_does(dev: Deployment, prod: Deployment) -> None:
    for deployment, stacks in ((dev, 0), (prod, 1)):
        assert len(deployment.resources("AWS::StepFunctions::StateMachine")) == stacks
        found = [one for one in deployment.app.node.children if isinstance(one, Stack) and "batch" in one.stack_name]
        assert len(found) == stacks


def test_the_job_reads_exports_and_writes_results_and_nothing_of_the_table(checked: Deployment) -> None:
    found = rights(checked, "jobrole")
    code = {one for one in found if "cdk-" in one}
    assert len(code) == 3
    assert all(one.startswith("s3:GetObject arn:aws:s3:::cdk-") for one in code)
    assert found - code == {
        "s3:ListBucket runs",
        "s3:ListBucketMultipartUploads runs",
        "s3:GetObject runs/runs/*/full/*",
        "s3:GetObject runs/runs/*/increment/*",
        "s3:GetObject runs/runs/*/result/*",
        "s3:PutObject runs/runs/*/result/*",
        "s3:DeleteObject runs/runs/*/result/*",
        "s3:AbortMultipartUpload runs/runs/*/result/*",
        "logs:CreateLogStream joblogs",
        "logs:DescribeLogStreams joblogs",
        "logs:PutLogEvents joblogs",
        "logs:DescribeLogGroups *",
    }


RUNNING = {
    "lambda:InvokeFunction batchrun",
    "lambda:InvokeFunction batchrepair",
    "lambda:InvokeFunction batchpublish",
    "lambda:InvokeFunction batchverify",
    "cloudwatch:GetMetricStatistics *",
    "dynamodb:ExportTableToPointInTime table",
    "dynamodb:DescribeExport table/export/*",
    "s3:PutObject runs/runs/*",
    "s3:PutObjectAcl runs/runs/*",
    "s3:AbortMultipartUpload runs/runs/*",
    "s3:ListBucket runs",
}
RULE = "arn:aws:events:us-east-1:111122223333:rule/StepFunctionsGetEventsForEMRServerlessJobRule"


def test_the_machine_exports_and_starts_jobs_and_calls_its_functions(checked: Deployment, local: Deployment) -> None:
    assert rights(checked, "machinerole") == RUNNING | {
        "emr-serverless:StartJobRun jobapplication",
        "emr-serverless:GetJobRun jobapplication/jobruns/*",
        "emr-serverless:CancelJobRun jobapplication/jobruns/*",
        "iam:PassRole jobrole",
        "dynamodb:DescribeTable table",
        *(f"events:{action} {RULE}" for action in ("PutTargets", "PutRule", "DescribeRule")),
    }
    assert rights(local, "machinerole") == RUNNING | {"sqs:SendMessage jobqueue"}


def test_the_jobs_role_is_passed_to_emr_serverless_only_and_used_by_this_application_only(checked: Deployment) -> None:
    roles = checked.resources("AWS::IAM::Role")
    (role,) = [one["Properties"] for name, one in roles.items() if name.startswith("jobrole")]
    (trusted,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trusted["Principal"] == {"Service": "emr-serverless.amazonaws.com"}
    assert trusted["Condition"]["StringEquals"] == {"aws:SourceAccount": "111122223333"}
    assert iam.resource_name(trusted["Condition"]["ArnLike"]["aws:SourceArn"]) == "jobapplication"
    passed = [
        statement
        for policy in checked.resources("AWS::IAM::Policy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Action"] == "iam:PassRole"
    ]
    assert [one["Condition"] for one in passed] == [
        {"StringEquals": {"iam:PassedToService": "emr-serverless.amazonaws.com"}}
    ]


def test_nothing_is_listed_but_runs(checked: Deployment) -> None:
    assert checked.batch
    listing = [
        statement["Condition"]["StringLike"]["s3:prefix"]
        for policy in checked.batch.find_resources("AWS::IAM::Policy").values()
        for statement in policy["Properties"]["PolicyDocument"]["Statement"]
        if statement["Action"] == "s3:ListBucket"
    ]
    assert sorted(listing) == [["runs/*"], *[["runs/*/result/*"]] * 4]


def test_the_bucket_is_private_and_forgets(checked: Deployment) -> None:
    assert checked.batch
    (bucket,) = [one["Properties"] for one in checked.batch.find_resources("AWS::S3::Bucket").values()]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert bucket["LifecycleConfiguration"]["Rules"] == [
        {
            "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
            "ExpirationInDays": 7,
            "Status": "Enabled",
        }
    ]
    (policy,) = checked.batch.find_resources("AWS::S3::BucketPolicy").values()
    (tls,) = policy["Properties"]["PolicyDocument"]["Statement"]
    assert (tls["Effect"], tls["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})


def test_the_application_costs_nothing_while_it_is_idle_and_has_an_end(checked: Deployment) -> None:
    (application,) = [one["Properties"] for one in checked.resources("AWS::EMRServerless::Application").values()]
    assert "InitialCapacity" not in application
    assert application["AutoStartConfiguration"] == {"Enabled": True}
    assert application["AutoStopConfiguration"] == {"Enabled": True, "IdleTimeoutMinutes": 5}
    # Sixteen processes of four processors.
    assert application["MaximumCapacity"] == {"Cpu": "64 vCPU", "Memory": "256 GB", "Disk": "960 GB"}
    assert (application["ReleaseLabel"], application["Architecture"]) == ("emr-spark-8.1.0", "ARM64")


def test_checks_begin_by_the_clock_but_not_on_the_emulator(checked: Deployment, local: Deployment) -> None:
    for deployment, state, hours in ((checked, "ENABLED", "5,13,21"), (local, "DISABLED", "3")):
        (schedule,) = [one["Properties"] for one in deployment.resources("AWS::Scheduler::Schedule").values()]
        assert schedule["State"] == state
        assert schedule["ScheduleExpression"] == f"cron(0 {hours} * * ? *)"
        assert schedule["ScheduleExpressionTimezone"] == "Etc/UTC"
        assert json.loads(schedule["Target"]["Input"]) == {"kind": "reconcile"}


def test_a_check_a_week_begins_on_its_day_and_is_missed_after_a_week(deployment: Callable[..., Deployment]) -> None:
    weekly = deployment("dev", BatchSettings(interval_hours=168, weekday="mon", hour=2))
    (schedule,) = [one["Properties"] for one in weekly.resources("AWS::Scheduler::Schedule").values()]
    assert schedule["ScheduleExpression"] == "cron(0 2 ? * MON *)"
    missing = alarms_of(weekly)["edgewise-dev-checks-missing"]
    # CloudWatch watches no longer.
    assert missing["EvaluationPeriods"] * missing["Period"] == 7 * 86_400
    assert "in 168 hours" in missing["AlarmDescription"]


def test_a_check_sees_what_waits_for_the_end_of_a_window(checked: Deployment) -> None:
    variables = checked.functions()["batch_run"]["Environment"]["Variables"]
    assert (variables["BEFORE_SECONDS"], variables["AFTER_SECONDS"]) == ("900", "950")
    assert CHECKED.hours == (5, 13, 21)


def test_the_table_can_be_exported(checked: Deployment) -> None:
    """Exports need its history."""
    (table,) = [one["Properties"] for one in checked.table.find_resources("AWS::DynamoDB::GlobalTable").values()]
    (replica,) = table["Replicas"]
    assert replica["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}


@pytest.mark.parametrize("stage", ["checked", "local"])
def test_the_template_has_no_more_than_cloudformation_takes(stage: str, request: pytest.FixtureRequest) -> None:
    deployment: Deployment = request.getfixturevalue(stage)
    assert deployment.batch
    # A definition may have a million characters; what CloudFormation takes of one template is less.
    assert len(json.dumps(deployment.batch.to_json())) < 1_000_000
