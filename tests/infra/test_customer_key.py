"""A stage with a key of its own stores everything under it, and the key serves those who store there, and no others."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from aws_cdk import App, Stack
from aws_cdk.assertions import Template
from cdk_nag import AwsSolutionsChecks

from infra.console.settings import ConsoleSettings
from infra.preflight import problems
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra import kms
from tests.infra.conftest import CHECKED, Deployment, new_app
from tests.infra.kms import ACCOUNT, REGION, Asked
from tests.infra.test_preflight import DEV, USUAL

EVERYTHING = InfraSettings(
    "dev", customer_key=True, push=True, search="embedded", batch=CHECKED, console=ConsoleSettings()
)
# Where each type says under which key it stores.
STORES = {
    "AWS::DynamoDB::GlobalTable": "KMSMasterKeyId",
    "AWS::SQS::Queue": "KmsMasterKeyId",
    "AWS::SNS::Topic": "KmsMasterKeyId",
    "AWS::Logs::LogGroup": "KmsKeyId",
    "AWS::SecretsManager::Secret": "KmsKeyId",
    "AWS::S3::Bucket": "KMSMasterKeyID",
}
USES = ("kms:Encrypt", "kms:Decrypt", "kms:GenerateDataKey", "kms:ReEncryptFrom", "kms:DescribeKey")
LOGS = f"logs.{REGION}.amazonaws.com"
Templates = Mapping[str, Mapping[str, Any]]


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> App:
    app = new_app("dev", outdir=str(tmp_path_factory.mktemp("key")))
    build_stacks(app, EVERYTHING)
    return app


@pytest.fixture(scope="module")
def templates(app: App) -> Templates:
    stacks = (each for each in app.node.children if isinstance(each, Stack))
    return {each.stack_name.removeprefix("edgewise-dev-"): Template.from_stack(each).to_json() for each in stacks}


@pytest.fixture(scope="module")
def policy(templates: Templates) -> Sequence[Mapping[str, Any]]:
    (key,) = of_type(templates, "AWS::KMS::Key")
    statements: Sequence[Mapping[str, Any]] = key["KeyPolicy"]["Statement"]
    return statements


def of_type(templates: Templates, kind: str) -> list[Any]:
    found = (each for template in templates.values() for each in template["Resources"].values())
    return [each["Properties"] for each in found if each["Type"] == kind]


def key_of(properties: Any, name: str) -> Any:
    """The value of the property of this name, wherever it is."""
    if isinstance(properties, list):
        return next((found for each in properties if (found := key_of(each, name))), None)
    if not isinstance(properties, dict):
        return None
    return properties.get(name) or key_of(list(properties.values()), name)


@pytest.mark.parametrize("kind", STORES)
def test_all_that_stores_does_so_under_the_key(templates: Templates, kind: str) -> None:
    (exported,) = (each["Export"]["Name"] for each in templates["key"]["Outputs"].values() if "Export" in each)
    stores = of_type(templates, kind)
    without = [each for each in stores if key_of(each, STORES[kind]) != {"Fn::ImportValue": exported}]
    assert stores
    if kind == "AWS::S3::Bucket":
        # The public page, which CloudFront serves.
        (page,) = without
        assert any(tag["Key"] == "aws-cdk:auto-delete-objects" for tag in page["Tags"])
    else:
        assert without == []
    assert not any(each.get("SqsManagedSseEnabled") for each in stores)


def test_nothing_else_could_be_put_under_it(templates: Templates, check_packages: None) -> None:
    """By the schemas of all types that a stage has; what is left has a reason."""
    from cfnlint.schema import PROVIDER_SCHEMA_MANAGER

    left = {
        # Environments name tables and queues; secrets are read from Secrets Manager.
        "AWS::Lambda::Function",
        # Filters name types of items.
        "AWS::Lambda::EventSourceMapping",
        # Encrypts what its schedule says, which is nothing.
        "AWS::Scheduler::Schedule",
        # The history of runs names these and their errors.
        "AWS::StepFunctions::StateMachine",
        # A job's scratch lives for the job.
        "AWS::EMRServerless::Application",
    }
    types = {each["Type"] for template in templates.values() for each in template["Resources"].values()}
    could = {
        kind
        for kind in types
        if kind.startswith("AWS::")
        and "::KMS::" not in kind
        and "kms"
        in json.dumps(PROVIDER_SCHEMA_MANAGER.get_resource_schema("us-east-1", kind).schema["properties"]).lower()
    }
    assert could - STORES.keys() <= left


def test_exports_of_the_table_are_stored_under_it(templates: Templates, checked: Deployment) -> None:
    (machine,) = of_type(templates, "AWS::StepFunctions::StateMachine")
    definition = json.dumps(machine)
    assert definition.count("S3SseKmsKeyId") == 2
    assert "AES256" not in definition
    (without,) = checked.resources("AWS::StepFunctions::StateMachine").values()
    assert json.dumps(without).count("AES256") == 2


@pytest.mark.parametrize("service", ["dynamodb", "sqs", "s3", "sns", "secretsmanager"])
def test_whoever_may_use_what_is_stored_may_use_the_key_for_that(
    policy: Sequence[Mapping[str, Any]], service: str
) -> None:
    through = {"kms:ViaService": f"{service}.{REGION}.amazonaws.com"}
    assert all(kms.allows(policy, Asked(each, ACCOUNT, context=through)) for each in USES)
    grant = Asked("kms:CreateGrant", ACCOUNT, context=through | {"kms:GrantIsForAWSResource": "true"})
    assert kms.allows(policy, grant)


@pytest.mark.parametrize(
    "asked",
    [
        Asked("kms:Decrypt", ACCOUNT),
        Asked("kms:Decrypt", "999999999999", context={"kms:ViaService": f"dynamodb.{REGION}.amazonaws.com"}),
        Asked("kms:Decrypt", ACCOUNT, context={"kms:ViaService": "dynamodb.us-east-1.amazonaws.com"}),
        Asked("kms:Decrypt", ACCOUNT, context={"kms:ViaService": f"lambda.{REGION}.amazonaws.com"}),
        Asked("kms:CreateGrant", ACCOUNT, context={"kms:ViaService": f"dynamodb.{REGION}.amazonaws.com"}),
        Asked("kms:ScheduleKeyDeletion", ACCOUNT, context={"kms:ViaService": f"s3.{REGION}.amazonaws.com"}),
    ],
    ids=["directly", "another account", "another region", "another service", "a grant to somebody", "its deletion"],
)
def test_nobody_may_use_it_otherwise(policy: Sequence[Mapping[str, Any]], asked: Asked) -> None:
    assert not kms.allows(policy, asked)


def test_logs_are_kept_under_it_by_the_service_itself_for_groups_of_this_account(
    policy: Sequence[Mapping[str, Any]],
) -> None:
    for account, allowed in ((ACCOUNT, True), ("999999999999", False)):
        group = {"kms:EncryptionContext:aws:logs:arn": f"arn:aws:logs:{REGION}:{account}:log-group:edgewise-dev-A1"}
        assert all(kms.allows(policy, Asked(each, service=LOGS, context=group)) is allowed for each in USES)


@pytest.mark.parametrize("publisher", ["cloudwatch.amazonaws.com", "budgets.amazonaws.com"])
def test_what_tells_of_alarms_and_of_the_budget_may_publish(
    policy: Sequence[Mapping[str, Any]], publisher: str
) -> None:
    """By AWS: an alarm needs these two on the key of the topic, of which CloudWatch is no role of ours."""
    for action in ("kms:Decrypt", "kms:GenerateDataKey"):
        assert kms.allows(policy, Asked(action, service=publisher, context={"aws:SourceAccount": ACCOUNT}))
        assert not kms.allows(policy, Asked(action, service=publisher, context={"aws:SourceAccount": "999999999999"}))


def test_it_rotates_and_no_finding_is_left_open(app: App, templates: Templates) -> None:
    (key,) = of_type(templates, "AWS::KMS::Key")
    assert key["EnableKeyRotation"] is True
    assert AwsSolutionsChecks(app).validate_scope(app).success


def test_no_stage_has_one_unless_it_asks_for_it(checked: Deployment) -> None:
    assert not checked.resources("AWS::KMS::Key")


def test_who_gives_it_up_is_told_that_its_stack_stays() -> None:
    deployed = replace(USUAL, outputs={"table": {}, "key": {}})
    (problem,) = problems(DEV, deployed)
    assert not problem.fatal
    assert problem.text.startswith("customer_key: edgewise-dev-key stays, because only its key opens what is older")
    assert list(problems(replace(DEV, customer_key=True), deployed)) == []


def test_it_comes_in_a_deployment_in_which_nothing_goes() -> None:
    """What goes is let go by the API first, which would then name a key that is not there yet."""
    asked = replace(DEV, customer_key=True)
    (problem,) = problems(asked, replace(USUAL, outputs={"table": {}, "push": {}}))
    assert problem.text == "deploy once without customer_key: push must go before"
    assert list(problems(asked, replace(USUAL, outputs={"table": {}}))) == []
