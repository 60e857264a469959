"""Coalesced `ADD` that also moves the shard's checkpoint, if the stored one is older: the simplest exact method.

A batch that comes again, whole or with other boundaries, meets its checkpoint; only records after it are added.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.baselines.add import Handler
from benchmarks.baselines.increments import Increments, Numbers, addition, by_aggregate, summed
from edgewise.dynamodb.attributes import n
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table

# Records, and what each adds to one aggregate.
Entries = Sequence[tuple[Any, Numbers]]


def handler(table: Table, increments: Increments) -> Handler:
    """A batch handler."""

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        checkpoint = "Checkpoint." + event["shardId"]
        for key, entries in by_aggregate(event["Records"], increments).items():
            _add(table, key, checkpoint, entries)
        return {}

    return handle


def _sequence(record: Any) -> int:
    return int(record["dynamodb"]["SequenceNumber"])


def _add(table: Table, key: Key, checkpoint: str, entries: Entries) -> None:
    while entries:
        request = addition(table.name, key, summed(numbers for _, numbers in entries))
        try:
            table.client.update_item(**_checkpointed(request, checkpoint, entries))
        except table.client.exceptions.ConditionalCheckFailedException as error:
            stored: Any = error.response
            absorbed = int(stored["Item"][checkpoint]["N"])
            entries = [entry for entry in entries if _sequence(entry[0]) > absorbed]
        else:
            return


def _checkpointed(request: dict[str, Any], checkpoint: str, entries: Entries) -> dict[str, Any]:
    request["UpdateExpression"] += " SET #checkpoint = :last"
    request["ExpressionAttributeNames"] |= {"#checkpoint": checkpoint}
    request["ExpressionAttributeValues"] |= {
        ":first": n(_sequence(entries[0][0])),
        ":last": n(_sequence(entries[-1][0])),
    }
    return request | {
        "ConditionExpression": "attribute_not_exists(#checkpoint) OR #checkpoint < :first",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
