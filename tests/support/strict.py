"""moto's client, made to refuse what DynamoDB refuses, where moto does not."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.keys import Key
from functions.replay import validation

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

Parameters = dict[str, Any]


def make_strict(client: "DynamoDBClient") -> None:
    """Judge every request of a client before it is sent. Queries are sent as they are."""
    for operation, judge in _JUDGES.items():
        client.meta.events.register(f"provide-client-params.dynamodb.{operation}", _hook(judge))


def _hook(judge: Callable[[Parameters], object]) -> Callable[..., None]:
    def hook(params: Parameters, **_: object) -> None:
        judge(params)

    return hook


def _act(parameters: Parameters) -> Key:
    """One action on an item; gives the item's key."""
    if "Item" in parameters:
        parameters["Item"] = validation.stored(parameters["Item"], {})
        return key_of(parameters["Item"])
    key = key_of(parameters["Key"])
    validation.looked_up([key])
    return key


def _write_batch(parameters: Parameters) -> None:
    for requests in parameters["RequestItems"].values():
        validation.looked_up([_act(action) for request in requests for action in request.values()])


def _get_batch(parameters: Parameters) -> None:
    for wanted in parameters["RequestItems"].values():
        validation.looked_up([key_of(key) for key in wanted["Keys"]])


def _transact(parameters: Parameters) -> None:
    actions = [action for each in parameters["TransactItems"] for action in each.values()]
    validation.at_once([_act(action) for action in actions], [each["Item"] for each in actions if "Item" in each])


_JUDGES = {
    "GetItem": _act,
    "PutItem": _act,
    "DeleteItem": _act,
    "BatchGetItem": _get_batch,
    "BatchWriteItem": _write_batch,
    "TransactWriteItems": _transact,
}
