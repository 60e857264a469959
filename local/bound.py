"""`make bound`: the most units that a stage's table and each of its indexes take in a second, without a deployment."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from infra.settings import InfraSettings
from local.errors import LocalError
from local.settings import settings_of
from local.stage import Stage

# AWS does not say how long a change of the bound takes.
WAITING = {"Delay": 2, "MaxAttempts": 300}


class BoundError(LocalError):
    """There is no such bound."""


def set_bounds(client: Any, table: str, settings: InfraSettings) -> None:
    """Bound the table and each of its indexes as the settings say; `client`: DynamoDB. Raises botocore's errors."""
    for changes in _changes(client.describe_table(TableName=table)["Table"], settings):
        client.update_table(TableName=table, **changes)
        client.get_waiter("table_exists").wait(TableName=table, WaiterConfig=WAITING)


def _changes(described: Any, settings: InfraSettings) -> Iterator[dict[str, Any]]:
    """What to ask for, one after the other: DynamoDB changes one thing at a time, and refuses what is so already."""
    units = {"MaxReadRequestUnits": settings.read_units, "MaxWriteRequestUnits": settings.write_units}
    if described.get("OnDemandThroughput") != units:
        yield {"OnDemandThroughput": units}
    for index in described["GlobalSecondaryIndexes"]:
        if index.get("OnDemandThroughput") != units:
            update = {"IndexName": index["IndexName"], "OnDemandThroughput": units}
            yield {"GlobalSecondaryIndexUpdates": [{"Update": update}]}


def bound(on: str, writes: str, reads: str, like: str) -> str:
    """Bound a stage's table by so many units a second; where nothing is given, as its file says. Raises LocalError."""
    settings = _given(settings_of(on, like), {"write_units": writes, "read_units": reads})
    stage = Stage(on)
    with stage.telling():
        table = stage.outputs("table", "TableName")["TableName"]
        set_bounds(stage.client("dynamodb"), table, settings)
    return (
        f"{table}, and each of its indexes: at most {settings.write_units} write units"
        f" and {settings.read_units} read units a second"
    )


def _given(settings: InfraSettings, units: dict[str, Any]) -> InfraSettings:
    try:
        return replace(settings, **{name: value for name, value in units.items() if value})
    except ValidationError as error:
        told = (f"{each['loc'][0]!s}".upper() + f"={each['input']}: {each['msg']}" for each in error.errors())
        raise BoundError("; ".join(told)) from error


if __name__ == "__main__":
    try:
        print(bound(*sys.argv[1:5]))
    except LocalError as error:
        sys.exit(str(error))
