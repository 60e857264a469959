"""moto without its detours: what a client asks about items goes straight to the method that answers it.

moto makes an HTTP request of what the client sends, and parses that by the service's model; then it serializes its
answer by the model, and adds a check sum. All of it takes three quarters of its time. Here, the JSON that the client
sends is the method's input, and the method's result is sent as JSON. Whatever is not about items takes moto's way.
"""

import base64
import json
from functools import cache
from typing import Any

from botocore import session
from botocore.awsrequest import AWSResponse
from moto.core import responses, utils
from moto.core.botocore_stubber import BotocoreStubber, MockRawResponse
from moto.core.exceptions import ServiceException
from moto.core.models import DEFAULT_ACCOUNT_ID
from moto.dynamodb.responses import DynamoHandler
from werkzeug.exceptions import HTTPException

_CALL = BotocoreStubber.__call__
_METHODS = {
    f"DynamoDB_20120810.{name}": utils.camelcase_to_underscores(name)
    for name in (
        "GetItem",
        "PutItem",
        "DeleteItem",
        "UpdateItem",
        "BatchGetItem",
        "BatchWriteItem",
        "TransactWriteItems",
        "Query",
        "Scan",
    )
}


def make_brisk() -> None:
    """Let moto take these short cuts from now on."""
    BotocoreStubber.__call__ = _answer  # type: ignore[method-assign]
    # All clients know the same models of services, which take longer to read than many tests.
    session.create_loader = cache(session.create_loader)
    # A class has the same methods with each request.
    responses.method_names_from_class = cache(utils.method_names_from_class)  # type: ignore[attr-defined]


def _answer(self: Any, event_name: str, request: Any, **kwargs: Any) -> Any:
    method = _METHODS.get(_text(request.headers.get("X-Amz-Target")))
    if not (self.enabled and method and request.url.endswith(".amazonaws.com/")):
        return _CALL(self, event_name, request, **kwargs)
    try:
        found: Any = getattr(_handler(request), method)()
    except HTTPException as error:
        return AWSResponse(request.url, error.code, {}, MockRawResponse(str(error.description)))  # type: ignore[arg-type]
    except ServiceException:
        return _CALL(self, event_name, request, **kwargs)  # it fails again, and nothing is done before
    # The model of the service knows no such member: what moto says of it goes no further.
    found.result.pop("ConsumedCapacityUnits", None)
    body = json.dumps(found.result, default=_binary)
    return AWSResponse(request.url, 200, {}, MockRawResponse(body))  # type: ignore[arg-type]


def _handler(request: Any) -> DynamoHandler:
    handler = DynamoHandler()
    handler.body = json.loads(request.body, object_hook=_value)
    handler.region, handler.current_account = _region(request.url), DEFAULT_ACCOUNT_ID
    handler.params, handler.uri_match, handler.querystring = handler.body, {}, {}
    return handler


def _value(found: dict[str, Any]) -> dict[str, Any]:
    """The value of an attribute, with bytes where JSON has base64."""
    if len(found) == 1:
        if isinstance(content := found.get("B"), str):
            return {"B": base64.b64decode(content)}
        if isinstance(several := found.get("BS"), list):
            return {"BS": [base64.b64decode(each) for each in several]}
    return found


def _binary(found: bytes) -> str:
    return base64.b64encode(found).decode()


def _text(header: Any) -> str:
    return header.decode() if isinstance(header, bytes) else header or ""


@cache
def _region(url: str) -> str:
    return url.split(".")[-3]
