"""What a stage may have besides is switched on, and off again, without a deployment that CloudFormation refuses."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Template

from infra.backup.settings import BackupSettings
from infra.console.settings import ConsoleSettings
from infra.domain import DomainSettings
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import new_app
from tests.infra.test_leaving import ORDER
from tests.infra.year.building import Built
from tests.infra.year.making import REGION, Making
from tests.support.cloudformation.account import Account

CERTIFICATE = "arn:aws:acm:us-east-1:111122223333:certificate/12ab-34cd"
ACL = "arn:aws:wafv2:us-east-1:111122223333:global/webacl/theirs/0a1b-2c3d"
BESIDE, ALONE = (DomainSettings("api.example.com", CERTIFICATE, alone=alone) for alone in (False, True))
# The settings before and after, and back.
SWITCHED: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "domain": ({}, {"domain": BESIDE}),
    "domain alone": ({"domain": BESIDE}, {"domain": ALONE}),
    "warm": ({}, {"warm_write_units": 8000}),
    "customer key": ({}, {"customer_key": True}),
    "backup": ({}, {"backup": BackupSettings(region="eu-west-1")}),
    "console": ({}, {"console": ConsoleSettings()}),
    "web ACL": ({"console": ConsoleSettings()}, {"console": ConsoleSettings(web_acl=ACL)}),
}
Templates = Mapping[str, Mapping[str, Any]]
Made = Callable[[Mapping[str, Any]], Templates]
# A stack that a stage does not have any more is left alone, and CloudFormation looks at those that are deployed.
DEPLOYED = ("key", *(part.replace("_", "-") for part in ORDER))


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The templates of a stage with these settings, by the parts of their stacks' names."""
    made = dict[str, Templates]()

    def templates(settings: Mapping[str, Any]) -> Templates:
        if repr(settings) not in made:
            app = new_app("dev", outdir=str(tmp_path_factory.mktemp("switched")))
            build_stacks(app, InfraSettings("dev", **settings))
            stacks = [each for each in app.node.children if isinstance(each, Stack)]
            made[repr(settings)] = {
                each.stack_name.removeprefix("edgewise-dev-"): Template.from_stack(each).to_json() for each in stacks
            }
        return made[repr(settings)]

    return templates


@pytest.fixture
def making(stage: Made) -> Making:
    def build(settings: InfraSettings) -> Built:
        own = InfraSettings("dev")
        made = stage(
            {
                each.name: value
                for each in fields(own)
                if (value := getattr(settings, each.name)) != getattr(own, each.name)
            }
        )
        return Built({f"edgewise-dev-{part}": made[part] for part in DEPLOYED if part in made}, protected=False)

    return Making(Account(), build)


@pytest.mark.parametrize("name", SWITCHED)
def test_it_is_switched_on_and_off(stage: Made, making: Making, name: str) -> None:
    off, on = SWITCHED[name]
    assert stage(on).keys() <= {*DEPLOYED}
    for settings in (off, on, off):
        assert making.deploy(InfraSettings("dev", **settings)) == []
    assert stage(off) != stage(on)


def test_a_key_that_went_with_its_setting_would_be_refused(making: Making) -> None:
    assert making.deploy(InfraSettings("dev", customer_key=True)) == []
    assert making.account.delete(REGION, "edgewise-dev-key")


@pytest.mark.parametrize(
    ("before", "changed"),
    [
        ({}, {"AWS::ApiGatewayV2::Authorizer"}),
        ({"console_origins": ("http://localhost:5566",)}, {"AWS::Cognito::UserPoolClient"}),
    ],
    ids=["nobody could sign in", "people have signed in elsewhere"],
)
def test_a_console_that_comes_later_changes_of_the_api_only_who_may_sign_in(
    stage: Made, before: Mapping[str, Any], changed: set[str]
) -> None:
    """So if CloudFront refuses a new account, the API stays as it was."""
    without, with_it = (stage(each) for each in (before, {**before, "console": ConsoleSettings()}))
    old, new = (each["api"]["Resources"] for each in (without, with_it))
    assert {old[key]["Type"] for key in old if old[key] != new.get(key)} == changed
    assert any(new[key]["Type"] == "AWS::CloudFront::Distribution" for key in new.keys() - old.keys())
    assert {part for part in without if without[part] != with_it[part]} == {"api"}
