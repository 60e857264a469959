"""What the program asks of the cloud, through the services' own APIs."""

import json
import uuid
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from delivery.function import FunctionError
from edgewise import aws
from edgewise.dynamodb.responses import Responses
from local.stream.deployed import Deployments
from local.stream.lane import Outside, Tell
from local.stream.program import World
from local.stream.tail import Tail
from ops.local_cloud import REPEATED, Cloud

# Of all shards and readers: calls that are due beyond that wait for others to end.
CALLS = 64
# Longer than any function may run. What has no answer has perhaps been done: the batch comes again, as on AWS.
PATIENT = Config(read_timeout=900, retries={"total_max_attempts": 1}, max_pool_connections=CALLS)


class Waking(Executor):
    """Runs calls in threads, and wakes the program when one has ended."""

    def __init__(self, woken: Callable[[], None]) -> None:
        self._pool, self._woken = ThreadPoolExecutor(CALLS), woken

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Begin a call."""
        call = self._pool.submit(fn, *args, **kwargs)
        call.add_done_callback(lambda _: self._woken())
        return call


def world(cloud: Cloud, woken: Callable[[], None], tell: Tell) -> World:
    """The cloud, as the program needs it; `woken` is called when a function has answered."""
    functions = cloud.client("lambda", PATIENT)
    streams = aws.client("dynamodbstreams", REPEATED, cloud.url, Responses({"GetRecords"}))
    deployments = Deployments(cloud.client("lambda", REPEATED), cloud.client("cloudformation", REPEATED), tell)

    def invoke(function: str, event: str) -> Any:
        return invoked(functions, function, event)

    def send(to: str, document: dict[str, Any]) -> None:
        try:
            sent(cloud, to, document)
        except (BotoCoreError, ClientError) as error:  # as on AWS, it is dropped then
            tell(f"{to} took no document: {error}")

    outside = Outside(invoke, Waking(woken), send, tell)
    return World(deployments.found, lambda arn: Tail(streams, arn), cloud.client("dynamodb", REPEATED), outside)


def invoked(functions: Any, function: str, event: str) -> Any:
    """The function's answer; raises FunctionError if it failed, or could not be called."""
    try:
        answer = functions.invoke(FunctionName=function, Payload=event.encode())
        payload = answer["Payload"].read()
    except (BotoCoreError, ClientError) as error:
        raise FunctionError(f"not called: {error}") from error
    if "FunctionError" in answer:
        raise FunctionError(payload.decode(errors="replace"))
    try:
        return json.loads(payload or b"null")
    except ValueError as error:
        raise FunctionError(f"answered no JSON: {payload[:200]!r}") from error


def sent(cloud: Cloud, to: str, document: dict[str, Any]) -> None:
    """Send what was given up to a bucket, a queue or a topic; raises botocore's errors."""
    _, _, service, *_, name = to.split(":")
    text = json.dumps(document)
    match service:
        case "s3":
            cloud.client("s3").put_object(Bucket=name, Key=_object(document), Body=text.encode())
        case "sqs":
            queues = cloud.client("sqs")
            queues.send_message(QueueUrl=queues.get_queue_url(QueueName=name)["QueueUrl"], MessageBody=text)
        case "sns":
            cloud.client("sns").publish(TopicArn=to, Message=text)


def _object(document: dict[str, Any]) -> str:
    """The name of the object, in the form of Lambda's."""
    now = datetime.now(UTC)
    shard = document["DDBStreamBatchInfo"]["shardId"]
    return f"aws/lambda/{shard}/{now:%Y/%m/%d}/{now:%Y-%m-%dT%H.%M.%S}-{uuid.uuid4()}"
