"""The one table from errors to HTTP answers, as RFC 9457 problem details."""

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from itertools import islice
from typing import Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError

from edgewise import ConcurrentChangeError, FieldError, InvalidInputError, NotFoundError
from edgewise.dynamodb.decoding import ForeignItemError
from edgewise.dynamodb.throttling import NoTimeLeftError, UnprocessedError
from edgewise.errors import EdgewiseError, MalformedRecordError, ShrinkRefusedError
from edgewise.observability import logger
from functions.errors import (
    AlreadyExistsError,
    BeingDeletedError,
    BeingFilledError,
    ForbiddenError,
    MetricsUnavailableError,
    NotPermittedError,
    PreconditionFailedError,
    RateExceededError,
    RequestTooLargeError,
    RunUnavailableError,
    TokenRefusedError,
    UnsupportedMediaTypeError,
    UsersUnavailableError,
    VersionConflictError,
    WithdrawnError,
)
from functions.settings import HTTP_TIMEOUT_SECONDS
from functions.web.common import FieldProblem, Problem

CONTENT_TYPE = "application/problem+json"

STATUS: dict[type[EdgewiseError], HTTPStatus] = {
    InvalidInputError: HTTPStatus.BAD_REQUEST,
    TokenRefusedError: HTTPStatus.UNAUTHORIZED,
    ForbiddenError: HTTPStatus.FORBIDDEN,
    NotPermittedError: HTTPStatus.FORBIDDEN,
    NotFoundError: HTTPStatus.NOT_FOUND,
    UnsupportedMediaTypeError: HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    ShrinkRefusedError: HTTPStatus.CONFLICT,
    AlreadyExistsError: HTTPStatus.CONFLICT,
    ConcurrentChangeError: HTTPStatus.CONFLICT,
    VersionConflictError: HTTPStatus.CONFLICT,
    BeingDeletedError: HTTPStatus.CONFLICT,
    MalformedRecordError: HTTPStatus.CONFLICT,
    WithdrawnError: HTTPStatus.GONE,
    PreconditionFailedError: HTTPStatus.PRECONDITION_FAILED,
    RequestTooLargeError: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    RateExceededError: HTTPStatus.TOO_MANY_REQUESTS,
    BeingFilledError: HTTPStatus.SERVICE_UNAVAILABLE,
    UsersUnavailableError: HTTPStatus.SERVICE_UNAVAILABLE,
    MetricsUnavailableError: HTTPStatus.SERVICE_UNAVAILABLE,
    RunUnavailableError: HTTPStatus.SERVICE_UNAVAILABLE,
}

# A response has at most 6 MB, regardless of the number of errors in a request and the length of its field names.
MAX_FAULTS, MAX_NAME = 50, 200
# How pydantic says that the key of a mapping is invalid, not its value.
_KEY_OF_DICT = "[key]"
NO_TIME = "there was no time for all of it: retry the request, or send fewer items in one"
# Left out of the names of fields, where "body" and the like would only confuse.
_SOURCES = frozenset({"body", "query", "path", "header"})
# Pydantic puts the exception's class in front of a validator's message.
_PREFIX = "Value error, "


def of_error(error: EdgewiseError) -> Response[str]:
    """The response to a domain error."""
    fields = error.errors if isinstance(error, InvalidInputError) else ()
    answer = problem(STATUS[type(error)], str(error), fields, error.members)
    if isinstance(error, RateExceededError | UsersUnavailableError | MetricsUnavailableError | RunUnavailableError):
        answer.headers["Retry-After"] = str(error.seconds)
    return answer


def of_validation(error: RequestValidationError) -> Response[str]:
    """The response to a request that does not match its model."""
    fields = field_errors(error.errors())
    return problem(HTTPStatus.BAD_REQUEST, "; ".join(f"{e.field}: {e.error}" for e in fields), fields)


def of_busy_table(error: UnprocessedError) -> Response[str]:
    """The response if the table has no capacity, or no time was left; a room that needed widening has been widened."""
    logger.warning("table busy", error=str(error))
    detail = NO_TIME if isinstance(error, NoTimeLeftError) else "the table is busy: retry the request later"
    answer = problem(HTTPStatus.SERVICE_UNAVAILABLE, detail)
    answer.headers["Retry-After"] = str(HTTP_TIMEOUT_SECONDS)
    return answer


def of_foreign_item(error: ForeignItemError) -> Response[str]:
    """The response if the requested item was not written by this application, which the caller can't fix."""
    logger.error("foreign item", key=error.key, cause=repr(error.__cause__))
    return problem(HTTPStatus.INTERNAL_SERVER_ERROR, "the stored item was not written by this application")


def of_unknown_route(_: Exception) -> Response[str]:
    """The response to an unknown path or method."""
    return problem(HTTPStatus.NOT_FOUND, "there is no such route")


def of_binary_body(_: Exception) -> Response[str]:
    """The response to a body that is not text, which API Gateway passes in base64."""
    fields = [FieldError("body", "is not UTF-8")]
    return problem(HTTPStatus.BAD_REQUEST, "body: is not UTF-8", fields)


def field_errors(errors: Iterable[Mapping[str, Any]]) -> list[FieldError]:
    """The first MAX_FAULTS of pydantic's errors, as field errors with dotted paths."""
    return [
        FieldError("body", f"is not the JSON expected: {error['ctx']['error']}, at character {error['loc'][-1]}")
        if error["type"] == "json_invalid"
        else FieldError(_dotted(error["loc"]), error["msg"].removeprefix(_PREFIX))
        for error in islice(errors, MAX_FAULTS)
    ]


def problem(
    status: HTTPStatus, detail: str, errors: Iterable[FieldError] = (), members: Mapping[str, Any] | None = None
) -> Response[str]:
    """A problem document; `members` extend it."""
    body = Problem(
        type="about:blank",
        title=status.phrase,
        status=status,
        detail=detail,
        errors=[FieldProblem(field=error.field, error=error.error) for error in errors],
        **(members or {}),
    )
    return Response(status, CONTENT_TYPE, body.model_dump_json())


def _dotted(location: tuple[str | int, ...]) -> str:
    path = location[1:] if location and location[0] in _SOURCES else location
    return shortened(".".join(str(part) for part in path if part != _KEY_OF_DICT) or "body")


def shortened(name: str) -> str:
    """The name of a field as a response shows it: the name of an unknown field may be as long as a request."""
    return name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
