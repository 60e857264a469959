"""A query as it is sent, and what it must not find."""

from typing import Any

from edgewise.dynamodb.attributes import Item, key_item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from functions.replay.memory import MemoryTable

PREFIX, BETWEEN = "#pk = :pk AND begins_with(#sk, :prefix)", "#pk = :pk AND #sk BETWEEN :low AND :high"
TABLE, BY_TIME, BY_TARGET = ("PK", "SK", None), ("GSI1PK", "GSI1SK", "GSI1"), ("GSI2PK", "GSI2SK", "GSI2")
BY_NUMBER = ("GSI3PK", "GSI3SK", "GSI3")


def sent(
    partition: str, expression: str, where: tuple[str, str, str | None] = TABLE, forward: bool = True, **values: str
) -> dict[str, Any]:
    pk, sk, index = where
    request: dict[str, Any] = {
        "KeyConditionExpression": expression,
        "ExpressionAttributeNames": {"#pk": pk} | ({"#sk": sk} if values else {}),
        "ExpressionAttributeValues": {":pk": {"S": partition}} | {f":{name}": {"S": v} for name, v in values.items()},
        "ScanIndexForward": forward,
    }
    return request | ({"IndexName": index} if index else {})


def continuations_found(query: Query) -> list[Item]:
    """The continuations of aggregates in its partition that a query finds: each may be 16 times as large as a summary.

    There is nothing else in the table.
    """
    table, sort = MemoryTable(), [f"CONTINUED#{path}#{of}" for path in ("0", "ff") for of in ("EDGE#", "ROLLUP#DAY")]
    table.put_many([key_item(Key(query.partition, sk)) for sk in sort])
    return list(table.query(query).items)
