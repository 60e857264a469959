"""One rule for bodies: a missing body counts as `{}`; a route without a body accepts `{}`, and nothing else."""

import json
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from pydantic import ValidationError

from edgewise import InvalidInputError
from functions.web.admission import JSON
from functions.web.fields import Request
from functions.web.problems import field_errors


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
