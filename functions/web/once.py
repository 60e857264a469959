"""The Idempotency-Key of a request: a POST repeated with its key returns the stored entity."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Header

from edgewise.dynamodb.keys import digest
from functions.web.admission import Caller
from functions.web.fields import Line

Key = Annotated[
    Line | None,
    Header(alias="Idempotency-Key", description="the caller's name for this request, which makes it repeatable"),
]


def name(caller: Caller, key: str) -> str:
    """The id of an entity that a caller creates with a key and without an id; no other caller's key results in it."""
    return digest(caller.sub, key)
