"""Stages side by side, and what is left of a stage."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.infra.conftest import Deployment

STORING = {
    "AWS::DynamoDB::GlobalTable",
    "AWS::Cognito::UserPool",
    "AWS::SQS::Queue",
    "AWS::S3::Bucket",
    "AWS::Logs::LogGroup",
}
# By which an account tells resources of one type apart.
NAMES = {
    "TableName",
    "QueueName",
    "BucketName",
    "LogGroupName",
    "UserPoolName",
    "TopicName",
    "AlarmName",
    "FunctionName",
    "RoleName",
}


def test_no_two_stages_have_a_name_in_common(deployment: Callable[[str], Deployment]) -> None:
    """Stacks, exports, metrics: whatever is spelled out holds the stage; the rest is named by CloudFormation."""
    names = [_names(deployment(stage)) for stage in ("alice", "bob")]
    assert names[0]
    assert not names[0] & names[1]


def _names(deployment: Deployment) -> set[str]:
    found = {stack.stack_name for stack in deployment.app.synth().stacks}
    for template in deployment.templates:
        content = template.to_json()
        found |= {json.dumps(one["Export"]) for one in content["Outputs"].values() if "Export" in one}
        for resource in content["Resources"].values():
            named = [value for key, value in resource.get("Properties", {}).items() if key in NAMES]
            found |= {f"{resource['Type']} {value}" for value in named if isinstance(value, str)}
    for function in deployment.functions().values():
        found.add(function["Environment"]["Variables"]["POWERTOOLS_METRICS_NAMESPACE"])
    return found


def test_whatever_stores_is_kept_in_production_but_for_what_a_failed_first_deployment_left(checked: Deployment) -> None:
    """Else the second one would meet orphans of the first, or a name that is taken."""
    for kind in STORING:
        found = [one for one in checked.resources(kind).values() if not _is_built(one)]
        assert {one["DeletionPolicy"] for one in found} == {"RetainExceptOnCreate"}, kind
        assert {one["UpdateReplacePolicy"] for one in found} == {"Retain"}, kind


def _is_built(resource: Mapping[str, Any]) -> bool:
    """Whether all that it stores is built anew by each deployment: the page of the console."""
    return any(tag["Key"] == "aws-cdk:auto-delete-objects" for tag in resource["Properties"].get("Tags", ()))


def test_nothing_else_is_kept(checked: Deployment, dev: Deployment) -> None:
    for deployment, kept in ((checked, STORING), (dev, set())):
        policies = {
            (resource["Type"], resource.get("DeletionPolicy", "Delete"))
            for template in deployment.templates
            for resource in template.to_json()["Resources"].values()
        }
        assert {kind for kind, policy in policies if policy != "Delete"} == kept


def test_what_is_kept_has_no_name_that_the_next_deployment_needs(checked: Deployment) -> None:
    for kind in STORING:
        for resource in checked.resources(kind).values():
            assert not NAMES & set(resource["Properties"])
