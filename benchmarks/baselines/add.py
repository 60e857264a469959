"""`ADD` per record and aggregate: a record delivered twice counts twice."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.baselines.increments import Increments, addition
from edgewise.dynamodb.table import Table

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def handler(table: Table, increments: Increments) -> Handler:
    """A batch handler."""

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        for record in event["Records"]:
            add(table, record, increments)
        return {}

    return handle


def add(table: Table, record: Any, increments: Increments) -> None:
    """Add one record to each of its aggregates."""
    for key, numbers in increments(record).items():
        table.client.update_item(**addition(table.name, key, numbers))
