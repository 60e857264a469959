"""Every environment variable of every function: infra writes what `to_env` returns, a handler reads it back."""

import os
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Literal, Self, dataclass_transform, get_type_hints

# The longest that an HTTP request may take. Chat rooms and lists get more shards with at least this much lead time, so
# that no request in flight uses the old number.
HTTP_TIMEOUT_SECONDS = 10
# For how much of that time requests to the table may begin; the rest is for the last one, a widening and the answer.
HTTP_PATIENCE_SECONDS = 7
NO_PUSH = NO_TOPIC = NO_SEARCH = NO_OUTLET = NO_BATCH = "none"
STATEMENTS = "statements"
Writes = Literal["statements", "puts"]


class MissingSettingsError(Exception):
    """A function was started without settings that it requires."""

    def __init__(self, names: list[str]) -> None:
        super().__init__(f"missing environment variables: {', '.join(names)}")
        self.names = names


@dataclass_transform(frozen_default=True)
class Settings(SimpleNamespace):
    """A function's settings; each field is one required environment variable of the same name in capitals.

    Type checkers see dataclasses. `dataclass` would compile six methods of each class, every time a function starts.
    """

    def __init__(self, *values: str, **named: str) -> None:
        super().__init__(**dict(zip(get_type_hints(type(self)), values, strict=False)), **named)

    def to_env(self) -> dict[str, str]:
        """The environment variables from which from_env reads these settings back."""
        return {name.upper(): value for name, value in vars(self).items()}

    @classmethod
    def from_env(cls, env: Mapping[str, str] = os.environ) -> Self:
        """Read the settings; raises MissingSettingsError, which names every variable that is missing or empty."""
        names = [name.upper() for name in get_type_hints(cls)]
        if missing := [name for name in names if not env.get(name)]:
            raise MissingSettingsError(missing)
        return cls(**{name.lower(): env[name] for name in names})


class HttpSettings(Settings):
    """Functions that answer as the HTTP API does: the table, and the ARN of the secret that encrypts cursors."""

    table_name: str
    cursor_secret_arn: str


class RoutesSettings(HttpSettings):
    """Functions that callers call. `rates`: how fast the callers of each group may use the table (functions/rates.py);
    `request_units`: the most write units that a request with a list may take.
    """

    rates: str
    request_units: str


class TelemetrySettings(RoutesSettings):
    """The function of telemetry. `writes`: how new readings are written, as the consumer writes aggregates."""

    writes: Writes


class OperationsSettings(RoutesSettings):
    """The function that shows operations: the names of the stream's readers, and where all functions count."""

    consumer: str
    cascade: str
    powertools_metrics_namespace: str


class CascadeSettings(Settings):
    """The cascade. `push_queue_url`: where it passes on what subscribers are sent; NO_PUSH: nobody can subscribe.

    `alert_topic_arn`: where it tells of alerts; NO_TOPIC: nowhere. `search_queue_url`: where it passes on what the
    search index may lack; NO_SEARCH: there is none. `outlet_queue_url`: where it passes on what the world outside is
    told; NO_OUTLET: nowhere. `outlet`: of which entities, with commas. `writes`: how it writes many items, as in
    ConsumerSettings.
    """

    table_name: str
    push_queue_url: str
    alert_topic_arn: str
    search_queue_url: str
    outlet_queue_url: str
    outlet: str
    writes: Writes


class OutletSettings(Settings):
    """The function of the outlet: the bus on which it puts events. It knows no table."""

    event_bus_name: str


class AuthorizerSettings(Settings):
    """The function that admits sockets: the table only."""

    table_name: str


class SocketSettings(Settings):
    """The sweeper of sockets. `socket_endpoint`: where API Gateway takes what is sent to open connections."""

    table_name: str
    socket_endpoint: str


class ProofSettings(RoutesSettings):
    """The routes that break the consumer. `delivery`: who delivers the stream: `lambda`, or the `local` cloud."""

    delivery: str


class DocumentsSettings(RoutesSettings):
    """The function of documents. `user_pool_id`: where it finds the users whom an owner names."""

    user_pool_id: str


class SubscribingSettings(HttpSettings):
    """The socket's function. It checks addresses with the routes that they read; the rest is as for the sweeper."""

    socket_endpoint: str


class PusherSettings(HttpSettings):
    """The function that sends to subscribers. It reads what HTTP requests read; the rest is as for the socket."""

    socket_endpoint: str
    push_queue_url: str


class SearchSettings(RoutesSettings):
    """The function that searches. `search_index`: where the index is; `search_queue_url`: what its writer reads."""

    search_index: str
    search_queue_url: str


class IndexerSettings(Settings):
    """The function that writes the search index: as of the one that searches."""

    table_name: str
    search_index: str
    search_queue_url: str


class SweeperSettings(Settings):
    """The sweeper: the table only."""

    table_name: str


class LastLineSettings(Settings):
    """The function that handles lost records: the table only."""

    table_name: str


class BatchRunSettings(Settings):
    """The function that begins and ends the runs of the batch side: the table, and the bucket of exports and results.

    The incremental export of a run begins `before_seconds` before the instant of the full one, and ends `after_seconds`
    after it.
    """

    table_name: str
    bucket: str
    before_seconds: str
    after_seconds: str


class RedriveSettings(Settings):
    """The operators' function: the table only."""

    table_name: str


class BatchRepairSettings(Settings):
    """The function that applies plans. `bucket`: where they are; `writes`: the same as the consumer's."""

    table_name: str
    bucket: str
    writes: Writes


class BatchVerifySettings(Settings):
    """The function that verifies directly. `bucket`: what the job has found; `rest_seconds`: longer than the stream."""

    table_name: str
    bucket: str
    rest_seconds: str


class BatchPublishSettings(Settings):
    """The function that publishes summaries. `bucket`: where they are."""

    table_name: str
    bucket: str


class ConsumerSettings(Settings):
    """The stream consumer. `writes`: how aggregates are written: as `statements`, 25 in a request; or as single `puts`,
    for the local cloud, whose streams do not tell of statements. `keeps`: one batch in how many is kept, and in which
    bucket, such as `1000 edgewise-kept`; NO_BATCH: none is.
    """

    table_name: str
    writes: Writes
    keeps: str


class HeartbeatSettings(Settings):
    """The function that sends heartbeats. `stream_arn`: the table's stream; `queue_url`: where it asks for more."""

    table_name: str
    stream_arn: str
    queue_url: str


def on_lambda(env: Mapping[str, str] = os.environ) -> bool:
    """Whether this process runs a Lambda function."""
    return "AWS_LAMBDA_FUNCTION_NAME" in env


def from_snapshot(env: Mapping[str, str] = os.environ) -> bool:
    """Whether Lambda takes a snapshot of this process once it is initialised, or restored it from one."""
    return env.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start"
