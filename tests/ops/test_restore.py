"""`make restore`: what it restores from, sets, repeats, and says; the drill in tests/e2e carries it out."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from botocore.stub import Stubber

from edgewise.dynamodb.schema import create_table_request
from infra.settings import InfraSettings
from ops import halting
from ops import restore as module
from ops.origins import Copied, Deleted, Living, RestoreError, copied, deleted
from ops.restore import Restored, restore
from ops.stage import Stage

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

AT = datetime.fromisoformat("2026-11-23T05:41:00Z")
LIVING = Living("own", AT)
# As production, whose table is protected.
SETTINGS = InfraSettings(
    "stage",
    production=True,
    account="111122223333",
    region="us-east-1",
    alarms="all",
    pages=("on-call@edgewise.dev",),
    tickets=("on-call@edgewise.dev",),
    budget=500,
    tags={"team": "sensors"},
)
ARN = "arn:aws:dynamodb:us-east-1:111122223333:table/own"


@pytest.fixture(params=["living", "deleted"])
def origin(request: pytest.FixtureRequest, moto_client: "DynamoDBClient") -> Iterator[Living | Deleted]:
    """A table, or what is left of one when it is gone."""
    moto_client.create_table(**create_table_request("own"))
    moto_client.put_item(TableName="own", Item={"PK": {"S": "a"}, "SK": {"S": "b"}})
    if request.param == "living":
        yield LIVING
        moto_client.delete_table(TableName="own")
        return
    backup: Any = moto_client.create_backup(TableName="own", BackupName="own$DeletedTableBackup")["BackupDetails"]
    moto_client.delete_table(TableName="own")
    yield Deleted(backup["BackupArn"], AT)


def test_a_restored_table_gets_what_a_restore_leaves_out_also_the_second_time(
    origin: Living | Deleted, moto_client: "DynamoDBClient"
) -> None:
    restored = Restored(moto_client, type(origin).__name__, SETTINGS)
    streams = set[str]()
    for _ in range(2):
        restored.begin(origin)
        restored.set_up()
        streams.add(restored.described()["LatestStreamArn"])
    assert len(streams) == 1
    table = restored.described()
    assert moto_client.scan(TableName=restored.name)["Count"] == 1
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["DeletionProtectionEnabled"]
    expiry = moto_client.describe_time_to_live(TableName=restored.name)["TimeToLiveDescription"]
    assert expiry == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ExpiresAt"}
    backups: Any = moto_client.describe_continuous_backups(TableName=restored.name)["ContinuousBackupsDescription"]
    assert backups["PointInTimeRecoveryDescription"]["PointInTimeRecoveryStatus"] == "ENABLED"
    tags = moto_client.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {"project": "edgewise", "stage": "stage", "team": "sensors"}


def test_throttled_keys_are_named_where_the_stage_says_so() -> None:
    class Insights(list[Any]):
        def update_contributor_insights(self, **asked: str) -> None:
            self.append((asked.pop("IndexName", None), asked))

    asked, found = {"ContributorInsightsAction": "ENABLE", "ContributorInsightsMode": "THROTTLED_KEYS"}, Insights()
    Restored(found, "new", SETTINGS)._name_throttled_keys()
    assert found == [(part, {"TableName": "new", **asked}) for part in (None, "GSI1", "GSI2", "GSI3")]


@pytest.fixture
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[tuple[Any, Stubber]]:
    """DynamoDB, which answers as its API is documented, and nothing else than it is told to."""
    client = boto3.client("dynamodb")
    with Stubber(client) as stubber:
        yield client, stubber


def summary(number: int, at: datetime) -> dict[str, Any]:
    return {"BackupArn": f"{ARN}/backup/0148000000000{number}-0a1b2c3d", "BackupCreationDateTime": at}


def test_of_a_deleted_table_the_newest_backup_that_dynamodb_made_is_restored(aws: tuple[Any, Stubber]) -> None:
    """DescribeTable is not asked: it knows no deleted table."""
    client, stubber = aws
    asked = {"TableName": "own", "BackupType": "SYSTEM"}
    older, newest = summary(1, datetime(2026, 11, 1, tzinfo=UTC)), summary(2, AT)
    last = {"LastEvaluatedBackupArn": older["BackupArn"]}
    stubber.add_response("list_backups", {"BackupSummaries": [older], **last}, asked)
    following = {**asked, "ExclusiveStartBackupArn": older["BackupArn"]}
    stubber.add_response("list_backups", {"BackupSummaries": [newest]}, following)
    found = deleted(client, "own")
    assert found == Deleted(newest["BackupArn"], AT)
    stubber.add_response("restore_table_from_backup", {}, {"BackupArn": newest["BackupArn"], "TargetTableName": "new"})
    found.restore_into(client, "new")
    stubber.assert_no_pending_responses()


def test_without_such_a_backup_there_is_nothing_to_restore(aws: tuple[Any, Stubber]) -> None:
    client, stubber = aws
    stubber.add_response("list_backups", {"BackupSummaries": []})
    with pytest.raises(RestoreError, match=r"^AT=deletion: DynamoDB has no backup of a deleted table own$"):
        deleted(client, "own")


LOST = "arn:aws:dynamodb:eu-west-1:111122223333:table/edgewise-prod-table-A1"
ROLE = "arn:aws:iam::111122223333:role/copies"
KEY = "arn:aws:kms:us-east-1:111122223333:key/12ab"


@pytest.fixture
def backup(aws_env: pytest.MonkeyPatch) -> Iterator[tuple[Any, Stubber]]:
    """AWS Backup, the same."""
    client = boto3.client("backup")
    with Stubber(client) as stubber:
        yield client, stubber


def point(number: int, at: datetime, **other: str) -> dict[str, Any]:
    arn = f"arn:aws:backup:us-east-1:111122223333:recovery-point:{number}"
    return {"RecoveryPointArn": arn, "CreationDate": at, "Status": "COMPLETED", "ResourceArn": LOST, **other}


def test_of_a_lost_region_the_newest_whole_copy_is_restored(backup: tuple[Any, Stubber]) -> None:
    client, stubber = backup
    later = datetime.fromisoformat("2026-11-23T06:00:00Z")
    points = [
        point(1, datetime(2026, 11, 1, tzinfo=UTC)),
        point(2, AT),
        point(3, later, Status="PARTIAL"),
        point(4, later, ResourceArn=LOST.replace("eu-west-1", "us-east-1")),  # of the stage that is to take over
    ]
    asked = {"BackupVaultName": "edgewise-prod"}
    stubber.add_response("list_recovery_points_by_backup_vault", {"RecoveryPoints": points}, asked)
    found = copied(client, "edgewise-prod", ROLE)
    assert found == Copied(client, points[1]["RecoveryPointArn"], ROLE, AT)


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED"])
def test_a_copy_is_restored_by_a_job_which_is_waited_for(backup: tuple[Any, Stubber], status: str) -> None:
    client, stubber = backup
    asked = {
        "RecoveryPointArn": "arn:copy",
        "IamRoleArn": ROLE,
        "ResourceType": "DynamoDB",
        "Metadata": {"targetTableName": "new", "encryptionType": "Default"},
        "IdempotencyToken": "new",
    }
    stubber.add_response("start_restore_job", {"RestoreJobId": "job"}, asked)
    for now in ("PENDING", "RUNNING", status):
        stubber.add_response("describe_restore_job", {"Status": now, "StatusMessage": "why"}, {"RestoreJobId": "job"})
    paused = list[float]()
    found = Copied(client, "arn:copy", ROLE, AT, paused.append)
    if status == "COMPLETED":
        found.restore_into(None, "new")
    else:
        with pytest.raises(RestoreError, match=r"^AT=copy: AWS Backup can't restore arn:copy: why$"):
            found.restore_into(None, "new")
    assert len(paused) == 2


def test_without_a_copy_or_a_role_to_restore_it_nothing_is_halted(
    backup: tuple[Any, Stubber], monkeypatch: pytest.MonkeyPatch
) -> None:
    client, stubber = backup
    stubber.add_response("list_recovery_points_by_backup_vault", {"RecoveryPoints": []})
    with pytest.raises(RestoreError, match=r"^AT=copy: the vault edgewise-prod has no copy of a table of another"):
        copied(client, "edgewise-prod", ROLE)
    monkeypatch.setattr(halting, "halt", lambda _: pytest.fail("halted"))
    monkeypatch.setattr(Stage, "outputs", lambda *_: {"TableName": "own"})
    monkeypatch.setattr(Stage, "client", lambda *_: None)
    with pytest.raises(RestoreError, match=r"^AT=copy: deploy the stage with \[backup\] first: its role restores$"):
        restore(Stage("dev"), "copy", "")


@pytest.mark.parametrize(("own", "used", "changed"), [(KEY, None, True), (KEY, KEY, False), (None, None, False)])
def test_a_restored_table_is_under_the_stages_own_key(own: str | None, used: str | None, changed: bool) -> None:
    """AWS Backup restores a copy under AWS's key."""

    class Described:
        def describe_table(self, **_: str) -> Any:
            return {"Table": {"SSEDescription": {"KMSMasterKeyArn": used}} if used else {}}

    specified = {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": own}
    missing = list(Restored(Described(), "new", SETTINGS, own)._missing())
    assert [each["SSESpecification"] for each in missing if "SSESpecification" in each] == [specified] * changed


def test_an_instant_of_a_table_that_is_gone_names_the_way_out(aws: tuple[Any, Stubber]) -> None:
    client, stubber = aws
    stubber.add_client_error("restore_table_to_point_in_time", "TableNotFoundException")
    with pytest.raises(RestoreError, match=r"^own is gone: make restore AT=deletion$"):
        LIVING.restore_into(client, "new")


@pytest.mark.parametrize("at", ["", "yesterday", "2026-11-23", "2026-11-23T05:41:00"])
def test_without_an_instant_nothing_is_halted(at: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(halting, "halt", lambda _: pytest.fail("halted"))
    with pytest.raises(RestoreError, match=f"^AT={at}: it must be an RFC 3339 date-time with an offset"):
        restore(Stage("dev"), at, "")


def test_it_says_what_is_left_to_do() -> None:
    told = module._told("dev", "arn:stream")
    assert 'stages/dev.toml, above any [table]:\n\nrestored = "arn:stream"\n' in told
    assert "make deploy STAGE=dev, then make resume ON=dev" in told
    assert "make dev, then make resume" in module._told("local", "arn:stream")
