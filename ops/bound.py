"""`make bound`: the most units that a stage's table and each of its indexes take in a second, without a deployment.

And what a restored table takes at once, which no deployment sets.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import ValidationError

from infra.settings import InfraSettings
from ops.errors import LocalError
from ops.settings import settings_of
from ops.stage import Stage

# AWS does not say how long a change of the bound takes.
WAITING = {"Delay": 2, "MaxAttempts": 300}


class BoundError(LocalError):
    """There is no such bound."""


def set_bounds(client: Any, table: str, settings: InfraSettings) -> None:
    """Bound the table and each of its indexes as the settings say; `client`: DynamoDB. Raises botocore's errors."""
    units = {"MaxReadRequestUnits": settings.read_units, "MaxWriteRequestUnits": settings.write_units}
    _change(client, table, "OnDemandThroughput", lambda now: units if now != units else {})


def warm(client: Any, table: str, settings: InfraSettings) -> None:
    """Let the table and each of its indexes take at once what the settings ask for. Raises botocore's errors.

    What takes more already is left alone: DynamoDB lowers nothing.
    """
    asked = settings.warm_units

    def missing(now: Any) -> Mapping[str, int]:
        return {name: units for name, units in asked.items() if units > now.get(name, 0)}

    if asked:
        _change(client, table, "WarmThroughput", missing)


def _change(client: Any, table: str, name: str, wanted: Callable[[Any], Mapping[str, int]]) -> None:
    """Ask for what is wanted beside what there is, one after the other.

    DynamoDB changes one thing at a time, and refuses what is so already.
    """
    described = client.describe_table(TableName=table)["Table"]
    for part in (described, *described["GlobalSecondaryIndexes"]):
        if units := wanted(part.get(name, {})):
            update = {"IndexName": part.get("IndexName"), name: units}
            of_index = {"GlobalSecondaryIndexUpdates": [{"Update": update}]}
            client.update_table(TableName=table, **({name: units} if part is described else of_index))
            client.get_waiter("table_exists").wait(TableName=table, WaiterConfig=WAITING)


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
