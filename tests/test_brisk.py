"""moto answers the same with its short cuts as without."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import pytest
from botocore.exceptions import ClientError
from moto.core.botocore_stubber import BotocoreStubber

from tests.conftest import create_table
from tests.support import brisk

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

VALUES: list[Any] = [
    {"S": ""},
    {"S": "ü"},
    {"N": "-1.50"},
    {"BOOL": False},
    {"NULL": True},
    {"B": b"\x00\xff"},
    {"SS": ["a", "b"]},
    {"NS": ["1", "2"]},
    {"BS": [b"\x00", b"\xff"]},
    {"L": []},
    {"L": [{"N": "1"}, {"M": {"a": {"L": [{"S": "x"}]}}}]},
    {"M": {"a": {"B": b"b"}, "b": {"L": [{"B": b"c"}]}, "B": {"S": "d"}, "c": {"M": {}}}},
]
KEY: Any = {"PK": {"S": "a"}, "SK": {"S": "b"}}
OTHER: Any = {"PK": {"S": "a"}, "SK": {"S": "c"}}
Asked = Callable[["DynamoDBClient", str, Any], Any]


def _update(client: "DynamoDBClient", name: str, value: Any) -> Any:
    return client.update_item(
        TableName=name,
        Key=KEY,
        UpdateExpression="SET #v = :v",
        ExpressionAttributeNames={"#v": "other"},
        ExpressionAttributeValues={":v": value},
        ReturnValues="ALL_NEW",
        ReturnConsumedCapacity="TOTAL",
    )


def _refused(client: "DynamoDBClient", name: str, value: Any) -> Any:
    return client.put_item(
        TableName=name,
        Item={**KEY, "value": value},
        ConditionExpression="attribute_not_exists(PK)",
        ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )


def _cancelled(client: "DynamoDBClient", name: str, value: Any) -> Any:
    return client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": name, "Item": {**OTHER, "value": value}}},
            {
                "Put": {
                    "TableName": name,
                    "Item": {**KEY, "value": value},
                    "ConditionExpression": "attribute_not_exists(PK)",
                    "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
                }
            },
        ]
    )


ASKED: dict[str, Asked] = {
    "get": lambda client, name, _: client.get_item(TableName=name, Key=KEY, ReturnConsumedCapacity="TOTAL"),
    "get nothing": lambda client, name, _: client.get_item(TableName=name, Key=OTHER, ReturnConsumedCapacity="TOTAL"),
    "no table": lambda client, *_: client.get_item(TableName="none", Key=KEY),
    "put": lambda client, name, value: client.put_item(TableName=name, Item={**OTHER, "value": value}),
    "replace": lambda client, name, value: client.put_item(
        TableName=name, Item={**KEY, "value": value}, ReturnValues="ALL_OLD"
    ),
    "update": _update,
    "delete": lambda client, name, _: client.delete_item(TableName=name, Key=KEY, ReturnValues="ALL_OLD"),
    "get many": lambda client, name, _: client.batch_get_item(
        RequestItems={name: {"Keys": [KEY, OTHER], "ConsistentRead": True}}, ReturnConsumedCapacity="TOTAL"
    ),
    "put many": lambda client, name, value: client.batch_write_item(
        RequestItems={name: [{"PutRequest": {"Item": {**OTHER, "value": value}}}, {"DeleteRequest": {"Key": KEY}}]}
    ),
    "query": lambda client, name, _: client.query(
        TableName=name,
        Limit=1,
        KeyConditionExpression="PK = :p",
        ExpressionAttributeValues={":p": {"S": "a"}},
        ReturnConsumedCapacity="TOTAL",
    ),
    "scan": lambda client, name, _: client.scan(TableName=name),
    "refused": _refused,
    "cancelled": _cancelled,
}


@pytest.mark.parametrize("value", VALUES, ids=str)
@pytest.mark.parametrize("asked", ASKED)
def test_the_answer_is_the_same(moto_client: "DynamoDBClient", asked: str, value: Any) -> None:
    def answered(name: str, call: Any) -> tuple[Any, Any]:
        create_table(moto_client, name)
        with patch.object(BotocoreStubber, "__call__", call):
            moto_client.put_item(TableName=name, Item={**KEY, "value": value})
            try:
                answer: Any = ASKED[asked](moto_client, name, value)
            except ClientError as error:
                answer = dict(error.response)
            answer["ResponseMetadata"] = answer["ResponseMetadata"]["HTTPStatusCode"]
            left = moto_client.scan(TableName=name)["Items"]
        moto_client.delete_table(TableName=name)
        return answer, left

    assert answered("edgewise", brisk._answer) == answered("edgewise", brisk._CALL)
