"""The client of DynamoDB: botocore's, with a shorter way for what has items (requests.py, responses.py)."""

from typing import TYPE_CHECKING

from botocore.config import Config

from edgewise import aws
from edgewise.dynamodb.requests import shorten
from edgewise.dynamodb.responses import Responses

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# The operations with items, in whose requests and answers only binary attributes are values that JSON does not have.
WITH_ITEMS = frozenset(
    (
        *("GetItem", "BatchGetItem", "Query", "Scan", "TransactGetItems"),
        *("PutItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems", "BatchExecuteStatement"),
    )
)


def client(config: Config, endpoint: str | None = None) -> "DynamoDBClient":
    """A client that signs, retries and fails as any other."""
    made: DynamoDBClient = aws.client("dynamodb", config, endpoint, parsers=Responses(WITH_ITEMS))
    shorten(made, WITH_ITEMS)
    return made
