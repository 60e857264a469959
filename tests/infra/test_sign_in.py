"""The console's sign-in: a page of Cognito's and a client of its own, where a stage asks for it."""

from collections.abc import Mapping
from typing import Any

from tests.infra.conftest import CONSOLE, Deployment


def console(stage: Deployment) -> tuple[str, Mapping[str, Any]]:
    clients = stage.resources("AWS::Cognito::UserPoolClient").items()
    ((name, client),) = [(key, one["Properties"]) for key, one in clients if "CallbackURLs" in one["Properties"]]
    return name, client


def test_no_stage_has_a_page_unless_it_asks_for_one(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    for stage in (dev, prod, local):
        assert not stage.resources("AWS::Cognito::UserPoolDomain")
        (client,) = stage.resources("AWS::Cognito::UserPoolClient").values()
        assert not client["Properties"]["AllowedOAuthFlowsUserPoolClient"]


def test_people_are_sent_back_to_the_console_and_nowhere_else(checked: Deployment) -> None:
    _, client = console(checked)
    (distribution,) = checked.resources("AWS::CloudFront::Distribution")
    assert client["CallbackURLs"] == [*(f"{origin}/signed-in" for origin in CONSOLE), _at(distribution, "/signed-in")]
    assert client["LogoutURLs"] == [*(f"{origin}/" for origin in CONSOLE), _at(distribution, "/")]


def _at(distribution: str, path: str) -> Mapping[str, Any]:
    """An address of the console that CloudFront serves, whose domain is known during the deployment only."""
    return {"Fn::Join": ["", ["https://", {"Fn::GetAtt": [distribution, "DomainName"]}, path]]}


def test_a_token_is_given_for_a_code_alone(checked: Deployment) -> None:
    """Neither in an address, where it would be logged, nor for a password or a secret that a page can't keep."""
    _, client = console(checked)
    assert client["AllowedOAuthFlows"] == ["code"]
    assert client["AllowedOAuthScopes"] == ["openid"]
    assert client["ExplicitAuthFlows"] == ["ALLOW_REFRESH_TOKEN_AUTH"]
    assert client["GenerateSecret"] is False
    assert client["SupportedIdentityProviders"] == ["COGNITO"]


def test_the_api_accepts_its_tokens_too(checked: Deployment) -> None:
    name, _ = console(checked)
    clients = checked.resources("AWS::Cognito::UserPoolClient")
    (authorizer,) = checked.api.find_resources("AWS::ApiGatewayV2::Authorizer").values()
    audience = authorizer["Properties"]["JwtConfiguration"]["Audience"]
    assert {"Ref": name} in audience
    assert audience == [{"Ref": each} for each in sorted(clients, key=lambda each: each == name)]


def test_what_the_page_has_to_know_is_printed(checked: Deployment) -> None:
    assert {"SignInUrl", "ConsoleClientId"} <= checked.api.to_json()["Outputs"].keys()


def test_who_is_removed_is_out_in_a_quarter_of_an_hour(checked: Deployment) -> None:
    clients = checked.resources("AWS::Cognito::UserPoolClient")
    assert clients
    for client in clients.values():
        found = client["Properties"]
        assert found["TokenValidityUnits"] | {"RefreshToken": ""} == {
            "AccessToken": "minutes",
            "IdToken": "minutes",
            "RefreshToken": "",
        }
        assert (found["AccessTokenValidity"], found["IdTokenValidity"]) == (15, 15)
