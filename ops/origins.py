"""What `make restore` restores from: a table, what DynamoDB keeps of a deleted one, or a copy from another region."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from ops.errors import LocalError

# In place of an instant: what a table held that was deleted.
DELETION: Final = "deletion"
# The same: the newest copy of the table of a region that is lost.
COPY: Final = "copy"
# AWS does not say how long a restore takes.
LOOK_SECONDS: Final = 15
_UNDER_WAY: Final = ("PENDING", "RUNNING")


class RestoreError(LocalError):
    """There is no such instant, or nothing to restore from."""


@dataclass(frozen=True)
class Living:
    """A table that is there, as it was at an instant."""

    source: str
    instant: datetime

    def restore_into(self, client: Any, name: str) -> None:
        """Ask for it; raises RestoreError if it is not there, botocore's errors."""
        try:
            client.restore_table_to_point_in_time(
                SourceTableName=self.source, TargetTableName=name, RestoreDateTime=self.instant
            )
        except client.exceptions.TableNotFoundException as error:
            raise RestoreError(f"{self.source} is gone: make restore AT={DELETION}") from error


@dataclass(frozen=True)
class Deleted:
    """A table that was deleted then, by the ARN of the backup that DynamoDB made of it."""

    backup: str
    instant: datetime

    def restore_into(self, client: Any, name: str) -> None:
        """Ask for it; raises botocore's errors."""
        client.restore_table_from_backup(BackupArn=self.backup, TargetTableName=name)


@dataclass(frozen=True)
class Copied:
    """A copy that AWS Backup made then, by its ARN.

    `backup`: a client of AWS Backup; `role`: as which that restores; `pause`: waits for so many seconds.
    """

    backup: Any
    point: str
    role: str
    instant: datetime
    pause: Callable[[float], None] = time.sleep

    def restore_into(self, _client: Any, name: str) -> None:
        """Ask for it, and wait until it is there; raises RestoreError if AWS Backup can't, botocore's errors."""
        begun = self.backup.start_restore_job(
            RecoveryPointArn=self.point,
            IamRoleArn=self.role,
            ResourceType="DynamoDB",
            # The stage's own key, if it has one, is set when the table is there.
            Metadata={"targetTableName": name, "encryptionType": "Default"},
            IdempotencyToken=name,  # a repetition goes on with the same job
        )
        while (job := self.backup.describe_restore_job(RestoreJobId=begun["RestoreJobId"]))["Status"] in _UNDER_WAY:
            self.pause(LOOK_SECONDS)
        if job["Status"] != "COMPLETED":
            raise RestoreError(f"AT={COPY}: AWS Backup can't restore {self.point}: {job.get('StatusMessage')}")


def copied(backup: Any, vault: str, role: str) -> Copied:
    """The newest copy in the stage's vault of a table of another region; raises RestoreError, botocore's errors."""
    here = f":{backup.meta.region_name}:"
    pages = backup.get_paginator("list_recovery_points_by_backup_vault").paginate(BackupVaultName=vault)
    found = [
        point
        for page in pages
        for point in page["RecoveryPoints"]
        # Those of this region's own table are beside them.
        if point["Status"] == "COMPLETED" and here not in point["ResourceArn"]
    ]
    if not found:
        raise RestoreError(f"AT={COPY}: the vault {vault} has no copy of a table of another region")
    newest = max(found, key=lambda point: point["CreationDate"])
    return Copied(backup, newest["RecoveryPointArn"], role, newest["CreationDate"].astimezone(UTC))


def deleted(client: Any, table: str) -> Deleted:
    """What DynamoDB keeps of a deleted table for 35 days, if it had point-in-time recovery; raises RestoreError."""
    pages = client.get_paginator("list_backups").paginate(TableName=table, BackupType="SYSTEM")
    backups = [backup for page in pages for backup in page["BackupSummaries"]]
    if not backups:
        raise RestoreError(f"AT={DELETION}: DynamoDB has no backup of a deleted table {table}")
    newest = max(backups, key=lambda backup: backup["BackupCreationDateTime"])
    return Deleted(newest["BackupArn"], newest["BackupCreationDateTime"].astimezone(UTC))
