"""The hook on a boto3 client: the faults of writes as botocore and a handler see them."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto import mock_aws

from delivery import KilledError, ThrottledError, install, uninstall

KEY = {"PK": {"S": "p"}}
ADD = {
    "TableName": "T",
    "Key": KEY,
    "UpdateExpression": "ADD #n :one",
    "ExpressionAttributeNames": {"#n": "Count"},
    "ExpressionAttributeValues": {":one": {"N": "1"}},
}


class Hook:
    """Does what it is told at the next writes."""

    def __init__(self, *, before: BaseException | None = None, after: list[bool | BaseException] | None = None) -> None:
        self.error, self.answers = before, after or []

    def before(self) -> None:
        if self.error is not None:
            raise self.error

    def after(self) -> bool:
        answer = self.answers.pop(0) if self.answers else False
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def client(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    with mock_aws():
        client = boto3.client("dynamodb")
        client.create_table(
            TableName="T",
            KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}],
            AttributeDefinitions=[{"AttributeName": "PK", "AttributeType": "S"}],
            BillingMode="PAY_PER_REQUEST",
        )
        yield client


def count(client: Any) -> int:
    item = client.get_item(TableName="T", Key=KEY).get("Item", {})
    return int(item.get("Count", {"N": "0"})["N"])


def test_killed_before_the_write(client: Any) -> None:
    install(client, Hook(before=KilledError()))
    with pytest.raises(KilledError):
        client.update_item(**ADD)
    assert count(client) == 0


def test_killed_after_the_write(client: Any) -> None:
    install(client, Hook(after=[KilledError()]))
    with pytest.raises(KilledError):
        client.update_item(**ADD)
    assert count(client) == 1


def test_botocore_sends_a_write_answered_500_again_and_an_add_counts_twice(client: Any) -> None:
    install(client, Hook(after=[True]))
    client.update_item(**ADD)
    assert count(client) == 2


def test_a_conditional_write_sent_again_is_refused_by_its_own_condition(client: Any) -> None:
    install(client, Hook(after=[True]))
    with pytest.raises(client.exceptions.ConditionalCheckFailedException):
        client.put_item(TableName="T", Item=KEY, ConditionExpression="attribute_not_exists(PK)")


def test_throttled(client: Any) -> None:
    install(client, Hook(before=ThrottledError("no capacity")))
    with pytest.raises(ClientError, match="no capacity") as raised:
        client.update_item(**ADD)
    assert raised.value.response["Error"]["Code"] == "ProvisionedThroughputExceededException"
    assert isinstance(raised.value, client.exceptions.ProvisionedThroughputExceededException)
    assert count(client) == 0


@pytest.mark.parametrize(
    ("call", "request_"),
    [
        ("put_item", {"TableName": "T", "Item": KEY}),
        ("update_item", ADD),
        ("delete_item", {"TableName": "T", "Key": KEY}),
        ("batch_write_item", {"RequestItems": {"T": [{"PutRequest": {"Item": KEY}}]}}),
        ("transact_write_items", {"TransactItems": [{"Put": {"TableName": "T", "Item": KEY}}]}),
        ("execute_statement", {"Statement": "INSERT INTO T VALUE {'PK': 'p'}"}),
    ],
)
def test_every_kind_of_write_is_noticed(client: Any, call: str, request_: dict[str, Any]) -> None:
    install(client, Hook(before=KilledError()))
    with pytest.raises(KilledError):
        getattr(client, call)(**request_)


def test_reads_are_left_alone(client: Any) -> None:
    install(client, Hook(before=KilledError(), after=[KilledError()]))
    assert count(client) == 0


def test_a_resource_s_tables_are_reached_through_their_client(client: Any) -> None:
    table = boto3.resource("dynamodb").Table("T")
    install(table.meta.client, Hook(before=KilledError()))
    with pytest.raises(KilledError):
        table.put_item(Item={"PK": "p"})


def test_uninstalled(client: Any) -> None:
    install(client, Hook(before=KilledError(), after=[True]))
    uninstall(client)
    client.update_item(**ADD)
    assert count(client) == 1
