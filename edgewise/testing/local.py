"""Runs a consumer against DynamoDB Local, as Lambda would: `python -m edgewise.testing.local shop.handler`.

It makes the table that the environment names, if there is none, and delivers what its stream tells, from the oldest
record on, until it is stopped. Begun again, it delivers all of it again: the consumer expects that.
"""

import json
import os
import sys
from base64 import b64encode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from delivery import Context
from delivery.windows import Window
from edgewise import aws, clock
from edgewise.dynamodb import client as dynamodb_client
from edgewise.dynamodb.schema import STREAM_VIEW, create_table_request
from edgewise.dynamodb.table import CONFIG
from edgewise.freshness.heartbeats import described
from edgewise.own.consumer import STREAM, STREAM_BESIDE, Consumer
from edgewise.own.table import BESIDE, TABLE, UnnamedTableError
from edgewise.testing.requests import indexed, table_request
from edgewise.times import SECOND

# What the environment must say.
NEEDED = {
    "AWS_ENDPOINT_URL": "where DynamoDB Local answers, such as http://localhost:8000",
    "AWS_DEFAULT_REGION": "any, such as us-east-1",
    "AWS_ACCESS_KEY_ID": "any: DynamoDB Local takes all",
    "AWS_SECRET_ACCESS_KEY": "any: DynamoDB Local takes all",
    TABLE: "the name of your table",
    "POWERTOOLS_METRICS_NAMESPACE": "what its metrics are called in the log, such as shop",
}
# How long it waits when nothing is new, and how long a window may be, in seconds.
PAUSE, WINDOW = 1, 60


class MissingSettingError(Exception):
    """The environment does not say what is needed."""

    def __init__(self, name: str) -> None:
        super().__init__(f"set {name} in the environment: {NEEDED[name]}")


class Following:
    """How far the streams of a consumer's tables are delivered to it, by shard. The tables are made if there are none.

    Raises UnnamedTableError if the aggregates have a table of their own, and the environment does not name it.
    """

    def __init__(self, consumer: Consumer) -> None:
        self._consumer = consumer
        self._client: Any = dynamodb_client.client(CONFIG)
        self._arns = [self._stream(request) for request in _requests(consumer)]
        self._iterators = dict[str, str | None]()
        os.environ |= {STREAM: self._arns[0], STREAM_BESIDE: "".join(self._arns[1:])}

    def step(self) -> int:
        """Deliver what is new, that of each shard in a window of its own; returns how many records there were.

        Raises what the consumer raises: then the same comes again.
        """
        return sum(self._deliver(arn, each["ShardId"]) for arn in self._arns for each in described(arn))

    def _deliver(self, arn: str, shard: str) -> int:
        if (iterator := self._iterator(arn, shard)) is None:
            return 0
        page = aws.streams().get_records(ShardIterator=iterator)
        records = [_as_delivered(each, arn) for each in page["Records"]]
        if records:
            window, context = Window.of(clock.now() / SECOND, WINDOW, 0), Context()
            answer = self._consumer({"Records": records, **window.fields(shard, arn, final=False)}, context)
            window.state = (answer or {}).get("state", {})
            self._consumer({"Records": [], **window.fields(shard, arn, final=True)}, context)
        self._iterators[shard] = page.get("NextShardIterator")
        return len(records)

    def _iterator(self, arn: str, shard: str) -> str | None:
        """Where a shard goes on; None if it has ended."""
        if shard not in self._iterators:
            oldest = {"StreamArn": arn, "ShardId": shard, "ShardIteratorType": "TRIM_HORIZON"}
            self._iterators[shard] = aws.streams().get_shard_iterator(**oldest)["ShardIterator"]
        return self._iterators[shard]

    def _stream(self, request: dict[str, Any]) -> str:
        """The ARN of a table's stream."""
        name = request["TableName"]
        with suppress(self._client.exceptions.ResourceInUseException):
            self._client.create_table(**request)
        arn: str = self._client.describe_table(TableName=name)["Table"]["LatestStreamArn"]
        return arn


def main(arguments: Sequence[str]) -> None:
    """Deliver to the consumer that is called so, until somebody stops it; raises MissingSettingError."""
    for name in NEEDED:
        if not os.environ.get(name):
            raise MissingSettingError(name)
    module, _, name = arguments[0].rpartition(".")
    sys.path.insert(0, "")
    following = Following(getattr(import_module(module), name))
    while True:
        if not following.step():
            clock.sleep(PAUSE)


def _requests(consumer: Consumer) -> Iterator[dict[str, Any]]:
    """The requests that make the tables."""
    own = consumer.table
    stream = {"StreamSpecification": {"StreamEnabled": True, "StreamViewType": STREAM_VIEW}}
    yield table_request(own, os.environ[TABLE], indexed(own)) | stream
    if not own.has_room:
        if not (beside := os.environ.get(BESIDE)):
            raise UnnamedTableError(BESIDE, "beside")
        yield create_table_request(beside)


def _as_delivered(record: Any, arn: str) -> Any:
    """A record as Lambda delivers it: its time in seconds, and bytes as text."""
    change = record["dynamodb"]
    at = change["ApproximateCreationDateTime"].timestamp()
    form = record | {"eventSourceARN": arn, "dynamodb": change | {"ApproximateCreationDateTime": at}}
    return json.loads(json.dumps(form, default=lambda of_bytes: b64encode(of_bytes).decode()))


if __name__ == "__main__":
    main(sys.argv[1:])
