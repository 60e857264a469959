"""Request bodies: JSON with exact decimals and size limits.

A missing body counts as `{}`; a route without a body accepts `{}`, and nothing else.
"""

import json
from collections import Counter
from collections.abc import Mapping
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

    Raises JSONDecodeError also for NaN, infinities, values that Python can't hold, and more than MAX_MEMBERS members;
    InvalidInputError for an object with two members of one name, of which another reader may take the other.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError:
        raise
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise json.JSONDecodeError("a number or a nesting is out of all bounds", text, 0) from error


def parse_body(text: str) -> Any:
    """A body that is not a list: Powertools would take a list's first element and drop the others."""
    body = parse_json(text)
    if isinstance(body, list):
        raise json.JSONDecodeError("a list in place of an object", text, 0)
    return body


def _refuse(constant: str) -> Any:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(members) > MAX_MEMBERS:
        raise json.JSONDecodeError(f"an object has more than {MAX_MEMBERS} members", "", 0)
    found = dict(members)
    if len(found) < len(members):
        counts = Counter(name for name, _ in members)
        twice = next(name for name, count in counts.items() if count > 1)
        # Half of a surrogate pair can't be sent back.
        raise InvalidInputError.of(shortened(twice.encode(errors="replace").decode()) or "body", "must not be repeated")
    return found
