"""What the local stream's program makes of a function's answer, and where it sends what is given up."""

import io
import json
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from delivery.function import FunctionError
from local.stream import outside
from ops.local_cloud import Cloud


class Functions:
    """Lambda, with one answer."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer
        self.asked: list[Any] = []

    def invoke(self, **asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def payload(text: str) -> dict[str, Any]:
    return {"Payload": io.BytesIO(text.encode())}


def test_the_answer_is_what_the_function_returned() -> None:
    functions = Functions(payload('{"state": {"a": 1}}'))
    assert outside.invoked(functions, "arn", '{"Records":[]}') == {"state": {"a": 1}}
    assert functions.asked == [{"FunctionName": "arn", "Payload": b'{"Records":[]}'}]
    assert outside.invoked(Functions(payload("")), "arn", "{}") is None


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (payload('{"errorMessage": "no"}') | {"FunctionError": "Unhandled"}, "no"),
        (payload("<html>"), "answered no JSON"),
        (ClientError({"Error": {"Code": "TooManyRequestsException", "Message": "m"}}, "Invoke"), "not called"),
        (EndpointConnectionError(endpoint_url="u"), "not called"),
    ],
)
def test_all_else_is_a_failure_of_the_function(answer: Any, told: str) -> None:
    with pytest.raises(FunctionError, match=told):
        outside.invoked(Functions(answer), "arn", "{}")


class Services:
    """S3, SQS and SNS, which keep what they are asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def get_queue_url(self, QueueName: str) -> Any:
        return {"QueueUrl": f"http://{QueueName}"}

    def __getattr__(self, operation: str) -> Any:
        return lambda **asked: self.asked.append((operation, asked))


@pytest.mark.parametrize(
    ("to", "operation", "where"),
    [
        ("arn:aws:s3:::lost", "put_object", {"Bucket": "lost"}),
        ("arn:aws:sqs:us-east-1:000000000000:lost", "send_message", {"QueueUrl": "http://lost"}),
        ("arn:aws:sns:us-east-1:000000000000:lost", "publish", {"TopicArn": "arn:aws:sns:us-east-1:000000000000:lost"}),
    ],
)
def test_a_document_goes_to_the_destination(
    to: str, operation: str, where: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    services = Services()
    monkeypatch.setattr(Cloud, "client", lambda cloud, service: services)
    document = {"DDBStreamBatchInfo": {"shardId": "shardId-1"}}
    outside.sent(Cloud(1), to, document)
    ((asked, parameters),) = services.asked
    assert asked == operation
    assert parameters.items() >= where.items()
    told = {str(each) if isinstance(each, str) else each.decode() for each in parameters.values()}
    assert json.dumps(document) in told
