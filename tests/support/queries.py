"""A query as it is sent."""

from typing import Any

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
