"""A table that was restored from refuses writes, and nothing else, until it is used again."""

import json
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from edgewise.dynamodb.schema import create_table_request
from infra.settings import InfraSettings
from ops import halting, refusal
from ops import restore as restoring
from ops.origins import Deleted
from ops.restore import restore
from ops.stage import Stage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

AT = "2026-11-23T05:41:00Z"


@pytest.fixture
def arn(moto_client: "DynamoDBClient") -> Iterator[str]:
    moto_client.create_table(**create_table_request("own"))
    arn = moto_client.describe_table(TableName="own")["Table"]["TableArn"]
    yield arn
    # moto keeps a policy for the next table of its name, and knows none of a table that has no policy.
    with suppress(moto_client.exceptions.PolicyNotFoundException, moto_client.exceptions.ResourceNotFoundException):
        moto_client.delete_resource_policy(ResourceArn=arn)
    moto_client.delete_table(TableName="own")


def policy(client: "DynamoDBClient", arn: str) -> Any:
    return json.loads(client.get_resource_policy(ResourceArn=arn)["Policy"])


def test_it_refuses_what_writes_and_whoever_it_is(moto_client: "DynamoDBClient", arn: str) -> None:
    """As botocore knows DynamoDB, these are all that change items; transactions need the rights of their parts."""
    for _ in range(2):
        refusal.begin(moto_client, "own")
    (statement,) = policy(moto_client, arn)["Statement"]
    assert (statement["Effect"], statement["Principal"], statement["Resource"]) == ("Deny", "*", arn)
    operations = {each for each in moto_client.meta.service_model.operation_names if each.endswith("Item")}
    statements = {f"PartiQL{each}" for each in ("Delete", "Insert", "Update")}
    assert set(statement["Action"]) == {
        f"dynamodb:{each}" for each in (operations - {"GetItem", "BatchGetItem"}) | statements
    }


def test_it_takes_writes_again_once_it_is_used(moto_client: "DynamoDBClient", arn: str) -> None:
    refusal.begin(moto_client, "own")
    for _ in range(2):
        refusal.end(moto_client, "own")
    with pytest.raises(moto_client.exceptions.PolicyNotFoundException):
        moto_client.get_resource_policy(ResourceArn=arn)
    refusal.end(moto_client, "gone")


def test_somebody_elses_policy_stays(moto_client: "DynamoDBClient", arn: str) -> None:
    theirs = {"Sid": "theirs", "Effect": "Deny", "Principal": "*", "Action": "dynamodb:PutItem", "Resource": arn}
    told = json.dumps({"Version": "2012-10-17", "Statement": [theirs]})
    moto_client.put_resource_policy(ResourceArn=arn, Policy=told)
    refusal.end(moto_client, "own")
    assert policy(moto_client, arn)["Statement"] == [theirs]


@pytest.mark.parametrize("source", ["own", "deleted"])
def test_a_restore_ends_with_it_if_there_is_an_old_table(
    source: str, moto_client: "DynamoDBClient", arn: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anybody can attach the new one."""
    before = list[str]()
    monkeypatch.setattr(Stage, "outputs", lambda *_: {"TableName": source})
    monkeypatch.setattr(Stage, "client", lambda *_: moto_client)
    monkeypatch.setattr(restoring, "settings_of", lambda *_: InfraSettings("dev"))
    monkeypatch.setattr(halting, "halt", lambda _: before.append("halted"))
    if source == "deleted":
        moto_client.create_table(**create_table_request(source))
        backup = moto_client.create_backup(TableName=source, BackupName=f"{source}$DeletedTableBackup")
        moto_client.delete_table(TableName=source)
        found = Deleted(backup["BackupDetails"]["BackupArn"], datetime.fromisoformat(AT))
        monkeypatch.setattr(restoring, "deleted", lambda *_: found)
    stream = restore(Stage("dev"), AT if source == "own" else "deletion", "")
    assert before == ["halted"]
    assert "edgewise-dev-20261123T054100Z" in stream
    moto_client.delete_table(TableName="edgewise-dev-20261123T054100Z")
    if source == "own":
        assert policy(moto_client, arn)["Statement"][0]["Sid"] == refusal.NAME
    else:
        with pytest.raises(moto_client.exceptions.PolicyNotFoundException):
            moto_client.get_resource_policy(ResourceArn=arn)
