"""What the function refuses of a table: counting on would make numbers that are not so."""

from collections.abc import Mapping
from typing import Any

from edgewise.dynamodb.schema import STREAM_VIEW
from edgewise.own.table import OwnTable


class WrongStreamError(Exception):
    """The stream does not tell what changed items were before."""

    def __init__(self, view: str) -> None:
        super().__init__(f"the stream has {view}: aggregates are exact only by {STREAM_VIEW}")


class WrongKeysError(Exception):
    """The table of the stream has other keys than the declared one."""

    def __init__(self, keys: Mapping[str, Any], own: OwnTable) -> None:
        told = ", ".join(f"{name} ({next(iter(value))})" for name, value in sorted(keys.items()))
        super().__init__(f"the table's keys are {told}, but it is declared as {own}")
