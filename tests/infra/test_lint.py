"""The templates are valid CloudFormation, as far as its schemas tell: the local cloud takes what it does not know."""

import json

import pytest
from cfnlint.api import ManualArgs, lint

from tests.infra.conftest import Deployment


@pytest.mark.parametrize("part", ["table", "api", "edge_stream", "cascade", "batch"])
def test_a_template_has_no_errors(checked: Deployment, part: str) -> None:
    template = json.dumps(getattr(checked, part).to_json())
    found = lint(template, config=ManualArgs(regions=["us-east-1"]))
    assert [str(each) for each in found if each.rule.severity == "error"] == []


def test_a_template_that_is_wrong_has_errors(checked: Deployment) -> None:
    assert checked.batch
    template = checked.batch.to_json()
    (bucket,) = (one for one in template["Resources"].values() if one["Type"] == "AWS::S3::Bucket")
    bucket["Properties"]["LifecycleConfiguration"]["Rules"][0]["ExpirationInDays"] = "soon"
    found = lint(json.dumps(template), config=ManualArgs(regions=["us-east-1"]))
    assert any(each.rule.severity == "error" for each in found)
