from pathlib import Path

import boto3
import pytest
import requests

from local import dynamodb


def test_a_file_other_than_the_pinned_one_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "package.tgz"
    archive.write_bytes(b"something else")
    with pytest.raises(dynamodb.IntegrityError, match=r"package\.tgz"):
        dynamodb.verify(archive, dynamodb.INTEGRITY)


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
