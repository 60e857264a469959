"""`make restore`: what it sets on a table, repeats, and says; the drill in tests/e2e carries it out."""

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest

from functions.dynamodb.schema import create_table_request
from local import halting
from local import restore as module
from local.restore import Restored, RestoreError, restore
from local.stage import Stage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

AT = datetime.fromisoformat("2026-11-23T05:41:00Z")


@pytest.fixture
def restored(moto_client: "DynamoDBClient") -> Any:
    table = moto_client.create_table(**create_table_request("own"))["TableDescription"]
    moto_client.update_table(TableName="own", DeletionProtectionEnabled=True)
    moto_client.tag_resource(ResourceArn=table["TableArn"], Tags=[{"Key": "team", "Value": "sensors"}])
    made = Restored(moto_client, "own", "new")
    made.begin(AT)
    made.set_up()
    return made


def test_a_restored_table_gets_what_a_restore_leaves_out_also_the_second_time(
    restored: Restored, moto_client: "DynamoDBClient"
) -> None:
    stream = restored.described()["LatestStreamArn"]
    restored.begin(AT)
    restored.set_up()
    table = restored.described()
    assert table["LatestStreamArn"] == stream
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["DeletionProtectionEnabled"]
    expiry = moto_client.describe_time_to_live(TableName="new")["TimeToLiveDescription"]
    assert expiry == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ExpiresAt"}
    backups: Any = moto_client.describe_continuous_backups(TableName="new")["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"
    tags = moto_client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {"team": "sensors"}


def test_tags_that_only_aws_may_set_are_left_out() -> None:
    class Pages:
        def get_paginator(self, _name: str) -> "Pages":
            return self

        def paginate(self, **_: str) -> Any:
            return [{"Tags": [{"Key": "aws:cloudformation:stack-name", "Value": "s"}]}, {"Tags": [{"Key": "t"}]}]

    assert list(Restored(Pages(), "own", "new")._tags("arn")) == [{"Key": "t"}]


@pytest.mark.parametrize("at", ["", "yesterday", "2026-11-23", "2026-11-23T05:41:00"])
def test_without_an_instant_nothing_is_halted(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halting, "halt", lambda _: pytest.fail("halted"))
    with pytest.raises(RestoreError, match=f"^AT={at}: it must be an RFC 3339 date-time with an offset"):
        restore(Stage("dev"), at)


def test_it_says_what_is_left_to_do() -> None:
    told = module._told("dev", "arn:stream")
    assert 'stages/dev.toml, above any [table]:\n\nrestored = "arn:stream"\n' in told
    assert "make deploy STAGE=dev, then make resume ON=dev" in told
    assert "make dev, then make resume" in module._told("local", "arn:stream")
