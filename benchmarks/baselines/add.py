"""The cheapest job of public samples: one ADD on the edge for each record.

Less work than ours: no summaries, no rollups, no distinct counts, no first and last; and a record that is delivered
twice counts twice.
"""

from collections.abc import Sequence
from typing import Any

from functions.domain.chat import Message
from functions.domain.telemetry import Event
from functions.store import keys
from functions.store.attributes import Item, key_item, n
from functions.store.codec import SOURCES
from functions.store.table import Table


def handle(table: Table, records: Sequence[Any]) -> None:
    """Add each record to its edge."""
    for record in records:
        add(table, record)


def add(table: Table, record: Any) -> None:
    """Add one record to its edge."""
    image: Item = record["dynamodb"]["NewImage"]
    key = _edge(SOURCES[image["Type"]["S"]](image))
    table.client.update_item(
        TableName=table.name,
        Key=key_item(key),
        UpdateExpression="ADD #count :one",
        ExpressionAttributeNames={"#count": "Count"},
        ExpressionAttributeValues={":one": n(1)},
    )


def _edge(source: object) -> keys.Key:
    match source:
        case Event():
            return keys.telemetry.reported_from(source.device, source.place)
        case Message():
            return keys.chat.posted_in(source.user, source.room)
        case _:
            raise TypeError(f"feeds no edge: {source!r}")
