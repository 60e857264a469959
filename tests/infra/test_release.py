"""Production's callers meet a new release gradually, and not at all if it fails; a developer's at once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template

from functions.routes import ROUTES
from functions.systems.proof.system import SYSTEM as PROOF
from infra import assets, bundle, stages
from infra.stacks import build_stacks
from tests.infra.conftest import Deployment, new_app


def test_production_moves_a_tenth_of_the_requests_first_and_back_if_the_api_fails(checked: Deployment) -> None:
    aliases = checked.api.find_resources("AWS::Lambda::Alias")
    groups = checked.api.find_resources("AWS::CodeDeploy::DeploymentGroup")
    assert len(aliases) == len(groups) == len(ROUTES.keys() - {PROOF.name})
    moved_by = {
        one["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"]["Ref"] for one in aliases.values()
    }
    assert moved_by == groups.keys()
    (failing,) = (
        key
        for key, one in checked.api.find_resources("AWS::CloudWatch::Alarm").items()
        if one["Properties"]["AlarmName"] == "edgewise-prod-release-failing"
    )
    for group in (one["Properties"] for one in groups.values()):
        assert group["DeploymentConfigName"] == "CodeDeployDefault.LambdaCanary10Percent5Minutes"
        assert group["AlarmConfiguration"] == {"Alarms": [{"Name": {"Ref": failing}}], "Enabled": True}
        assert set(group["AutoRollbackConfiguration"]["Events"]) == {"DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"}


def moved(group: Mapping[str, Any], *, rings: bool) -> bool:
    """Whether CodeDeploy moves an alias to the new version: a ringing alarm stops it, and moves it back.

    https://docs.aws.amazon.com/codedeploy/latest/userguide/monitoring-create-alarms.html
    """
    return not (rings and group["AlarmConfiguration"]["Enabled"])


def test_a_fix_and_a_restored_table_are_there_at_once_whatever_rings(checked: Deployment) -> None:
    """Callers of a halted stage get 5xx; moved back, the API would write where nobody counts."""
    app = new_app("prod")
    build_stacks(app, replace(stages.of_context(app.node), releases="at once"))
    api = app.node.find_child("edgewise-prod-api")
    assert isinstance(api, Stack)
    kind = "AWS::CodeDeploy::DeploymentGroup"
    at_once, gradual = (each.find_resources(kind) for each in (Template.from_stack(api), checked.api))
    assert at_once.keys() <= gradual.keys(), "the groups are changed, and none is replaced"
    for groups, stays in ((at_once.values(), True), (gradual.values(), False)):
        assert {moved(one["Properties"], rings=True) for one in groups} == {stays}
        assert {moved(one["Properties"], rings=False) for one in groups} == {True}
    configs = {one["Properties"]["DeploymentConfigName"] for one in at_once.values()}
    assert configs == {"CodeDeployDefault.LambdaAllAtOnce"}


def test_productions_routes_lead_to_what_moves(checked: Deployment, dev: Deployment) -> None:
    for stage, kind in ((checked, "AWS::Lambda::Alias"), (dev, "AWS::Lambda::Function")):
        led_to = stage.api.find_resources(kind)
        for one in stage.api.find_resources("AWS::ApiGatewayV2::Integration").values():
            uri = one["Properties"]["IntegrationUri"]
            assert (uri["Ref"] if "Ref" in uri else uri["Fn::GetAtt"][0]) in led_to


def test_what_reads_streams_and_queues_changes_at_once(checked: Deployment) -> None:
    """Two versions of a reader would take turns in a shard; and halting asks for the mappings of functions."""
    functions = checked.resources("AWS::Lambda::Function")
    for one in checked.resources("AWS::Lambda::EventSourceMapping").values():
        assert one["Properties"]["FunctionName"]["Ref"] in functions


def test_a_developers_stage_has_no_versions(dev: Deployment, local: Deployment) -> None:
    for stage in (dev, local):
        for kind in ("AWS::Lambda::Version", "AWS::Lambda::Alias", "AWS::CodeDeploy::DeploymentGroup"):
            assert stage.resources(kind) == {}


@pytest.fixture
def newer_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the Python of all deployments synthesized, whichever does: older ones know no snapshots."""
    for module in (assets, bundle):
        monkeypatch.setattr(module, "python_version", lambda: bundle.DEPLOYED)


@pytest.mark.usefixtures("newer_python")
def test_what_the_api_calls_starts_from_snapshots_where_its_stage_says_so(checked: Deployment) -> None:
    app = new_app("prod")
    build_stacks(app, replace(stages.of_context(app.node), snap_start=True))
    api = app.node.find_child("edgewise-prod-api")
    assert isinstance(api, Stack)
    functions = Template.from_stack(api).find_resources("AWS::Lambda::Function").values()
    found = [one["Properties"].get("SnapStart") for one in functions if one["Properties"]["Handler"] != "index.handler"]
    assert found.count({"ApplyOn": "PublishedVersions"}) == len(found) > 0
    assert all("SnapStart" not in one for one in checked.functions().values()), "it costs: nobody has it unasked"
