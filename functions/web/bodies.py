"""Request bodies: JSON with exact decimals and size limits.

A missing body counts as `{}`; a route without a body accepts `{}`, and nothing else.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from pydantic import ValidationError

from edgewise import InvalidInputError
from functions.web.admission import JSON
from functions.web.fields import Request
from functions.web.problems import field_errors, shortened

# More than any valid object has: a request with hundreds of thousands gets its response before the timeout.
MAX_MEMBERS = 10_000
_CONSTANTS = re.compile("NaN|Infinity")


class Nothing(Request):
    """The body of a route that takes no body."""


def given(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event of an admitted request, always with a JSON body."""
    body = {} if event.get("body") else {"body": "{}", "isBase64Encoded": False}
    return {**event, **body, "headers": {**event.get("headers", {}), "content-type": JSON}}


def must_be_empty(event: APIGatewayProxyEventV2) -> None:
    """Raise InvalidInputError that names the members of the body, which nothing would read."""
    try:
        Nothing.model_validate(event.json_body)
    except json.JSONDecodeError as error:
        fault = f"is not the JSON expected: {error.msg}, at character {error.pos}"
        raise InvalidInputError.of("body", fault) from error
    except UnicodeDecodeError as error:
        raise InvalidInputError.of("body", "is not UTF-8") from error
    except ValidationError as error:
        raise InvalidInputError(field_errors(error.errors())) from error


def parse_json(text: str) -> Any:
    """JSON with exact decimals.

    Raises JSONDecodeError also for values that Python can't hold, and more than MAX_MEMBERS members; InvalidInputError
    for NaN and infinities, which JSON does not have and some senders write, and for an object with two members of one
    name, of which another reader may take the other.
    """
    try:
        found = json.loads(text, parse_float=Decimal, parse_constant=Decimal, object_pairs_hook=_object)
    except json.JSONDecodeError:
        raise
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise json.JSONDecodeError("a number or a nesting is out of all bounds", text, 0) from error
    if _CONSTANTS.search(text):  # or a text has such a word, or part of one
        _refuse_constants(found)
    return found


def parse_body(text: str) -> Any:
    """A body that is not a list: Powertools would take a list's first element and drop the others."""
    body = parse_json(text)
    if isinstance(body, list):
        raise json.JSONDecodeError("a list in place of an object", text, 0)
    return body


def _refuse_constants(found: Any) -> None:
    """Raise InvalidInputError that names the first value that is no finite number."""
    # What encloses the present value, each with the members that are left of it.
    left: list[Iterator[tuple[str, Any]]] = [iter([("", found)])]
    while left:
        for field, value in left[-1]:
            if isinstance(value, Decimal) and not value.is_finite():
                why = f"is {value}, which JSON does not have: leave out what was not measured, or send null"
                raise InvalidInputError.of(_shown(field), why)
            if isinstance(value, dict | list):
                left.append(_members(field, value))
                break
        else:
            left.pop()


def _members(of: str, value: dict[str, Any] | list[Any]) -> Iterator[tuple[str, Any]]:
    """The members of an object or a list, by the beginning of the field that each is: names may be megabytes long."""
    for name, member in value.items() if isinstance(value, dict) else enumerate(value):
        yield shortened(f"{of}.{name}" if of else str(name)), member


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(members) > MAX_MEMBERS:
        raise json.JSONDecodeError(f"an object has more than {MAX_MEMBERS} members", "", 0)
    found = dict(members)
    if len(found) < len(members):
        counts = Counter(name for name, _ in members)
        twice = next(name for name, count in counts.items() if count > 1)
        raise InvalidInputError.of(_shown(twice), "must not be repeated")
    return found


def _shown(field: str) -> str:
    """A field as an answer names it: half of a surrogate pair can't be sent back."""
    return shortened(field.encode(errors="replace").decode()) or "body"
