"""The input of each function: the parts of Lambda's events that its handler relies on.

AWS always sends these parts. An event that was written by hand, or belongs to another service, lacks some.
"""

from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from functions.routes import ROUTES
from ops.errors import LocalError


class EventError(LocalError):
    """The event does not fit the function: it belongs to another service, or has another shape."""


class Claims(BaseModel):
    """The claims of the token, which the authorizer has checked."""

    claims: dict[str, Any] | None = None


class Authorizer(BaseModel):
    """The caller."""

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
    """The event of a queue."""

    records: list[Message] = Field(alias="Records", min_length=1)


class Change(BaseModel):
    """A stream record's description of the change."""

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


INSTANT = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"


class Span(BaseModel):
    """When a window begins and ends."""

    start: str = Field(pattern=INSTANT)
    end: str = Field(pattern=INSTANT)


class Changes(BaseModel):
    """The event of a stream."""

    records: list[Record] = Field(alias="Records")
    state: dict[str, Any] = {}
    window: Span | None = None


class Window(Changes):
    """The event of one shard of a stream, in a window."""

    shard: str = Field(alias="shardId")


class Handshake(BaseModel):
    """What API Gateway asks before it opens a socket."""

    kind: Literal["REQUEST"] = Field(alias="type")
    arn: str = Field(alias="methodArn")
    query: dict[str, str] | None = Field(None, alias="queryStringParameters")


class Admitted(BaseModel):
    """What the authorizer has told of a socket."""

    user: str
    ends: str = Field(pattern="^[0-9]+$")


class SocketContext(BaseModel):
    """A happening on a socket."""

    kind: Literal["CONNECT", "DISCONNECT", "MESSAGE"] = Field(alias="eventType")
    id: str = Field(alias="connectionId")
    authorizer: Admitted


class SocketEvent(BaseModel):
    """The event of a socket."""

    context: SocketContext = Field(alias="requestContext")
    body: str | None = None


class Bucket(BaseModel):
    """The bucket of an object."""

    name: str


class Object(BaseModel):
    """The key of an object."""

    key: str


class Detail(BaseModel):
    """A bucket's description of an object."""

    bucket: Bucket
    object: Object


class Created(BaseModel):
    """A bucket's notification to EventBridge."""

    source: Literal["aws.s3"]
    kind: Literal["Object Created"] = Field(alias="detail-type")
    detail: Detail


class Tick(BaseModel):
    """The event of a schedule."""

    source: Literal["aws.events"]
    kind: Literal["Scheduled Event"] = Field(alias="detail-type")


class Command(BaseModel):
    """A command of an operator (docs/operations.md)."""

    do: Literal["list", "apply_all", "apply", "discard", "recount", "widen"]


class RunCommand(BaseModel):
    """A command of the state machine of runs (docs/batch.md)."""

    do: Literal["begin", "renew", "report", "failed"]


class Part(BaseModel):
    """A file of the plan of a run (docs/batch.md)."""

    model_config = ConfigDict(extra="forbid")

    run: str
    part: str


class Run(BaseModel):
    """A run whose job is done (docs/batch.md)."""

    model_config = ConfigDict(extra="forbid")

    run: str


class Publication(BaseModel):
    """A file of summaries of a run, or the end of its files (docs/batch.md)."""

    do: Literal["publish", "complete"]
    run: str


class Source(NamedTuple):
    """The name of a service that sends events, and the model of these events."""

    name: str
    model: type[BaseModel]


HTTP_API = Source("an HTTP API (payload format 2.0)", HttpRequest)
SQS = Source("SQS", Messages)
SCHEDULE = Source("an EventBridge schedule", Tick)
TAKES: dict[str, tuple[Source, ...]] = {
    **{name: (HTTP_API,) for name in ROUTES},
    "telemetry": (HTTP_API, SQS),
    "edge_aggregator": (Source("DynamoDB Streams with a tumbling window", Window),),
    "cascade": (Source("DynamoDB Streams", Changes),),
    "last_line": (Source("EventBridge, of an object that S3 has created", Created),),
    "sweeper": (SCHEDULE,),
    "heartbeat": (SCHEDULE, SQS),
    "pusher": (SQS,),
    "indexer": (SQS,),
    "outlet": (SQS,),
    "socket": (Source("a WebSocket API", SocketEvent),),
    "socket_authorizer": (Source("a WebSocket API that asks who may connect", Handshake),),
    "socket_sweeper": (SCHEDULE,),
    "redrive": (Source("operators (docs/operations.md)", Command),),
    "batch_run": (Source("the state machine of runs (docs/batch.md)", RunCommand),),
    "batch_repair": (Source("the state machine of runs, for a file of a plan (docs/batch.md)", Part),),
    "batch_verify": (Source("the state machine of runs, once its job is done (docs/batch.md)", Run),),
    "batch_publish": (Source("the state machine of runs, for a file of summaries (docs/batch.md)", Publication),),
}

FUNCTIONS = tuple(TAKES)
# Functions whose events describe changes of the table. The changes in an invented event never happened, so they would
# leave wrong aggregates on a cloud. An invented run would keep out the others: nobody ends it. And nobody is at the
# other end of an invented socket.
TOLD_OF_CHANGES = frozenset(
    {"edge_aggregator", "cascade", "last_line", "pusher", "indexer", "outlet", "socket", "socket_authorizer"}
) | {name for name in FUNCTIONS if name.startswith("batch_")}


def check(name: str, event: Any) -> None:
    """Raise EventError, which says what is missing, unless the function accepts the event."""
    sources = TAKES[name]
    # The accepted source that the event resembles most.
    source = sources[-1] if isinstance(event, dict) and "Records" in event else sources[0]
    try:
        source.model.model_validate(event)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the event"
        wanted = " or ".join(each.name for each in sources)
        raise EventError(f"{name} takes events of {wanted}; here, {where}: {first['msg']}") from error
    if source is HTTP_API and event["routeKey"] not in ROUTES[name]:
        raise EventError(f"{name} has no route {event['routeKey']}; its routes are {', '.join(ROUTES[name])}")
