"""Who may do what, on the deployed application."""

import json
import re
from typing import Any

import boto3
import pytest
import requests
from botocore.exceptions import ClientError

from functions.catalog import PUBLIC, REQUIRED_GROUP, ROUTES, module_of
from local.cloud import REGION
from local.users import DEMO_USERS, token
from tests.e2e.conftest import Deployment

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
