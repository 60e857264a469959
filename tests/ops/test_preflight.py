"""`make deploy` asks the account first, as a role that only reads; `make bootstrap` sets the role for logs."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from botocore.stub import Stubber
from moto import mock_aws

from infra.bundle import DEPLOYED
from infra.console.settings import ConsoleSettings
from infra.preflight import Account
from infra.settings import InfraSettings
from ops import preflight
from ops.account import LOG_POLICY, LOG_ROLE, TRIES, account, ensure_log_role, own_client, reading_client
from ops.preflight import PreflightError, main
from ops.settings import SettingsError, settings_of

ROOT = Path(__file__).parents[2]
HERE = InfraSettings("dev")
OTHERS = "arn:aws:iam::123456789012:role/others"


@pytest.fixture
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws(config={"iam": {"load_aws_managed_policies": True}}):
        yield


def distributed(quantity: int) -> Any:
    """CloudFront of an account that has so many distributions."""
    create: Any = boto3.client
    cloudfront = create("cloudfront", region_name="us-east-1")
    stubber = Stubber(cloudfront)
    listed = {"Marker": "", "MaxItems": 100, "IsTruncated": False, "Quantity": quantity}
    stubber.add_response("list_distributions", {"DistributionList": listed})
    stubber.activate()
    return cloudfront


def answers(limits: Mapping[str, int], gateway: Mapping[str, str], outputs: Mapping[str, str] | None = None) -> Any:
    """The clients of an account that answers so."""
    create: Any = boto3.Session(region_name="eu-central-1").client
    clients = {name: create(name) for name in ("lambda", "apigateway", "cloudformation")}
    for name, operation, answer in (
        ("lambda", "get_account_settings", {"AccountLimit": limits}),
        ("apigateway", "get_account", gateway),
    ):
        stubber = Stubber(clients[name])
        stubber.add_response(operation, answer)
        stubber.activate()
    stubber = Stubber(clients["cloudformation"])
    told = [{"OutputKey": name, "OutputValue": value} for name, value in (outputs or {}).items()]
    stack = {"CreationTime": 0, "StackStatus": "CREATE_COMPLETE", "Outputs": told}
    named = [("edgewise-dev-table", "dev"), ("edgewise-dev-b-table", "dev-b"), ("edgewise-dev-theirs", "another")]
    found = [{**stack, "StackName": name, "Tags": [{"Key": "stage", "Value": of}]} for name, of in named]
    stubber.add_response("describe_stacks", {"Stacks": found if outputs is not None else found[1:]}, {})
    stubber.activate()
    return clients.__getitem__


def test_an_account_is_what_lambda_and_api_gateway_say(aws_env: pytest.MonkeyPatch) -> None:
    limits = {"ConcurrentExecutions": 10, "UnreservedConcurrentExecutions": 9}
    assert account(answers(limits, {}), HERE) == Account("eu-central-1", 10, None)
    role = {"cloudwatchRoleArn": OTHERS}
    outputs = {"TableName": "one", "Other": "two"}
    deployed = account(answers(limits, role, outputs), HERE)
    assert deployed == Account("eu-central-1", 10, OTHERS, outputs={"table": outputs})
    assert deployed.table == "one"


def test_the_table_is_asked_what_it_takes_at_once_where_a_stage_asks_for_more(aws_env: pytest.MonkeyPatch) -> None:
    limits, told = {"ConcurrentExecutions": 10, "UnreservedConcurrentExecutions": 9}, {"TableName": "one"}
    create: Any = boto3.client
    dynamodb = create("dynamodb", region_name="us-east-1")
    warm = [{"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": units, "Status": "ACTIVE"} for units in (4000, 9000)]
    indexes = [{"IndexName": "GSI1", "WarmThroughput": warm[1]}, {"IndexName": "GSI2"}]
    with Stubber(dynamodb) as stubber:
        table = {"WarmThroughput": warm[0], "GlobalSecondaryIndexes": indexes}
        stubber.add_response("describe_table", {"Table": table}, {"TableName": "one"})
        others = answers(limits, {}, told)
        asked = InfraSettings("dev", warm_write_units=8000)
        found = account(lambda service: dynamodb if service == "dynamodb" else others(service), asked)
    assert found.warm == {"ReadUnitsPerSecond": 12000, "WriteUnitsPerSecond": 9000}


@pytest.mark.parametrize("quantity", [0, 3])
def test_cloudfront_is_asked_where_a_stage_has_a_console(aws_env: pytest.MonkeyPatch, quantity: int) -> None:
    limits = {"ConcurrentExecutions": 10, "UnreservedConcurrentExecutions": 9}
    others, cloudfront = answers(limits, {}), distributed(quantity)
    console = InfraSettings("dev", console=ConsoleSettings())
    found = account(lambda service: cloudfront if service == "cloudfront" else others(service), console)
    assert found.distributions == quantity


def test_cloudwatch_is_asked_what_rings_where_releases_move_gradually(aws_env: pytest.MonkeyPatch) -> None:
    limits = {"ConcurrentExecutions": 1000, "UnreservedConcurrentExecutions": 900}
    others, cloudwatch = answers(limits, {}), boto3.client("cloudwatch", region_name="eu-central-1")
    stubber = Stubber(cloudwatch)
    asked = {"AlarmNamePrefix": "edgewise-prod-", "StateValue": "ALARM", "AlarmTypes": ["MetricAlarm"]}
    told = [{"AlarmName": "edgewise-prod-release-failing"}]
    stubber.add_response("describe_alarms", {"MetricAlarms": told}, asked)
    stubber.activate()
    found = account(lambda service: cloudwatch if service == "cloudwatch" else others(service), settings_of("prod", ""))
    assert found.ringing == ("edgewise-prod-release-failing",)


def test_bootstrap_gives_api_gateway_a_role_that_may_log_also_the_second_time(aws: None) -> None:
    client = own_client(HERE)
    assert ensure_log_role(client) is None
    role = client("iam").get_role(RoleName=LOG_ROLE)["Role"]
    assert ensure_log_role(client) == role["Arn"]
    (trusted,) = role["AssumeRolePolicyDocument"]["Statement"]
    assert trusted["Principal"] == {"Service": "apigateway.amazonaws.com"}
    attached = client("iam").list_attached_role_policies(RoleName=LOG_ROLE)["AttachedPolicies"]
    assert [each["PolicyArn"] for each in attached] == [LOG_POLICY]


def test_the_bootstrap_of_another_region_uses_the_same_role(aws: None) -> None:
    ensure_log_role(own_client(HERE))
    elsewhere: Any = boto3.Session(region_name="eu-central-1").client
    assert ensure_log_role(elsewhere) is None
    assert elsewhere("apigateway").get_account()["cloudwatchRoleArn"].endswith(LOG_ROLE)


def test_it_keeps_a_role_that_somebody_else_has_set(aws: None) -> None:
    client = own_client(HERE)
    change: Any = [{"op": "replace", "path": "/cloudwatchRoleArn", "value": OTHERS}]
    client("apigateway").update_account(patchOperations=change)
    assert ensure_log_role(client) == OTHERS
    assert client("iam").list_roles()["Roles"] == []


class Gateway:
    """API Gateway, which does not know a new role the first times."""

    def __init__(self, unknown: int, code: str = "BadRequestException") -> None:
        self.unknown, self.code = unknown, code

    def get_account(self) -> Mapping[str, str]:
        return {}

    def update_account(self, **_: Any) -> None:
        if self.unknown:
            self.unknown -= 1
            raise ClientError({"Error": {"Code": self.code, "Message": ""}}, "UpdateAccount")


@pytest.mark.parametrize(("gateway", "pauses"), [(Gateway(3), 3), (Gateway(99), TRIES - 1), (Gateway(1, "Denied"), 0)])
def test_api_gateway_is_asked_again_until_it_knows_the_role(aws: None, gateway: Gateway, pauses: int) -> None:
    client, paused = own_client(HERE), list[float]()
    made = {"apigateway": gateway, "iam": client("iam")}
    if gateway.unknown > 3 or gateway.code == "Denied":
        with pytest.raises(ClientError):
            ensure_log_role(made.__getitem__, paused.append)
    else:
        ensure_log_role(made.__getitem__, paused.append)
    assert len(paused) == pauses


def test_the_check_reads_as_the_role_that_may_read_only(aws: None) -> None:
    told = reading_client(HERE)("sts").get_caller_identity()["Arn"]
    assert "assumed-role/cdk-hnb659fds-lookup-role-123456789012-us-east-1/" in told


@pytest.fixture
def deploying(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the Python of all deployments ran, whichever does."""
    monkeypatch.setattr(preflight, "python_version", lambda: DEPLOYED)


@pytest.mark.usefixtures("deploying")
@pytest.mark.parametrize(("stage", "status"), [("alice", "warned"), ("prod", "refused")])
def test_a_problem_is_told_and_refuses_what_it_would_break(
    stage: str, status: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preflight, "reading_client", lambda _: None)
    monkeypatch.setattr(preflight, "account", lambda *_: Account("us-east-1", 10, None))
    if status == "warned":
        assert main("check", stage, "").startswith("preflight: 10 invocations may run at once")
    else:
        with pytest.raises(PreflightError, match="preflight: 10 invocations may run at once"):
            main("check", stage, "")


def test_another_python_deploys_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "reading_client", lambda _: None)
    monkeypatch.setattr(preflight, "account", lambda *_: Account("us-east-1", 1000, None))
    monkeypatch.setattr(preflight, "python_version", lambda: "3.12")
    with pytest.raises(PreflightError, match=r"functions run on Python 3\.13 on AWS, and this is 3\.12"):
        main("check", "alice", "")


def test_an_account_that_can_not_be_asked_may_lack_its_bootstrap(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: InfraSettings) -> None:
        raise ClientError({"Error": {"Code": "AccessDenied", "Message": "no"}}, "AssumeRole")

    monkeypatch.setattr(preflight, "reading_client", refuse)
    with pytest.raises(PreflightError, match=r"AccessDenied(?s:.*)make bootstrap STAGE=alice"):
        main("check", "alice", "")


def test_an_invalid_stage_is_told_as_when_it_is_synthesized() -> None:
    with pytest.raises(SettingsError, match=r"^STAGE=Alice: a stage's name has at most 20 lowercase letters"):
        main("check", "Alice", "")


def test_on_the_local_cloud_there_is_nothing_to_check() -> None:
    assert main("check", "local", "") == ""


def test_no_deployment_begins_unchecked_and_no_account_is_bootstrapped_without_the_role() -> None:
    for target, first, second in (
        ("deploy", "preflight check", "cdk deploy"),
        ("bootstrap", "cdk bootstrap", "preflight bootstrap"),
    ):
        made = subprocess.run(
            ["make", "-n", "-o", "setup", target], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert 0 <= made.stdout.index(first) < made.stdout.index(second)
