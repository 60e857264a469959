"""Requests and responses of the chat routes."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from functions.systems.chat.entity import AHEAD, MAX_SHARDS
from functions.web.common import Accepted, Counted, Listed
from functions.web.fields import Ahead, Id, Instant, Request, ShortId, encodable

MAX_MESSAGES, MAX_TEXT = 500, 40_000


class MessageIn(Request):
    """One message. Only importers may say who sent it and when."""

    text: Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(encodable)]
    message_id: ShortId | None = None
    user: Id | None = None
    sent_at: Annotated[Instant, Ahead(AHEAD)] | None = None


class MessagesIn(Request):
    """Up to 500 messages; each is validated separately."""

    messages: Annotated[
        list[Any],
        Field(min_length=1, max_length=MAX_MESSAGES),
        WithJsonSchema(
            {"type": "array", "minItems": 1, "maxItems": MAX_MESSAGES, "items": MessageIn.model_json_schema()}
        ),
    ]


class MessageReceipt(BaseModel):
    """The name of a stored message."""

    message_id: str
    user: str
    sent_at: str


class MessagesAccepted(Accepted):
    """The stored messages, in the order of the request, and why the others were rejected."""

    messages: list[MessageReceipt]


class MessageOut(MessageReceipt):
    """One stored message."""

    text: str


class MessagesOut(Listed):
    """One page of a room's messages."""

    messages: list[MessageOut]
    cursor: str | None


class UserMessage(MessageOut):
    """One message of a user, and the room that it is in."""

    room: str


class UserMessages(Listed):
    """One page of a user's messages in all rooms."""

    user: str
    messages: list[UserMessage]
    cursor: str | None


class RoomIn(Request):
    """The number of shards that the room shall have."""

    shards: Annotated[int, Field(ge=1, le=MAX_SHARDS, strict=True)]


class ShardsSince(BaseModel):
    """From `since` on, messages are spread over this many shards; null: this was always so."""

    since: str | None
    shards: int


class RoomShards(BaseModel):
    """A room and the history of its shards; the last step may be a few seconds in the future."""

    room: str
    shards: int
    history: list[ShardsSince]


class RoomsOut(Listed):
    """One page of the names of rooms."""

    rooms: list[str]
    cursor: str | None


class RoomOut(Counted, Listed):
    """A room's numbers."""

    room: str
    shards: int
    messages: int
    users: int


class RoomUsers(Listed):
    """One page of the users who posted in a room."""

    room: str
    users: list[str]
    cursor: str | None


class UserSummary(BaseModel):
    """A user's numbers over all rooms."""

    messages: int
    rooms: int


class UserRoom(BaseModel):
    """A room that a user posted in; `first` and `last` are null while they are being recounted."""

    room: str
    messages: int
    first: str | None
    last: str | None
    recounting: bool


class UserRooms(Counted, Listed):
    """A user; only the first page has the summary."""

    user: str
    summary: UserSummary | None
    rooms: list[UserRoom]
    cursor: str | None
