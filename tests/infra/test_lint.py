"""The templates are valid CloudFormation, as far as its schemas tell: the local cloud takes what it does not know."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template

from infra.backup.settings import BackupSettings
from infra.console.settings import ConsoleSettings
from infra.domain import DomainSettings
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import Deployment, new_app

# In the one region in which a stage has a web ACL of its own.
BESIDES = InfraSettings(
    "dev",
    account="111122223333",
    region="us-east-1",
    warm_write_units=8000,
    contributor_insights=True,
    customer_key=True,
    backup=BackupSettings(region="eu-west-1"),
    domain=DomainSettings("api.example.com", "arn:aws:acm:us-east-1:111122223333:certificate/0a-1b", alone=True),
    console=ConsoleSettings(web_acl="own"),
)

pytestmark = pytest.mark.usefixtures("check_packages")


def errors(template: Mapping[str, Any]) -> list[str]:
    from cfnlint.api import ManualArgs, lint  # takes seconds, also of whoever only collects the tests

    found = lint(json.dumps(template), config=ManualArgs(regions=["us-east-1"]))
    return [str(each) for each in found if each.rule.severity == "error"]


@pytest.mark.parametrize("part", ["table", "api", "edge_stream", "cascade", "batch", "push", "search", "iot", "outlet"])
def test_a_template_has_no_errors(checked: Deployment, part: str) -> None:
    assert errors(getattr(checked, part).to_json()) == []


def test_nor_has_one_with_what_a_stage_may_have_besides(tmp_path: Path) -> None:
    app = new_app("dev", outdir=str(tmp_path))
    build_stacks(app, BESIDES)
    for part in ("key", "table", "api"):
        stack = app.node.find_child(f"edgewise-dev-{part}")
        assert isinstance(stack, Stack)
        assert errors(Template.from_stack(stack).to_json()) == []


def test_every_resource_that_can_has_the_tags_of_its_stack(checked: Deployment) -> None:
    """CloudFormation's schemas say to which types it gives them; the table has them by itself."""
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    types = {one["Type"] for template in checked.templates for one in template.to_json()["Resources"].values()}
    schemas = {
        each: PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", each).schema
        for each in types
        if each.startswith("AWS::")
    }
    has_tags = {each for each, schema in schemas.items() if "Tags" in json.dumps([*schema["properties"]])}
    tagged = {each for each, schema in schemas.items() if schema.get("tagging", {}).get("taggable")}
    assert has_tags - tagged == set(), "whoever has tags of its own alone gets them where it is made"
    assert "AWS::DynamoDB::GlobalTable" in types - tagged
    for stack in (one for one in checked.app.node.children if isinstance(one, Stack)):
        assert stack.tags.tag_values() == {"project": "edgewise", "stage": "prod"}


def test_a_template_that_is_wrong_has_errors(checked: Deployment) -> None:
    assert checked.batch
    template = checked.batch.to_json()
    (bucket,) = (one for one in template["Resources"].values() if one["Type"] == "AWS::S3::Bucket")
    bucket["Properties"]["LifecycleConfiguration"]["Rules"][0]["ExpirationInDays"] = "soon"
    assert errors(template)
