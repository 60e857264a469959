"""The templates are valid CloudFormation, as far as its schemas tell: the local cloud takes what it does not know."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from tests.infra.conftest import Deployment

pytestmark = pytest.mark.usefixtures("check_packages")


def errors(template: Mapping[str, Any]) -> list[str]:
    from cfnlint.api import ManualArgs, lint  # takes seconds, also of whoever only collects the tests

    found = lint(json.dumps(template), config=ManualArgs(regions=["us-east-1"]))
    return [str(each) for each in found if each.rule.severity == "error"]


@pytest.mark.parametrize("part", ["table", "api", "edge_stream", "cascade", "batch", "push", "search"])
def test_a_template_has_no_errors(checked: Deployment, part: str) -> None:
    assert errors(getattr(checked, part).to_json()) == []


def test_a_template_that_is_wrong_has_errors(checked: Deployment) -> None:
    assert checked.batch
    template = checked.batch.to_json()
    (bucket,) = (one for one in template["Resources"].values() if one["Type"] == "AWS::S3::Bucket")
    bucket["Properties"]["LifecycleConfiguration"]["Rules"][0]["ExpirationInDays"] = "soon"
    assert errors(template)
