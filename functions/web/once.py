"""The Idempotency-Key of a request: sent again with it, a POST gets what is stored instead of storing a second one."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Header

from functions.dynamodb.keys import digest
from functions.web.admission import Caller
from functions.web.fields import Line

Key = Annotated[
    Line | None,
    Header(alias="Idempotency-Key", description="the caller's name for this request: sent again, it changes nothing"),
]


def name(caller: Caller, key: str) -> str:
    """The id of what a caller creates with a key and without an id; no other caller's key gives it."""
    return digest(caller.user, key)
