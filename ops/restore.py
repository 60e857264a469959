"""`make restore`: a new table with a stage's data as of an instant, set up as the stage's own table is.

AWS restores data, keys, indexes, billing and encryption. What else a table has in infra/table.py is set here, by the
settings of the stage: the table that the data come from may be gone.
"""

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from edgewise.dynamodb.schema import INDEXES, STREAM_VIEW, TTL_ATTRIBUTE
from edgewise.times import parse_instant
from infra.settings import InfraSettings
from ops import halting, refusal
from ops.bound import set_bounds, warm
from ops.errors import LocalError
from ops.local_cloud import STAGE
from ops.origins import COPY, DELETION, Copied, Deleted, Living, RestoreError, copied, deleted
from ops.settings import settings_of
from ops.stage import Stage

# AWS does not say how long a restore takes; that of a large table may take hours.
WAITING = {"Delay": 15, "MaxAttempts": 24 * 3600 // 15}


def restore(stage: Stage, at: str, like: str) -> str:
    """Halt the stage, and restore its table into a new one; returns the ARN of the new one's stream.

    `at`: an RFC 3339 date-time, to the second; `deletion` if the table is gone, `copy` if its region is. It may be
    repeated: it goes on where it ended. `like`: as make's LIKE. Raises LocalError.
    """
    instant = None if at in (DELETION, COPY) else _instant(at)
    settings = settings_of(stage.name, like)
    with stage.telling():
        outputs, client = stage.outputs("table", "TableName"), stage.client("dynamodb")
        source = outputs["TableName"]
        origin = Living(source, instant) if instant else _gone(stage, at, outputs, settings)
        halting.halt(stage)
        key = stage.outputs("key", "KeyArn")["KeyArn"] if settings.customer_key else None
        restored = Restored(client, f"{settings.prefix}-{origin.instant:%Y%m%dT%H%M%SZ}", settings, key)
        restored.begin(origin)
        restored.set_up()
        if isinstance(origin, Living):
            refusal.begin(client, origin.source)
        return str(restored.described()["LatestStreamArn"])


def _instant(at: str) -> datetime:
    try:
        return parse_instant(at).replace(microsecond=0)
    except ValueError as error:
        raise RestoreError(f"AT={at}: it {error}") from error


def _gone(stage: Stage, at: str, outputs: Mapping[str, str], settings: InfraSettings) -> Deleted | Copied:
    """What is left of a table that is gone, or of the one in a region that is lost."""
    if at == DELETION:
        return deleted(stage.client("dynamodb"), outputs["TableName"])
    if "BackupRoleArn" not in outputs:
        raise RestoreError(f"AT={COPY}: deploy the stage with [backup] first: its role restores")
    return copied(stage.client("backup"), settings.prefix, outputs["BackupRoleArn"])


@dataclass(frozen=True)
class Restored:
    """A table by its name, and the settings of the stage that it is for; `key`: the ARN of the stage's own key."""

    client: Any
    name: str
    settings: InfraSettings
    key: str | None = None

    def begin(self, origin: Living | Deleted | Copied) -> None:
        """Ask for the table, and wait until it is there; nothing if this was done before."""
        with suppress(self.client.exceptions.TableAlreadyExistsException):
            origin.restore_into(self.client, self.name)
        self._wait()

    def described(self) -> Any:
        """What DynamoDB says of the table."""
        return self.client.describe_table(TableName=self.name)["Table"]

    def set_up(self) -> None:
        """Set what a restore leaves out."""
        for changes in self._missing():
            self.client.update_table(TableName=self.name, **changes)
            self._wait()
        set_bounds(self.client, self.name, self.settings)
        warm(self.client, self.name, self.settings)
        self._let_items_expire()
        recovery = {"PointInTimeRecoveryEnabled": True}
        self.client.update_continuous_backups(TableName=self.name, PointInTimeRecoverySpecification=recovery)
        if self.settings.contributor_insights:
            self._name_throttled_keys()
        tags = [{"Key": key, "Value": value} for key, value in self.settings.all_tags.items()]
        self.client.tag_resource(ResourceArn=self.described()["TableArn"], Tags=tags)

    def _missing(self) -> Iterator[dict[str, Any]]:
        """What is to be changed, one after the other: DynamoDB refuses a stream that is there already."""
        described = self.described()
        if not (described.get("StreamSpecification") or {}).get("StreamEnabled"):
            yield {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": STREAM_VIEW}}
        if self.key and (described.get("SSEDescription") or {}).get("KMSMasterKeyArn") != self.key:
            yield {"SSESpecification": {"Enabled": True, "SSEType": "KMS", "KMSMasterKeyId": self.key}}
        if self.settings.refuses_deletion and not described.get("DeletionProtectionEnabled"):
            yield {"DeletionProtectionEnabled": True}

    def _let_items_expire(self) -> None:
        found = self.client.describe_time_to_live(TableName=self.name)["TimeToLiveDescription"]
        if found["TimeToLiveStatus"] == "DISABLED":
            expiry = {"Enabled": True, "AttributeName": TTL_ATTRIBUTE}
            self.client.update_time_to_live(TableName=self.name, TimeToLiveSpecification=expiry)

    def _name_throttled_keys(self) -> None:
        asked = {"ContributorInsightsAction": "ENABLE", "ContributorInsightsMode": "THROTTLED_KEYS"}
        for part in ({}, *({"IndexName": index.name} for index in INDEXES)):
            self.client.update_contributor_insights(TableName=self.name, **part, **asked)

    def _wait(self) -> None:
        self.client.get_waiter("table_exists").wait(TableName=self.name, WaiterConfig=WAITING)


def _told(stage: str, stream: str) -> str:
    """What is left to do, in lines."""
    here, there = "make dev, then make resume", f"make deploy STAGE={stage}, then make resume ON={stage}"
    return f"""The table is restored. To use it, put this line into stages/{stage}.toml, above any [table]:

restored = "{stream}"

then: {here if stage == STAGE else there} (docs/restoring.md)"""


if __name__ == "__main__":
    try:
        print(_told(sys.argv[1], restore(Stage(sys.argv[1]), *sys.argv[2:4])))
    except LocalError as error:
        sys.exit(str(error))
