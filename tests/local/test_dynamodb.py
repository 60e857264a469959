from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
import requests

from edgewise.dynamodb.schema import create_table_request
from local import dynamodb
from ops.processes import MissingProgramError
from tests.conftest import local_client

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def test_a_file_other_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "package.tgz"
    archive.write_bytes(b"something else")
    with pytest.raises(dynamodb.IntegrityError, match=r"package\.tgz"):
        dynamodb.verify(archive, dynamodb.INTEGRITY)


def test_without_java_it_names_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgramError, match="java is needed and not found: install Java 17"), dynamodb.running():
        pass


def test_what_npm_says_is_told_when_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(dynamodb, "PACKAGE", str(tmp_path / "no-package"))
    monkeypatch.setattr(dynamodb, "HOME", tmp_path / "not there yet")
    with pytest.raises(dynamodb.DownloadError, match="ENOENT"):
        dynamodb.install()


@pytest.mark.usefixtures("java")
def test_it_serves_tables_while_the_block_runs_and_ends_with_it() -> None:
    with dynamodb.running() as url:
        client = boto3.client(
            "dynamodb",
            endpoint_url=url,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        client.create_table(
            TableName="things",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
        )
        assert client.list_tables()["TableNames"] == ["things"]
    with pytest.raises(requests.ConnectionError):
        requests.get(url, timeout=5)


@pytest.fixture
def client(dynamodb_local: str, aws_env: pytest.MonkeyPatch) -> "DynamoDBClient":
    return local_client(dynamodb_local)


def test_a_table_whose_making_was_repeated_is_made(client: "DynamoDBClient") -> None:
    """The first answer came too late for the SDK, so it sent the request once more."""
    request = create_table_request("repeated")
    client.create_table(**request)
    dynamodb.create_table(client, request)
    assert client.describe_table(TableName="repeated")["Table"]["KeySchema"] == request["KeySchema"]


@pytest.mark.parametrize("changed", ["KeySchema", "GlobalSecondaryIndexes"])
def test_another_table_of_the_same_name_is_not_taken_for_it(client: "DynamoDBClient", changed: str) -> None:
    name, request = f"taken-{changed}", create_table_request(f"taken-{changed}")
    other: dict[str, Any] = {
        "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        "GlobalSecondaryIndexes": request["GlobalSecondaryIndexes"][:1],
    }
    used = request | {changed: other[changed]}
    names = {key["AttributeName"] for part in (used, *used["GlobalSecondaryIndexes"]) for key in part["KeySchema"]}
    used["AttributeDefinitions"] = [each for each in used["AttributeDefinitions"] if each["AttributeName"] in names]
    client.create_table(**used)
    with pytest.raises(client.exceptions.ResourceInUseException):
        dynamodb.create_table(client, request)
    assert client.describe_table(TableName=name)["Table"]["KeySchema"] == used["KeySchema"]
