"""Requests to DynamoDB as JSON, without a walk over the shape of each of their attributes.

This project keeps items in the form in which DynamoDB takes them; only binary values are not JSON. botocore's
serializer looks up the declared shape of every attribute all the same, which takes most of the time of a request with
many items. So it is given no parameters but texts, and the whole body is set before the request is signed.
"""

import base64
import json
from collections.abc import Iterable, Mapping
from typing import Any

_PARAMETERS = "edgewise_parameters"


def shorten(client: Any, operations: Iterable[str]) -> None:
    """Let a DynamoDB client take the shorter way for operations, behind all others that see or change parameters."""
    for name in operations:
        client.meta.events.register_last(f"provide-client-params.dynamodb.{name}", _keep)
        client.meta.events.register_first(f"before-call.dynamodb.{name}", _complete)


def _keep(params: Mapping[str, Any], context: dict[str, Any], **_: Any) -> dict[str, Any]:
    """What the serializer is given: all that botocore itself may look at, which is the names of tables."""
    context[_PARAMETERS] = params
    asked: dict[str, Any] = {name: {key: {} for key in params[name]} for name in params.keys() & {"RequestItems"}}
    return {name: value for name, value in params.items() if isinstance(value, str)} | asked


def _complete(params: dict[str, Any], context: Mapping[str, Any], **_: Any) -> None:
    params["body"] = json.dumps(context[_PARAMETERS], default=_text).encode()


def _text(value: object) -> str:
    """A binary value as DynamoDB takes it."""
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    raise TypeError(f"no value of DynamoDB's: {value!r}")
