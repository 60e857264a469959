"""`make restore`: a new table with a stage's data as of an instant, set up as the stage's own table is.

AWS restores data, keys, indexes, billing and encryption. What else a table has in infra/table.py is set here.
"""

import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from functions.dynamodb.schema import STREAM_VIEW, TTL_ATTRIBUTE
from functions.times import parse_instant
from local import halting
from local.deploy import LOCAL
from local.errors import LocalError
from local.stage import Stage

# AWS does not say how long a restore takes; a great table's may take hours.
WAITING = {"Delay": 15, "MaxAttempts": 24 * 3600 // 15}


class RestoreError(LocalError):
    """There is no such instant."""


def restore(stage: Stage, at: str) -> str:
    """Halt the stage, and restore its table into a new one; returns the ARN of the new one's stream.

    `at`: an RFC 3339 date-time, to the second. It may be repeated: it goes on where it ended. Raises LocalError.
    """
    instant = _instant(at)
    halting.halt(stage)
    with stage.telling():
        source = stage.outputs("table", "TableName")["TableName"]
        target = f"edgewise-{stage.name}-{instant:%Y%m%dT%H%M%SZ}"
        restored = Restored(stage.client("dynamodb"), source, target)
        restored.begin(instant)
        restored.set_up()
        return str(restored.described()["LatestStreamArn"])


def _instant(at: str) -> datetime:
    try:
        return parse_instant(at).replace(microsecond=0)
    except ValueError as error:
        raise RestoreError(f"AT={at}: it {error}") from error


@dataclass(frozen=True)
class Restored:
    """A table by its name, and the one that its data come from."""

    client: Any
    source: str
    name: str

    def begin(self, instant: datetime) -> None:
        """Ask for the table, and wait until it is there; nothing if this was done before."""
        with suppress(self.client.exceptions.TableAlreadyExistsException):
            self.client.restore_table_to_point_in_time(
                SourceTableName=self.source, TargetTableName=self.name, RestoreDateTime=instant
            )
        self._wait()

    def described(self) -> Any:
        """What DynamoDB says of the table."""
        return self.client.describe_table(TableName=self.name)["Table"]

    def set_up(self) -> None:
        """Set what a restore leaves out."""
        source = self.client.describe_table(TableName=self.source)["Table"]
        for changes in self._missing(source.get("DeletionProtectionEnabled", False)):
            self.client.update_table(TableName=self.name, **changes)
            self._wait()
        self._let_items_expire()
        recovery = {"PointInTimeRecoveryEnabled": True}
        self.client.update_continuous_backups(TableName=self.name, PointInTimeRecoverySpecification=recovery)
        if tags := list(self._tags(source["TableArn"])):
            self.client.tag_resource(ResourceArn=self.described()["TableArn"], Tags=tags)

    def _missing(self, protected: bool) -> Iterator[dict[str, Any]]:
        """What is to be changed, one after the other: DynamoDB refuses a stream that is there already."""
        described = self.described()
        if not (described.get("StreamSpecification") or {}).get("StreamEnabled"):
            yield {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": STREAM_VIEW}}
        if protected and not described.get("DeletionProtectionEnabled"):
            yield {"DeletionProtectionEnabled": True}

    def _let_items_expire(self) -> None:
        found = self.client.describe_time_to_live(TableName=self.name)["TimeToLiveDescription"]
        if found["TimeToLiveStatus"] == "DISABLED":
            expiry = {"Enabled": True, "AttributeName": TTL_ATTRIBUTE}
            self.client.update_time_to_live(TableName=self.name, TimeToLiveSpecification=expiry)

    def _tags(self, arn: str) -> Iterator[Any]:
        """The tags of a table, but for those that only AWS may set."""
        for page in self.client.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn):
            yield from (tag for tag in page["Tags"] if not tag["Key"].startswith("aws:"))

    def _wait(self) -> None:
        self.client.get_waiter("table_exists").wait(TableName=self.name, WaiterConfig=WAITING)


def _told(stage: str, stream: str) -> str:
    """What is left to do, in lines."""
    here, there = "make dev, then make resume", f"make deploy STAGE={stage}, then make resume ON={stage}"
    return f"""The table is restored. To use it, put this line into stages/{stage}.toml, above any [table]:

restored = "{stream}"

then: {here if stage == LOCAL else there} (docs/restoring.md)"""


if __name__ == "__main__":
    try:
        print(_told(sys.argv[1], restore(Stage(sys.argv[1]), sys.argv[2])))
    except LocalError as error:
        sys.exit(str(error))
