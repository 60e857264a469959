"""What routes answer: models as JSON with every digit, and what the document says that they answer."""

from http import HTTPStatus
from typing import Any

import simplejson
from aws_lambda_powertools.event_handler import Response
from pydantic import BaseModel

from functions.errors import FieldError
from functions.web import problems, runtime
from functions.web.common import Accepted, Counted, Listed, Problem, Rejection


def _problem(status: HTTPStatus) -> Any:
    return {status.value: {"description": status.phrase, "content": {problems.CONTENT_TYPE: {"model": Problem}}}}


# What a route may answer for reasons of its own, for its `responses`; what all have in common is in docs/openapi.py.
FORBIDDEN, NOT_FOUND, CONFLICT = map(_problem, (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT))


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


def removal() -> Any:
    """The same of a route that answers without a body."""
    return {HTTPStatus.NO_CONTENT.value: {"description": HTTPStatus.NO_CONTENT.phrase, "content": {}}}
