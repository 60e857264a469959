"""AWS's own rules hold: what they find is answered beside the resource, or the app cannot be synthesized."""

import json
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.aws_sqs import Queue
from cdk_nag import AwsSolutionsChecks

from infra import stages
from infra.console.settings import ConsoleSettings
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import Deployment, new_app


@pytest.mark.parametrize("stage", ["dev", "prod", "checked"])
def test_no_finding_is_left_open(stage: str, request: pytest.FixtureRequest) -> None:
    deployment: Deployment = request.getfixturevalue(stage)
    assert _findings(deployment.app) == []


def test_a_console_at_a_domain_of_its_own_leaves_none_open_either() -> None:
    console = ConsoleSettings("console.example.com", "arn:aws:acm:us-east-1:111122223333:certificate/12ab-34cd")
    app = new_app("dev")
    build_stacks(app, InfraSettings("dev", console=console, push=True, search="embedded"))
    assert _findings(app) == []


def test_an_unsafe_resource_stops_the_synthesis(tmp_path: Path) -> None:
    app = new_app("dev", outdir=str(tmp_path))
    build_stacks(app, stages.of_context(app.node))
    Queue(Stack(app, "careless"), "queue")
    assert _findings(app) == [
        "AwsSolutions-SQS3 careless/queue/Resource",
        "AwsSolutions-SQS4 careless/queue/Resource",
    ]
    with pytest.raises(RuntimeError, match=r"(?s)ValidationFailed.*SQS4"):
        app.synth()


def _findings(app: App) -> list[str]:
    report = AwsSolutionsChecks(app).validate_scope(app)
    return [
        f"{violation.rule_name} {resource.construct_path}"
        for violation in report.violations
        for resource in violation.violating_resources
    ]


def test_every_feature_flag_of_cdk_is_decided(prod: Deployment) -> None:
    """As recommended, but for two; one that a new version brings fails here until cdk.json says what it is."""
    (report,) = [one for one in _manifest(prod)["artifacts"].values() if one["type"] == "cdk:feature-flag-report"]
    flags = report["properties"]["flags"]
    assert [name for name, flag in flags.items() if "userValue" not in flag] == []
    assert {name for name, flag in flags.items() if flag["userValue"] != flag["recommendedValue"]} == {
        # A stack that another one needs can't be deleted alone.
        "@aws-cdk/core:defaultCrossStackReferences",
        # Not in China.
        "@aws-cdk/core:target-partitions",
    }


def _manifest(deployment: Deployment) -> Any:
    return json.loads((Path(deployment.app.synth().directory) / "manifest.json").read_text())
