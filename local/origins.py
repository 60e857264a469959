"""What `make restore` restores from: a table that is there, or what DynamoDB keeps of one that was deleted."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from local.errors import LocalError

# In place of an instant: what a table held that was deleted.
DELETION: Final = "deletion"


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


def deleted(client: Any, table: str) -> Deleted:
    """What DynamoDB keeps of a deleted table for 35 days, if it had point-in-time recovery; raises RestoreError."""
    pages = client.get_paginator("list_backups").paginate(TableName=table, BackupType="SYSTEM")
    backups = [backup for page in pages for backup in page["BackupSummaries"]]
    if not backups:
        raise RestoreError(f"AT={DELETION}: DynamoDB has no backup of a deleted table {table}")
    newest = max(backups, key=lambda backup: backup["BackupCreationDateTime"])
    return Deleted(newest["BackupArn"], newest["BackupCreationDateTime"].astimezone(UTC))
