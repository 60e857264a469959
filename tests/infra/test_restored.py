"""A stage that uses a restored table: all that reads or writes names it, and nothing prevents the deployment."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template
from cdk_nag import AwsSolutionsChecks

from infra import stages
from infra.stacks import build_stacks
from tests.infra.conftest import CHECKED, Deployment, new_app

ARN = "arn:aws:dynamodb:eu-central-1:111122223333:table/edgewise-dev-20261123T054100Z"
STREAM = f"{ARN}/stream/2026-11-23T06:02:07.123"
# The logical id of the stage's own table.
OWN = "table8235A42E"
OTHERS = ("api", "edge-stream", "cascade", "batch")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> App:
    app = new_app("dev", outdir=str(tmp_path_factory.mktemp("restored")))
    settings = stages.of_context(app.node)
    build_stacks(app, replace(settings, restored=STREAM, batch=CHECKED))
    return app


def template(app: App, name: str) -> dict[str, Any]:
    stack = app.node.find_child(f"edgewise-dev-{name}")
    assert isinstance(stack, Stack)
    return dict(Template.from_stack(stack).to_json())


def of_type(app: App, kind: str) -> list[dict[str, Any]]:
    found = (each for name in OTHERS for each in template(app, name)["Resources"].values())
    return [each["Properties"] for each in found if each["Type"] == kind]


def test_every_function_names_the_restored_table(app: App) -> None:
    functions = of_type(app, "AWS::Lambda::Function")
    assert {each["Environment"]["Variables"]["TABLE_NAME"] for each in functions} == {"edgewise-dev-20261123T054100Z"}


def test_both_readers_read_its_stream(app: App) -> None:
    mappings = of_type(app, "AWS::Lambda::EventSourceMapping")
    streams = [each["EventSourceArn"] for each in mappings if isinstance(each["EventSourceArn"], str)]
    assert streams == [STREAM, STREAM]


def test_the_rights_are_on_it_its_indexes_its_stream_and_its_exports(app: App) -> None:
    named = set[str]()
    for policy in of_type(app, "AWS::IAM::Policy"):
        for statement in policy["PolicyDocument"]["Statement"]:
            resources = statement["Resource"]
            named |= {each for each in (resources if isinstance(resources, list) else [resources]) if ARN in str(each)}
    assert named == {ARN, STREAM, f"{ARN}/export/*", *(f"{ARN}/index/GSI{number}" for number in (1, 2, 3))}


def test_no_other_stack_imports_the_stages_own_table(app: App, dev: Deployment) -> None:
    assert OWN in json.dumps(dev.api.to_json())
    assert not [name for name in OTHERS if OWN in json.dumps(template(app, name))]


def test_the_table_stack_exports_what_the_others_import_until_they_are_deployed(app: App, dev: Deployment) -> None:
    """CloudFormation refuses to remove an export that is imported, and the table's stack is deployed first."""
    kept = {name for name in exports(dev.table.to_json()) if OWN in name}
    assert len(kept) == 3  # name, ARN, stream
    assert kept <= exports(template(app, "table"))


def exports(template: Mapping[str, Any]) -> set[str]:
    return {each["Export"]["Name"] for each in template["Outputs"].values() if "Export" in each}


def test_the_stage_keeps_its_own_table_and_says_which_one_it_uses(app: App, dev: Deployment) -> None:
    table = template(app, "table")
    (own,) = (each for each in table["Resources"].values() if each["Type"] == "AWS::DynamoDB::GlobalTable")
    assert [own] == list(dev.table.find_resources("AWS::DynamoDB::GlobalTable").values())
    assert table["Outputs"]["TableName"]["Value"] == "edgewise-dev-20261123T054100Z"


def test_no_finding_is_left_open(app: App) -> None:
    assert AwsSolutionsChecks(app).validate_scope(app).success
