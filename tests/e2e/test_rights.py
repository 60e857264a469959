"""Who may do what, on the deployed application."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import boto3
import pytest
import requests
from botocore.exceptions import ClientError

from functions.catalog import module_of
from functions.routes import PUBLIC, REQUIRED_GROUP, ROUTES
from local.users import create_user, token
from ops.local_cloud import REGION
from ops.passwords import DEMO_USERS, PASSWORD
from ops.processes import wait_until
from tests.e2e.conftest import Deployment
from tests.support.commands import outcome

ALL_ROUTES = [route for routes in ROUTES.values() for route in routes]
GUARDED = [route for route in ALL_ROUTES if route not in PUBLIC]
EVENTS = {"events": [{"device_id": "rights", "at": 0, "metrics": {"temp": 1}}]}
MESSAGES = {"messages": [{"text": "hello"}]}
IMPORT = {"messages": [{"text": "hello", "user": "amy", "sent_at": 0}]}


def call(deployment: Deployment, route: str, user: str | None, body: Any = None) -> requests.Response:
    method, _, path = route.partition(" ")
    path = re.sub(r"\{\w+\}", "rights", path)
    headers = {"authorization": f"Bearer {token(deployment.cloud, deployment.outputs, user)}"} if user else {}
    return requests.request(method, deployment.outputs.api_url + path, headers=headers, json=body, timeout=30)


@pytest.mark.parametrize("route", GUARDED)
def test_without_a_token_every_guarded_route_answers_401(deployment: Deployment, route: str) -> None:
    assert call(deployment, route, None).status_code == 401


@pytest.mark.parametrize("forged", ["garbage", "a.b.c"])
def test_a_token_of_somebody_else_answers_401(deployment: Deployment, forged: str) -> None:
    headers = {"authorization": f"Bearer {forged}"}
    assert requests.get(deployment.outputs.api_url + "/devices/d", headers=headers, timeout=30).status_code == 401


def test_a_token_changed_on_the_way_answers_401(deployment: Deployment) -> None:
    head, claims, signature = token(deployment.cloud, deployment.outputs, "guest").split(".")
    tampered = f"{head}.{claims}.{signature[:10]}{'A' if signature[10] != 'A' else 'B'}{signature[11:]}"
    headers = {"authorization": f"Bearer {tampered}"}
    assert requests.get(deployment.outputs.api_url + "/devices/d", headers=headers, timeout=30).status_code == 401


@pytest.mark.parametrize("route", sorted(PUBLIC))
def test_public_routes_need_no_token(deployment: Deployment, route: str) -> None:
    assert call(deployment, route, None).status_code == 200


@pytest.mark.parametrize(
    ("route", "body", "allowed", "refused"),
    [
        ("POST /telemetry", EVENTS, "sensor", ["guest", "importer", "admin"]),
        ("POST /rooms/{room}/messages", IMPORT, "importer", ["guest", "sensor", "admin"]),
        ("PUT /rooms/{room}", {"shards": 2}, "admin", ["guest", "sensor", "importer"]),
    ],
)
def test_groups_decide(deployment: Deployment, route: str, body: Any, allowed: str, refused: list[str]) -> None:
    for user in refused:
        answer = call(deployment, route, user, body)
        assert answer.status_code == 403
        assert answer.headers["content-type"] == "application/problem+json"
    assert call(deployment, route, allowed, body).status_code in (200, 202)


@pytest.mark.parametrize("route", sorted(REQUIRED_GROUP))
def test_routes_of_a_group_refuse_everybody_else(deployment: Deployment, route: str) -> None:
    """Before the body is looked at: there is none."""
    others = {user: group for user, group in DEMO_USERS.items() if group != REQUIRED_GROUP[route]}
    assert {user: call(deployment, route, user).status_code for user in others} == dict.fromkeys(others, 403)


@pytest.mark.parametrize("name", ["team,admin", "not[admin]", "o'admin'"])
def test_a_group_whose_name_holds_another_is_another(deployment: Deployment, name: str) -> None:
    cognito, pool = deployment.cloud.client("cognito-idp"), deployment.outputs["UserPoolId"]
    cognito.create_group(UserPoolId=pool, GroupName=name)
    create_user(deployment.cloud, deployment.outputs, "pretender", (name,))
    assert call(deployment, "PUT /rooms/{room}", "pretender", {"shards": 2}).status_code == 403


def test_an_id_token_lets_nobody_in(deployment: Deployment) -> None:
    answer = deployment.cloud.client("cognito-idp").admin_initiate_auth(
        UserPoolId=deployment.outputs["UserPoolId"],
        ClientId=deployment.outputs["UserPoolClientId"],
        AuthFlow="ADMIN_USER_PASSWORD_AUTH",
        AuthParameters={"USERNAME": "admin", "PASSWORD": PASSWORD},
    )
    headers = {"authorization": f"Bearer {answer['AuthenticationResult']['IdToken']}"}
    assert requests.get(deployment.outputs.api_url + "/rooms", headers=headers, timeout=30).status_code == 401


def test_who_is_made_again_under_the_same_name_is_somebody_else(deployment: Deployment) -> None:
    cognito, pool = deployment.cloud.client("cognito-idp"), deployment.outputs["UserPoolId"]
    url = f"{deployment.outputs.api_url}/documents/diary"

    def call_as_twin(method: str, path: str = "", body: Any = None) -> int:
        headers = {"authorization": f"Bearer {token(deployment.cloud, deployment.outputs, 'twin')}"}
        return requests.request(method, url + path, headers=headers, json=body, timeout=30).status_code

    create_user(deployment.cloud, deployment.outputs, "twin", ())
    assert call_as_twin("PUT", "/metadata", {"title": "Mine"}) == 201
    assert call_as_twin("PUT", "/permissions", {"readers": ["guest"], "writers": []}) == 200
    assert call(deployment, "GET /documents/diary", "guest").status_code == 200
    cognito.admin_delete_user(UserPoolId=pool, Username="twin")
    create_user(deployment.cloud, deployment.outputs, "twin", ())
    assert call_as_twin("GET") == 404
    assert call_as_twin("PUT", "/permissions", {"readers": [], "writers": []}) == 404


def test_who_is_blocked_is_out_in_a_minute_and_nobody_else_is(deployment: Deployment) -> None:
    """The drill of docs/runbooks.md: the log names who it is, one command puts that user out, another one lets in."""
    flooder, bystander = (_signed_in(deployment, name) for name in ("flooder", "bystander"))
    assert (flooder(), bystander()) == (200, 200)
    cognito, pool = deployment.cloud.client("cognito-idp"), deployment.outputs["UserPoolId"]
    found = cognito.admin_get_user(UserPoolId=pool, Username="flooder")
    (sub,) = [each["Value"] for each in found["UserAttributes"] if each["Name"] == "sub"]
    wait_until(lambda: ("flooder", sub) in _callers(deployment, "flooder"), 60, "the line of the log")

    status, said = outcome("ops.revoke", "local", "flooder", "", port=deployment.cloud.port)
    assert status == 0, said
    second = time.time() // 1
    wait_until(lambda: flooder() == 401, 60, "the token's refusal")
    assert bystander() == 200
    with pytest.raises(ClientError, match="disabled"):
        token(deployment.cloud, deployment.outputs, "flooder")

    cognito.admin_enable_user(UserPoolId=pool, Username="flooder")
    assert flooder() == 401, "the tokens of before stay refused"
    # A token tells its second only, so all of that second are refused.
    wait_until(lambda: time.time() // 1 > second, 5, "the next second")
    assert _signed_in(deployment, "flooder")() == 200


def _signed_in(deployment: Deployment, name: str) -> Callable[[], int]:
    """How a user is answered who goes on with one token."""
    create_user(deployment.cloud, deployment.outputs, name, ())
    headers = {"authorization": f"Bearer {token(deployment.cloud, deployment.outputs, name)}"}
    return lambda: requests.get(f"{deployment.outputs.api_url}/rooms", headers=headers, timeout=30).status_code


def _callers(deployment: Deployment, name: str) -> set[tuple[str, str]]:
    """Whom the lines of functions that have this word name, by name and by sub."""
    logs = deployment.cloud.client("logs")
    groups = (group["logGroupName"] for group in logs.describe_log_groups()["logGroups"])
    found = (logs.filter_log_events(logGroupName=group, filterPattern=f'"{name}"')["events"] for group in groups)
    lines = [json.loads(event["message"]) for events in found for event in events]
    return {(line["caller"], line["sub"]) for line in lines if line["message"] == "answered"}


def test_everybody_with_a_token_may_chat(deployment: Deployment) -> None:
    answer = call(deployment, "POST /rooms/{room}/messages", "guest", MESSAGES)
    assert answer.status_code == 202
    assert answer.json()["messages"][0]["user"] == "guest"


def test_a_function_can_do_nothing_its_role_does_not_say(deployment: Deployment) -> None:
    """The places function may query the table: not write to it in batches, not scan it."""
    as_places = _assume_role_of(deployment, "places")
    table = deployment.outputs["TableName"]
    key = {"PK": {"S": "x"}, "SK": {"S": "x"}}
    query = {"KeyConditionExpression": "PK = :pk", "ExpressionAttributeValues": {":pk": {"S": "x"}}}
    assert as_places.query(TableName=table, **query)["Count"] == 0
    with pytest.raises(ClientError, match="AccessDenied"):
        as_places.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": key}}]})
    with pytest.raises(ClientError, match="AccessDenied"):
        as_places.scan(TableName=table)


def _assume_role_of(deployment: Deployment, function: str) -> Any:
    functions = deployment.cloud.client("lambda").list_functions()["Functions"]
    role = next(f["Role"] for f in functions if f["Handler"] == f"{module_of(function)}.handler")
    keys = deployment.cloud.client("sts").assume_role(RoleArn=role, RoleSessionName="test")["Credentials"]
    return boto3.client(
        "dynamodb",
        endpoint_url=deployment.cloud.url,
        region_name=REGION,
        aws_access_key_id=keys["AccessKeyId"],
        aws_secret_access_key=keys["SecretAccessKey"],
        aws_session_token=keys["SessionToken"],
    )


def test_the_api_describes_itself(deployment: Deployment) -> None:
    document = json.loads(call(deployment, "GET /openapi.json", None).text)
    assert set(document["paths"]) == {route.partition(" ")[2] for route in ALL_ROUTES}
