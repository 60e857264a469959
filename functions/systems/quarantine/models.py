"""Parameters and responses of the quarantine's routes."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler.openapi.params import Path
from pydantic import BaseModel

from functions.web.common import Listed
from functions.web.fields import Id, PathId

# As `GET /quarantine` tells them.
PathShard = PathId
PathSequence = Annotated[Id, Path()]


class QuarantinedOut(BaseModel):
    """A record in quarantine: its shard and number in the stream, when it was made, and why it was not understood."""

    shard: str
    sequence: str
    at: str
    error: str


class QuarantineOut(Listed):
    """One page of the quarantine, and how many records it has in all; there is room for 1,000."""

    records: list[QuarantinedOut]
    count: int
    cursor: str | None


class ImageOut(BaseModel):
    """An item before or after the change, as plain values; `hidden` attributes are those of something private."""

    pk: str | None
    sk: str | None
    type: str | None
    attributes: dict[str, Any]
    hidden: list[str]


class RecordOut(BaseModel):
    """A record: what the change was (INSERT, MODIFY, REMOVE), the item before and after it, when it was set aside."""

    shard: str
    sequence: str
    event: str | None
    set_aside: str
    old: ImageOut | None
    new: ImageOut | None


class RedrivenOut(BaseModel):
    """A record that was applied; `count`: how many are left in quarantine."""

    shard: str
    sequence: str
    count: int
