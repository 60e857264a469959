"""Answers of a throttled DynamoDB, put on the wire in place of the engine's; the SDK parses and repeats as ever."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from botocore.awsrequest import AWSResponse
from botocore.compat import HTTPHeaders

HOT_TABLE, HOT_INDEX = "TableWriteKeyRangeThroughputExceeded", "IndexWriteKeyRangeThroughputExceeded"
ARN = "arn:aws:dynamodb:us-east-1:123456789012:table/Edgewise"
# What of a request decides: the operation's name and its parameters as sent.
Decide = Callable[[str, dict[str, Any]], Any]
# Each error's type on the wire, and how it spells the member with the reasons.
ERRORS = {
    "ProvisionedThroughputExceededException": ("com.amazonaws.dynamodb.v20120810", "ThrottlingReasons"),
    "RequestLimitExceeded": ("com.amazonaws.dynamodb.v20120810", "ThrottlingReasons"),
    "ThrottlingException": ("com.amazon.coral.availability", "throttlingReasons"),
}


def refusal(*reasons: str, code: str = "ProvisionedThroughputExceededException") -> dict[str, Any]:
    """The body of a throttled request's answer."""
    namespace, member = ERRORS[code]
    given = [
        {"reason": reason, "resource": f"{ARN}/index/GSI1" if reason.startswith("Index") else ARN} for reason in reasons
    ]
    return {"__type": f"{namespace}#{code}", "message": "too much"} | ({member: given} if given else {})


@contextmanager
def answered(client: Any, decide: Decide) -> Iterator[None]:
    """Requests for which `decide` returns a body are answered with it: status 400 if it is an error."""

    def answer(request: Any, **_: Any) -> AWSResponse | None:
        operation = request.headers["X-Amz-Target"].decode().partition(".")[2]
        body = decide(operation, json.loads(request.body))
        if not body:
            return None
        # Every hook of this event is called: moto's would carry the request out.
        url, request.url = request.url, "http://nobody.invalid/"
        raw = io.BytesIO(json.dumps(body).encode())
        raw.stream = lambda **_: iter([raw.getvalue()])  # type: ignore[attr-defined]
        return AWSResponse(url, 400 if "__type" in body else 200, HTTPHeaders(), raw)

    client.meta.events.register_first("before-send.dynamodb", answer)
    try:
        yield
    finally:
        client.meta.events.unregister("before-send.dynamodb", answer)


def throttling(client: Any, *operations: str, reason: str = HOT_TABLE) -> Any:
    """Every request of these operations is refused for this reason."""
    return answered(client, lambda operation, _: refusal(reason) if operation in operations else None)
