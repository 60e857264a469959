"""Every route is served by its function and asks for a token; who gets one is set down too."""

import json
from pathlib import Path

from aws_cdk import Stack
from aws_cdk.assertions import Match, Template

from edgewise.dynamodb.table import Table
from functions.catalog import module_of
from functions.routes import ROUTES
from functions.system import GROUPS
from functions.systems.proof.system import SYSTEM as PROOF
from functions.systems.push.system import SYSTEM as PUSH
from functions.systems.search.system import SYSTEM as SEARCH
from infra.http import CONSUMED
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import Deployment, new_app
from tests.support.http import Client

DOCUMENT = json.loads((Path(__file__).parents[2] / "functions/systems/api/openapi.json").read_text())
OPTIONAL = {PROOF.name, PUSH.name, SEARCH.name}
PUBLIC = {"GET /health", "GET /openapi.json"}


def test_routes_are_those_of_the_functions(dev: Deployment) -> None:
    integrations = dev.resources("AWS::ApiGatewayV2::Integration")
    names = {key: one["Properties"]["IntegrationUri"]["Fn::GetAtt"][0] for key, one in integrations.items()}
    handlers = {key: one["Properties"]["Handler"] for key, one in dev.resources("AWS::Lambda::Function").items()}
    expected = {f"{module_of(name)}.handler": set(routes) for name, routes in ROUTES.items() if name not in OPTIONAL}
    served: dict[str, set[str]] = {name: set() for name in expected}
    for route in dev.resources("AWS::ApiGatewayV2::Route").values():
        target = route["Properties"]["Target"]["Fn::Join"][1][1]["Ref"]
        served[handlers[names[target]]].add(route["Properties"]["RouteKey"])
    assert served == expected, "a stage has push, search and faults only if its file asks for them"


def test_every_route_but_two_needs_a_token(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    for stage in (dev, prod, local):
        (authorizer,) = stage.api.find_resources("AWS::ApiGatewayV2::Authorizer")
        routes = [one["Properties"] for one in stage.api.find_resources("AWS::ApiGatewayV2::Route").values()]
        for route in routes:
            if route["RouteKey"] in PUBLIC:
                assert route["AuthorizationType"] == "NONE"
            else:
                assert route["AuthorizationType"] == "JWT", route["RouteKey"]
                assert route["AuthorizerId"] == {"Ref": authorizer}
        assert {route["RouteKey"] for route in routes} >= PUBLIC


def test_tokens_come_from_the_pools_own_client(dev: Deployment) -> None:
    (pool,) = dev.resources("AWS::Cognito::UserPool")
    (client,) = dev.resources("AWS::Cognito::UserPoolClient")
    issuer = ["https://cognito-idp.", {"Ref": "AWS::Region"}, ".amazonaws.com/", {"Ref": pool}]
    dev.api.has_resource_properties(
        "AWS::ApiGatewayV2::Authorizer",
        {
            "AuthorizerType": "JWT",
            "JwtConfiguration": {"Audience": [{"Ref": client}], "Issuer": {"Fn::Join": ["", issuer]}},
        },
    )


def test_nobody_signs_up_alone_or_sends_a_password_to_be_tried(dev: Deployment) -> None:
    dev.api.has_resource_properties(
        "AWS::Cognito::UserPool",
        {
            "AdminCreateUserConfig": {"AllowAdminCreateUserOnly": True},
            "Policies": {
                "PasswordPolicy": {
                    "MinimumLength": 14,
                    "RequireLowercase": True,
                    "RequireUppercase": True,
                    "RequireNumbers": True,
                    "RequireSymbols": True,
                    "TemporaryPasswordValidityDays": 1,
                }
            },
        },
    )
    (client,) = dev.resources("AWS::Cognito::UserPoolClient").values()
    assert set(client["Properties"]["ExplicitAuthFlows"]) == {
        "ALLOW_USER_SRP_AUTH",
        "ALLOW_ADMIN_USER_PASSWORD_AUTH",
        "ALLOW_REFRESH_TOKEN_AUTH",
    }


def test_groups_are_those_that_the_functions_ask_for(dev: Deployment) -> None:
    groups = dev.resources("AWS::Cognito::UserPoolGroup").values()
    assert {group["Properties"]["GroupName"] for group in groups} == set(GROUPS)


def test_production_watches_sign_ins_and_keeps_its_users(prod: Deployment) -> None:
    prod.api.has_resource(
        "AWS::Cognito::UserPool",
        {
            "DeletionPolicy": "RetainExceptOnCreate",
            "Properties": Match.object_like(
                {
                    "DeletionProtection": "ACTIVE",
                    "UserPoolTier": "PLUS",
                    "UserPoolAddOns": {"AdvancedSecurityMode": "ENFORCED"},
                }
            ),
        },
    )


def test_requests_are_limited_and_logged(prod: Deployment) -> None:
    prod.api.has_resource_properties(
        "AWS::ApiGatewayV2::Stage",
        {
            "StageName": "$default",
            "AutoDeploy": True,
            "DefaultRouteSettings": {"ThrottlingRateLimit": 2000, "ThrottlingBurstLimit": 4000},
            "AccessLogSettings": {
                "DestinationArn": Match.any_value(),
                "Format": Match.string_like_regexp(r"\$context\.requestId"),
            },
        },
    )


def test_no_page_may_call_unless_its_origin_is_named(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    for stage in (dev, prod, local):
        stage.api.has_resource_properties("AWS::ApiGatewayV2::Api", {"CorsConfiguration": Match.absent()})


def test_pages_of_named_origins_may_send_what_the_api_knows_and_read_what_it_says() -> None:
    """Methods, and headers of requests, as the OpenAPI document has them; headers of answers as a call brings them."""
    app = new_app("dev")
    build_stacks(app, InfraSettings("dev", cors_origins=("https://app.example.com",)))
    stack = app.node.find_child("edgewise-dev-api")
    assert isinstance(stack, Stack)
    (api,) = Template.from_stack(stack).find_resources("AWS::ApiGatewayV2::Api").values()
    cors = api["Properties"]["CorsConfiguration"]
    operations = [(method, each) for path in DOCUMENT["paths"].values() for method, each in path.items()]
    parameters = [each for _, operation in operations for each in operation.get("parameters", ())]
    answers = [answer for _, operation in operations for answer in operation["responses"].values()]
    told = {name for answer in answers for name in answer.get("headers", ())}
    assert cors == {
        "AllowOrigins": ["https://app.example.com"],
        "AllowMethods": sorted({method.upper() for method, _ in operations}),
        "AllowHeaders": [
            "authorization",
            "content-type",
            *sorted({p["name"] for p in parameters if p["in"] == "header"}),
        ],
        "ExposeHeaders": [*CONSUMED, *sorted(name.lower() for name in told), "retry-after"],
        "MaxAge": 3600,
    }


def test_what_an_answer_costs_may_be_read_by_pages(table: Table) -> None:
    answer = Client().call("GET /users/{user}/rooms", user="amy")
    told = {name for name in answer.headers if name.startswith("x-")} - {"x-content-type-options"}
    # What an answer causes others to pay is told only where it does.
    assert told == {*CONSUMED} - {"x-caused-units"}


def test_what_scripts_and_people_need_is_printed(dev: Deployment) -> None:
    outputs = {name for template in dev.templates for name in template.to_json()["Outputs"]}
    assert outputs >= {
        "ApiUrl",
        "UserPoolId",
        "UserPoolClientId",
        "TelemetryQueueUrl",
        "TableName",
        "PageTopicArn",
        "TicketTopicArn",
        "TelemetryFunctionName",
        "ChatFunctionName",
        "ApiFunctionName",
        "EdgeAggregatorFunctionName",
    }
