"""`ADD` for each record and aggregate: what is delivered twice counts twice."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.baselines.tally import Tally, addition
from functions.dynamodb.table import Table

Handler = Callable[[Mapping[str, Any]], Mapping[str, Any]]


def handler(table: Table, tally: Tally) -> Handler:
    """A handler of batches."""

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        for record in event["Records"]:
            add(table, record, tally)
        return {}

    return handle


def add(table: Table, record: Any, tally: Tally) -> None:
    """Add one record to each of its aggregates."""
    for key, numbers in tally(record).items():
        table.client.update_item(**addition(table.name, key, numbers))
