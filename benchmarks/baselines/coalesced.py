"""One `ADD` per aggregate and batch: the fewest possible writes, but a batch delivered twice counts twice."""

from collections.abc import Mapping
from typing import Any

from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import Increments, addition, folded
from edgewise.dynamodb.table import Table


def handler(table: Table, increments: Increments) -> Handler:
    """A batch handler."""

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        for key, numbers in folded(event["Records"], increments).items():
            table.client.update_item(**addition(table.name, key, numbers))
        return {}

    return handle
