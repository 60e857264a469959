"""The client of DynamoDB: botocore's, with a shorter way for what has items (requests.py, responses.py)."""

from typing import TYPE_CHECKING

from botocore.config import Config

from functions import aws
from functions.dynamodb.requests import shorten
from functions.dynamodb.responses import Responses

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def client(config: Config, endpoint: str | None = None) -> "DynamoDBClient":
    """A client that signs, retries and fails as any other."""
    made: DynamoDBClient = aws.client("dynamodb", config, endpoint, parsers=Responses())
    shorten(made)
    return made
