"""The responses of routes: models as JSON with every digit, and their descriptions in the OpenAPI document."""

from http import HTTPStatus
from typing import Any

import simplejson
from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from edgewise import FieldError, rfc_3339
from functions.web import conditions, problems, runtime
from functions.web.common import Accepted, Counted, Listed, Problem, Rejection


def _problem(status: HTTPStatus) -> Any:
    return {status.value: {"description": status.phrase, "content": {problems.CONTENT_TYPE: {"model": Problem}}}}


# The error responses of individual routes, for their `responses`; those that all routes share are in docs/openapi.py.
FORBIDDEN, NOT_FOUND, CONFLICT = map(_problem, (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT))
PRECONDITION_FAILED, GONE = map(_problem, (HTTPStatus.PRECONDITION_FAILED, HTTPStatus.GONE))
_ETAG = {"ETag": {"description": "the version, in quotes", "schema": {"type": "string"}}}


def reply(model: BaseModel, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
    """A JSON response with decimals as numbers with every digit; it reports lacking numbers and items."""
    usage = runtime.table().usage
    if isinstance(model, Counted) and usage.lacking:
        model.incomplete = True
    if isinstance(model, Counted) and "as_of" not in model.model_fields_set and (told := runtime.freshness().told):
        if told.as_of is not None:
            model.as_of = rfc_3339(told.as_of)
        model.behind = True if told.behind else None
    if isinstance(model, Listed) and usage.left_out:
        model.left_out = len(usage.left_out)
    content = model.model_dump(exclude=_unsaid(model))
    # A model has no named tuples: to look at each value for one takes twice as long as to write it.
    body = simplejson.dumps(
        content, use_decimal=True, namedtuple_as_object=False, ensure_ascii=False, separators=(",", ":")
    )
    return Response(status, "application/json", body)


def version(model: BaseModel, number: int, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
    """The same for one version and nothing else; the version's number is the entity tag."""
    answer = reply(model, status)
    answer.headers["ETag"] = conditions.tag(number)
    return answer


def version_unless_known(model: BaseModel, number: int, if_changed: str | None) -> Response[str]:
    """The same for a GET: 304, without a body, if the caller has this version."""
    if conditions.is_known(number, if_changed):
        return Response(HTTPStatus.NOT_MODIFIED, headers={"ETag": conditions.tag(number)}, body="")
    return version(model, number)


def _unsaid(model: BaseModel) -> set[str]:
    """The optional members that are left out of the response because they have no value."""
    optional = ("incomplete", "left_out", "behind", "corrected", "without")
    names = {name for name in optional if getattr(model, name, None) is None}
    return names | {"as_of"} if isinstance(model, Counted) and _says_no_instant(model) else names


def _says_no_instant(model: Counted) -> bool:
    return model.as_of is None and "as_of" not in model.model_fields_set


def accept(out: Accepted, items: str) -> Response[str]:
    """The response to a list, called `items`, of separately validated items: a problem if none of them is stored."""
    if out.accepted:
        return reply(out, HTTPStatus.ACCEPTED)
    named = [FieldError(_placed(items, fault), fault.error) for fault in out.rejected]
    detail = f"none of the {items} is stored"
    return problems.problem(
        HTTPStatus.BAD_REQUEST, detail, named[: problems.MAX_FAULTS], out.model_dump(exclude=_unsaid(out))
    )


def _placed(items: str, fault: Rejection) -> str:
    """The invalid field by its position in the request; `body` is the item itself."""
    return f"{items}.{fault.index}" + ("" if fault.field == "body" else f".{fault.field}")


def no_content() -> Response[str]:
    """The response to a removal: the thing does not exist (any more)."""
    return Response(HTTPStatus.NO_CONTENT, body="")  # the body is declared as text, so None would be refused


def described(model: type[BaseModel], status: HTTPStatus = HTTPStatus.OK) -> Any:
    """The successful response of a route, for its `responses`."""
    return {status.value: {"description": status.phrase, "content": {"application/json": {"model": model}}}}


def stored(model: type[BaseModel]) -> Any:
    """The same for a route that stores something: 201 if it is new, 200 if it was stored before."""
    return described(model) | described(model, HTTPStatus.CREATED)


def tagged(responses: Any) -> Any:
    """The given responses, each with an entity tag."""
    return {status: response | {"headers": _ETAG} for status, response in responses.items()}


def read_version(model: type[BaseModel]) -> Any:
    """The same for a route that reads one version: 200, or 304 if the caller has it."""
    unmodified = {"description": HTTPStatus.NOT_MODIFIED.phrase, "content": {}}
    return tagged(described(model) | {HTTPStatus.NOT_MODIFIED.value: unmodified})


def removal() -> Any:
    """The same for a route whose response has no body."""
    return {HTTPStatus.NO_CONTENT.value: {"description": HTTPStatus.NO_CONTENT.phrase, "content": {}}}
