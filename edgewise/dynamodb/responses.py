"""DynamoDB's answers as Python values, without a walk over the shape of each of their attributes.

An answer is JSON in the form in which this project keeps items; only binary values are texts in it. botocore's parser
looks up the declared shape of every attribute all the same, which takes most of the time of a large answer.
"""

import base64
import json
from collections.abc import Iterable
from typing import Any

from botocore.parsers import ResponseParser, ResponseParserFactory


class Responses(ResponseParserFactory):
    """Makes the parsers of a session: botocore's own, each with a shorter way for the answers of some operations."""

    def __init__(self, operations: Iterable[str]) -> None:
        super().__init__()
        self._shapes = frozenset(f"{name}Output" for name in operations)

    def create_parser(self, protocol_name: str) -> ResponseParser:
        """The parser of a protocol."""
        return _Parser(super().create_parser(protocol_name), self._shapes)


class _Parser(ResponseParser):
    """Parses what DynamoDB answers in `shapes` if all went well; leaves everything else to the `default` parser."""

    def __init__(self, default: ResponseParser, shapes: frozenset[str]) -> None:
        super().__init__()
        self._default = default
        self._shapes = shapes

    def parse(self, response: Any, shape: Any) -> Any:
        """What `default` makes of a response."""
        if response["status_code"] != 200 or shape is None or shape.name not in self._shapes:
            return self._default.parse(response, shape)
        try:
            found = _plain(response["body"])
        except ValueError:
            return self._default.parse(response, shape)
        # The default parser adds what the headers say.
        return found | self._default.parse({**response, "body": b"{}"}, shape)


def _plain(body: bytes) -> dict[str, Any]:
    """The members of an answer; raises ValueError."""
    has_binary = b'"B"' in body or b'"BS"' in body
    found = json.loads(body, object_hook=_with_bytes if has_binary else None)
    return {name: value for name, value in found.items() if value is not None}


def _with_bytes(found: dict[str, Any]) -> dict[str, Any]:
    """A JSON object, with bytes if it is a binary value. Where `B` is a name that people gave, its value is no text."""
    if "B" in found and isinstance(found["B"], str):
        return {"B": base64.b64decode(found["B"])}
    if "BS" in found and isinstance(texts := found["BS"], list) and all(isinstance(text, str) for text in texts):
        return {"BS": [base64.b64decode(text) for text in texts]}
    return found
