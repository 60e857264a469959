"""The settings of an AWS account and region that no stack owns: read before a deployment, set by `make bootstrap`."""

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import boto3
from botocore.exceptions import ClientError

from infra.preflight import Account
from infra.settings import InfraSettings

LOG_ROLE: Final = "edgewise-api-gateway-logs"
# AWS's own policy for this purpose: it writes to any log group, as the role is for every API of the account.
LOG_POLICY: Final = "arn:aws:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
TRUST: Final = {
    "Version": "2012-10-17",
    "Statement": [
        {"Effect": "Allow", "Principal": {"Service": "apigateway.amazonaws.com"}, "Action": "sts:AssumeRole"}
    ],
}
# The role of `cdk bootstrap` that may read everything: who may deploy may assume it.
READER: Final = "arn:aws:iam::{account}:role/cdk-hnb659fds-lookup-role-{account}-{region}"
# API Gateway refuses a new role until IAM has told it everywhere.
TRIES, PAUSE_SECONDS = 12, 5.0
Client = Callable[..., Any]


def own_client(settings: InfraSettings) -> Client:
    """Clients with the credentials of the environment, in the stage's region."""
    return cast(Client, boto3.Session(region_name=settings.region).client)


def reading_client(settings: InfraSettings) -> Client:
    """Clients that only read, where the stage is to be deployed; raises botocore's errors if it is not bootstrapped."""
    session = boto3.Session(region_name=settings.region)
    sts = session.client("sts")
    account = settings.account or sts.get_caller_identity()["Account"]
    role = READER.format(account=account, region=session.region_name)
    assumed = sts.assume_role(RoleArn=role, RoleSessionName="edgewise-preflight")["Credentials"]
    reader = boto3.Session(
        aws_access_key_id=assumed["AccessKeyId"],
        aws_secret_access_key=assumed["SecretAccessKey"],
        aws_session_token=assumed["SessionToken"],
        region_name=session.region_name,
    )
    return cast(Client, reader.client)


def account(client: Client, settings: InfraSettings) -> Account:
    """What the check before a deployment of a stage decides by; raises botocore's errors."""
    functions = client("lambda")
    limits = functions.get_account_settings()["AccountLimit"]
    log_role = client("apigateway").get_account().get("cloudwatchRoleArn")
    outputs = {
        part: {each["OutputKey"]: each["OutputValue"] for each in stack.get("Outputs", ())}
        for part, stack in stacks(client, settings).items()
    }
    distributions = _distributions(client) if settings.console else None
    table = outputs.get("table", {}).get("TableName")
    warm = _warm(client, table) if settings.warm_units and table else {}
    ringing = _ringing(client, settings) if settings.has_versions else ()
    region, concurrency = functions.meta.region_name, limits["ConcurrentExecutions"]
    return Account(region, concurrency, log_role, distributions, outputs, warm=warm, ringing=ringing)


def _distributions(client: Client) -> int:
    """How many the account has, up to what one answer tells."""
    return int(client("cloudfront").list_distributions()["DistributionList"]["Quantity"])


def _warm(client: Client, table: str) -> dict[str, int]:
    """The most that the table or one of its indexes takes at once."""
    described = client("dynamodb").describe_table(TableName=table)["Table"]
    parts = [each.get("WarmThroughput", {}) for each in (described, *described["GlobalSecondaryIndexes"])]
    return {name: max(part.get(name, 0) for part in parts) for name in ("ReadUnitsPerSecond", "WriteUnitsPerSecond")}


def _ringing(client: Client, settings: InfraSettings) -> tuple[str, ...]:
    """The names of the stage's alarms that ring, up to what one answer tells."""
    asked = {"AlarmNamePrefix": f"{settings.prefix}-", "StateValue": "ALARM", "AlarmTypes": ["MetricAlarm"]}
    return tuple(each["AlarmName"] for each in client("cloudwatch").describe_alarms(**asked)["MetricAlarms"])


def stacks(client: Client, settings: InfraSettings) -> dict[str, Any]:
    """The stage's stacks as CloudFormation describes them, by the last part of the name; raises botocore's errors."""
    prefix, found = f"{settings.prefix}-", dict[str, Any]()
    for page in client("cloudformation").get_paginator("describe_stacks").paginate():
        for stack in page["Stacks"]:
            tags = {tag["Key"]: tag["Value"] for tag in stack.get("Tags", ())}
            # Names of other stages may begin so, too.
            if stack["StackName"].startswith(prefix) and tags.get("stage") == settings.stage:
                found[stack["StackName"].removeprefix(prefix)] = stack
    return found


def ensure_log_role(client: Client, pause: Callable[[float], None] = time.sleep) -> str | None:
    """Give API Gateway a role to log with, unless it has one; returns that of before. Raises botocore's errors."""
    gateway = client("apigateway")
    former: str | None = gateway.get_account().get("cloudwatchRoleArn")
    if not former:
        _set(gateway, _made(client("iam")), pause)
    return former


def _made(iam: Any) -> str:
    """The role; that of the bootstrap of another region, if there is one."""
    with suppress(iam.exceptions.EntityAlreadyExistsException):
        iam.create_role(RoleName=LOG_ROLE, AssumeRolePolicyDocument=json.dumps(TRUST))
    iam.attach_role_policy(RoleName=LOG_ROLE, PolicyArn=LOG_POLICY)
    return str(iam.get_role(RoleName=LOG_ROLE)["Role"]["Arn"])


def _set(gateway: Any, role: str, pause: Callable[[float], None]) -> None:
    change = [{"op": "replace", "path": "/cloudwatchRoleArn", "value": role}]
    for _ in range(TRIES - 1):
        try:
            gateway.update_account(patchOperations=change)
            return
        except ClientError as error:
            if error.response["Error"]["Code"] != "BadRequestException":
                raise
            pause(PAUSE_SECONDS)
    gateway.update_account(patchOperations=change)
