"""What each function takes: the parts of Lambda's events that its handler relies on.

AWS sends them always; people who write an event by hand, or take one of another service, leave some out.
"""

from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from functions.catalog import ROUTES
from local.errors import LocalError


class EventError(LocalError):
    """A function was given an event of another service, or of another shape."""


class Claims(BaseModel):
    """What the token says that the authorizer has checked."""

    claims: dict[str, Any] | None = None


class Authorizer(BaseModel):
    """Who calls."""

    jwt: Claims = Claims()


class Http(BaseModel):
    """The request's first line."""

    method: str
    path: str


class RequestContext(BaseModel):
    """How the request reached the gateway."""

    http: Http
    stage: str
    authorizer: Authorizer = Authorizer()


class HttpRequest(BaseModel):
    """A request."""

    route: str = Field(alias="routeKey")
    path: str = Field(alias="rawPath")
    query_string: str = Field(alias="rawQueryString")
    context: RequestContext = Field(alias="requestContext")
    headers: dict[str, str] = {}
    parameters: dict[str, str] | None = Field(None, alias="pathParameters")
    query: dict[str, str] | None = Field(None, alias="queryStringParameters")
    body: str | None = None
    base64: bool = Field(False, alias="isBase64Encoded")


class Message(BaseModel):
    """One message of a queue."""

    model_config = ConfigDict(extra="allow")
    source: Literal["aws:sqs"] = Field(alias="eventSource")
    id: str = Field(alias="messageId")
    body: str


class Messages(BaseModel):
    """What a queue delivers."""

    records: list[Message] = Field(alias="Records", min_length=1)


class Change(BaseModel):
    """What a stream's record says of an item."""

    sequence: str = Field(alias="SequenceNumber", pattern="^[0-9]+$")
    at: float = Field(alias="ApproximateCreationDateTime")
    old: dict[str, Any] = Field({}, alias="OldImage")
    new: dict[str, Any] = Field({}, alias="NewImage")


class Record(BaseModel):
    """One record of a stream."""

    source: Literal["aws:dynamodb"] = Field(alias="eventSource")
    id: str = Field(alias="eventID")
    kind: Literal["INSERT", "MODIFY", "REMOVE"] = Field(alias="eventName")
    change: Change = Field(alias="dynamodb")


class Changes(BaseModel):
    """What a stream delivers."""

    records: list[Record] = Field(alias="Records")


class Window(Changes):
    """What a stream delivers of one shard, in a window."""

    shard: str = Field(alias="shardId")
    state: dict[str, Any] = {}


class Tick(BaseModel):
    """What the clock sends."""

    source: Literal["aws.events"]
    kind: Literal["Scheduled Event"] = Field(alias="detail-type")


class Command(BaseModel):
    """What people on duty ask for (docs/operations.md)."""

    do: str


class Source(NamedTuple):
    """Where events come from, as people call it, and what they hold."""

    name: str
    model: type[BaseModel]


HTTP_API = Source("an HTTP API (payload format 2.0)", HttpRequest)
TAKES: dict[str, tuple[Source, ...]] = {
    **{name: (HTTP_API,) for name in ROUTES},
    "telemetry": (HTTP_API, Source("SQS", Messages)),
    "edge_aggregator": (Source("DynamoDB Streams with a tumbling window", Window),),
    "cascade": (Source("DynamoDB Streams", Changes),),
    "sweeper": (Source("EventBridge's clock", Tick),),
    "redrive": (Source("people on duty (docs/operations.md)", Command),),
}


def check(name: str, event: Any) -> None:
    """Raises EventError, which says what is missing, unless the function can take the event."""
    sources = TAKES[name]
    # Of what it takes, that which the event resembles most.
    source = sources[-1] if isinstance(event, dict) and "Records" in event else sources[0]
    try:
        source.model.model_validate(event)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the event"
        wanted = " or ".join(each.name for each in sources)
        raise EventError(f"{name} takes events of {wanted}; here, {where}: {first['msg']}") from error
    if source is HTTP_API and event["routeKey"] not in ROUTES[name]:
        raise EventError(f"{name} has no route {event['routeKey']}, but {', '.join(ROUTES[name])}")
