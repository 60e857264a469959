"""What routes answer: models as JSON with every digit, and what the document says that they answer."""

from http import HTTPStatus
from typing import Any

import simplejson
from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from functions.errors import FieldError
from functions.web import conditions, problems, runtime
from functions.web.common import Accepted, Counted, Listed, Problem, Rejection


def _problem(status: HTTPStatus) -> Any:
    return {status.value: {"description": status.phrase, "content": {problems.CONTENT_TYPE: {"model": Problem}}}}


# What a route may answer for reasons of its own, for its `responses`; what all have in common is in docs/openapi.py.
FORBIDDEN, NOT_FOUND, CONFLICT = map(_problem, (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT))
PRECONDITION_FAILED = _problem(HTTPStatus.PRECONDITION_FAILED)
_ETAG = {"ETag": {"description": "the version, in quotes", "schema": {"type": "string"}}}


def reply(model: BaseModel, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
    """A JSON answer in which decimals keep every digit, as numbers; it says what its numbers and lists lack."""
    usage = runtime.table().usage
    if isinstance(model, Counted) and usage.lacking:
        model.incomplete = True
    if isinstance(model, Listed) and usage.left_out:
        model.left_out = len(usage.left_out)
    content = model.model_dump(exclude=_unsaid(model))
    body = simplejson.dumps(content, use_decimal=True, ensure_ascii=False, separators=(",", ":"))
    return Response(status, "application/json", body)


def version(model: BaseModel, number: int, status: HTTPStatus = HTTPStatus.OK) -> Response[str]:
    """The same, of one version and nothing else; its number is the entity tag."""
    answer = reply(model, status)
    answer.headers["ETag"] = conditions.tag(number)
    return answer


def version_unless_known(model: BaseModel, number: int, if_changed: str | None) -> Response[str]:
    """The same to a GET: 304, without a body, if the caller has this version."""
    answer = version(model, number)
    if conditions.is_known(number, if_changed):
        return Response(HTTPStatus.NOT_MODIFIED, headers={"ETag": answer.headers["ETag"]}, body="")
    return answer


def _unsaid(model: BaseModel) -> set[str]:
    """The members that stand in an answer only if there is something to say."""
    return {name for name in ("incomplete", "left_out") if getattr(model, name, None) is None}


def accept(out: Accepted, items: str) -> Response[str]:
    """The answer to a list, called `items`, that was judged one by one: a problem if none of them is stored."""
    if out.accepted:
        return reply(out, HTTPStatus.ACCEPTED)
    named = [FieldError(_placed(items, fault), fault.error) for fault in out.rejected]
    detail = f"none of the {items} is stored"
    return problems.problem(HTTPStatus.BAD_REQUEST, detail, named[: problems.MAX_FAULTS], out.model_dump())


def _placed(items: str, fault: Rejection) -> str:
    """The field at fault by its place in the request; `body` is the item itself."""
    return f"{items}.{fault.index}" + ("" if fault.field == "body" else f".{fault.field}")


def no_content() -> Response[str]:
    """The answer to a removal: it is not there (any more)."""
    return Response(HTTPStatus.NO_CONTENT, body="")  # a body of None would not pass as the text it is declared to be


def described(model: type[BaseModel], status: HTTPStatus = HTTPStatus.OK) -> Any:
    """What a route answers when all is well, for its `responses`."""
    return {status.value: {"description": status.phrase, "content": {"application/json": {"model": model}}}}


def stored(model: type[BaseModel]) -> Any:
    """The same of a route that stores something: 201 if it is new, 200 if it was there before."""
    return described(model) | described(model, HTTPStatus.CREATED)


def tagged(responses: Any) -> Any:
    """The same with an entity tag on each of these answers."""
    return {status: response | {"headers": _ETAG} for status, response in responses.items()}


def read_version(model: type[BaseModel]) -> Any:
    """The same of a route that reads one version: 200, or 304 if the caller has it."""
    unmodified = {"description": HTTPStatus.NOT_MODIFIED.phrase, "content": {}}
    return tagged(described(model) | {HTTPStatus.NOT_MODIFIED.value: unmodified})


def removal() -> Any:
    """The same of a route that answers without a body."""
    return {HTTPStatus.NO_CONTENT.value: {"description": HTTPStatus.NO_CONTENT.phrase, "content": {}}}
