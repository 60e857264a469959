"""The templates are valid CloudFormation, as far as its schemas tell: the local cloud takes what it does not know."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from aws_cdk import Stack

from tests.infra.conftest import Deployment

pytestmark = pytest.mark.usefixtures("check_packages")


def errors(template: Mapping[str, Any]) -> list[str]:
    from cfnlint.api import ManualArgs, lint  # takes seconds, also of whoever only collects the tests

    found = lint(json.dumps(template), config=ManualArgs(regions=["us-east-1"]))
    return [str(each) for each in found if each.rule.severity == "error"]


@pytest.mark.parametrize("part", ["table", "api", "edge_stream", "cascade", "batch", "push", "search", "iot", "outlet"])
def test_a_template_has_no_errors(checked: Deployment, part: str) -> None:
    assert errors(getattr(checked, part).to_json()) == []


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
