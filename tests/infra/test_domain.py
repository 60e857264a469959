"""A domain of the API's own: first beside AWS's address, and once it can be reached, alone."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template

from infra.console.settings import ConsoleSettings
from infra.domain import DomainSettings
from infra.preflight import problems
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import new_app
from tests.infra.test_preflight import DEV, USUAL

NAME, CERTIFICATE = "api.example.com", "arn:aws:acm:eu-central-1:111122223333:certificate/12ab-34cd"
BESIDE, ALONE = DomainSettings(NAME, CERTIFICATE), DomainSettings(NAME, CERTIFICATE, alone=True)
Resources = dict[str, Any]
Made = Callable[[DomainSettings | None], Resources]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The template of the API of a stage that has a console, and this domain."""

    def template(domain: DomainSettings | None) -> Resources:
        app = new_app("dev", outdir=str(tmp_path_factory.mktemp("domain")))
        build_stacks(app, InfraSettings("dev", domain=domain, console=ConsoleSettings()))
        stack = app.node.find_child("edgewise-dev-api")
        assert isinstance(stack, Stack)
        return dict(Template.from_stack(stack).to_json())

    return template


@pytest.fixture(scope="module")
def beside(made: Made) -> Resources:
    return made(BESIDE)


@pytest.fixture(scope="module")
def alone(made: Made) -> Resources:
    return made(ALONE)


def the_only(template: Resources, kind: str) -> Any:
    (found,) = (each["Properties"] for each in template["Resources"].values() if each["Type"] == kind)
    return found


def api_origins(template: Resources) -> list[Any]:
    """Where CloudFront finds what is not in a bucket."""
    origins = the_only(template, "AWS::CloudFront::Distribution")["DistributionConfig"]["Origins"]
    return [each["DomainName"] for each in origins if "CustomOriginConfig" in each]


def test_the_domain_leads_to_the_api_and_says_where_its_record_must_point(beside: Resources) -> None:
    domain = the_only(beside, "AWS::ApiGatewayV2::DomainName")
    (configuration,) = domain["DomainNameConfigurations"]
    assert domain["DomainName"] == NAME
    assert configuration == {"CertificateArn": CERTIFICATE, "EndpointType": "REGIONAL", "SecurityPolicy": "TLS_1_2"}
    ids = {each["Type"]: key for key, each in beside["Resources"].items() if "ApiGatewayV2" in each["Type"]}
    mapping = the_only(beside, "AWS::ApiGatewayV2::ApiMapping")
    assert mapping["ApiId"] == {"Ref": ids["AWS::ApiGatewayV2::Api"]}
    assert mapping["DomainName"] == {"Ref": ids["AWS::ApiGatewayV2::DomainName"]}
    assert beside["Outputs"]["ApiDomain"]["Value"] == NAME
    assert "RegionalDomainName" in json.dumps(beside["Outputs"]["ApiDomainTarget"]["Value"])


def test_beside_awss_address_nothing_depends_on_the_record(beside: Resources) -> None:
    assert "DisableExecuteApiEndpoint" not in the_only(beside, "AWS::ApiGatewayV2::Api")
    assert "ApiEndpoint" in json.dumps(beside["Outputs"]["ApiUrl"]["Value"])
    assert NAME not in api_origins(beside)


def test_alone_nobody_comes_past_it_and_all_that_names_the_api_names_it(alone: Resources) -> None:
    assert the_only(alone, "AWS::ApiGatewayV2::Api")["DisableExecuteApiEndpoint"] is True
    assert alone["Outputs"]["ApiUrl"]["Value"] == f"https://{NAME}"
    assert api_origins(alone) == [NAME]
    assert '"ApiEndpoint"' not in json.dumps(alone)


def test_the_address_of_aws_is_given_up_only_once_the_domain_was_there() -> None:
    deployed = replace(USUAL, outputs={"api": {"ApiDomain": NAME}})
    another = replace(USUAL, outputs={"api": {"ApiDomain": "other.example.com"}})
    asked = replace(DEV, domain=ALONE)
    assert list(problems(asked, deployed)) == []
    assert list(problems(replace(DEV, domain=BESIDE), USUAL)) == []
    for account in (USUAL, another):
        (problem,) = problems(asked, account)
        assert problem.fatal
        assert problem.text.startswith(f"domain.alone: nobody could reach the API before {NAME} points to it.")


def test_a_certificate_of_another_region_is_refused_with_the_region_that_is_wanted() -> None:
    wrong = DomainSettings(NAME, CERTIFICATE.replace("eu-central-1", "us-east-1"))
    (problem,) = problems(replace(DEV, domain=wrong), USUAL)
    assert problem.fatal
    assert problem.text.startswith(
        "domain.certificate: API Gateway takes one of eu-central-1, and this is of us-east-1"
    )
