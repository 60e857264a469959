"""Production's callers meet a new release gradually, and not at all if it fails; a developer's at once."""

from functions.catalog import ROUTES
from tests.infra.conftest import Deployment


def test_production_moves_a_tenth_of_the_requests_first_and_back_if_the_api_fails(checked: Deployment) -> None:
    aliases = checked.api.find_resources("AWS::Lambda::Alias")
    groups = checked.api.find_resources("AWS::CodeDeploy::DeploymentGroup")
    assert len(aliases) == len(groups) == len(ROUTES)
    moved_by = {
        one["UpdatePolicy"]["CodeDeployLambdaAliasUpdate"]["DeploymentGroupName"]["Ref"] for one in aliases.values()
    }
    assert moved_by == groups.keys()
    (failing,) = (
        key
        for key, one in checked.api.find_resources("AWS::CloudWatch::Alarm").items()
        if one["Properties"].get("MetricName") == "5xx"
    )
    for group in (one["Properties"] for one in groups.values()):
        assert group["DeploymentConfigName"] == "CodeDeployDefault.LambdaCanary10Percent5Minutes"
        assert group["AlarmConfiguration"] == {"Alarms": [{"Name": {"Ref": failing}}], "Enabled": True}
        assert set(group["AutoRollbackConfiguration"]["Events"]) == {"DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"}


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
