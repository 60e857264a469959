"""What all HTTP functions share: the resolver, its errors, the caller, the price on every answer."""

import json
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote, unquote

import simplejson
from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder
from aws_lambda_powertools.event_handler.api_gateway import Route as ResolvedRoute
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as RouteNotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext
from pydantic import BaseModel

from functions.aggregates.catalog import DeclarationError
from functions.dynamodb.decoding import ForeignItemError
from functions.dynamodb.throttling import UnprocessedError
from functions.errors import EdgewiseError, FieldError, InvalidInputError
from functions.observability import logger, metrics, tracer
from functions.settings import HTTP_PATIENCE_SECONDS
from functions.system import Route, System
from functions.web import admission, problems, queries, runtime
from functions.web.admission import Caller
from functions.web.common import Accepted, Counted, Listed, Problem, Rejection

LambdaEvent = dict[str, Any]
Answer = dict[str, Any]
Handler = Callable[[LambdaEvent, LambdaContext], Answer]

# Of the items that a list leaves out, so many keys are logged.
NAMED = 10
# More than any legal object has: a sender of hundreds of thousands gets an answer before the time is over.
MAX_MEMBERS = 10_000


def _problem(status: HTTPStatus) -> Any:
    return {status.value: {"description": status.phrase, "content": {problems.CONTENT_TYPE: {"model": Problem}}}}


# What a route may answer for reasons of its own, for its `responses`; what all have in common is in docs/openapi.py.
FORBIDDEN, NOT_FOUND, CONFLICT = map(_problem, (HTTPStatus.FORBIDDEN, HTTPStatus.NOT_FOUND, HTTPStatus.CONFLICT))


class _Request(APIGatewayProxyEventV2):
    """A request whose parameters may hold commas: Powertools would cut their values there."""

    @property
    def resolved_query_string_parameters(self) -> dict[str, list[str]]:
        """The parameters as they were sent."""
        return queries.sent(self.raw_query_string)


class Resolver(APIGatewayHttpResolver):
    """Takes the requests of one system's routes."""

    def __init__(self, system: System) -> None:
        super().__init__(enable_validation=True, json_body_deserializer=_parse_body)
        self.system = system
        self.served: dict[str, Route] = {}

    def _to_proxy_event(self, event: LambdaEvent) -> _Request:
        return _Request(event, self._json_body_deserializer)

    def _call_route(self, route: ResolvedRoute, route_arguments: dict[str, str]) -> ResponseBuilder[Any]:
        queries.check(self.current_event["rawQueryString"], {known.alias for known in route.dependant.query_params})
        return super()._call_route(route, {name: unquote(value) for name, value in route_arguments.items()})


def resolver(system: System) -> Resolver:
    """A resolver that validates requests and answers every error with problem details."""
    app = Resolver(system)
    app.exception_handler(RequestValidationError)(problems.of_validation)
    for error in problems.STATUS:
        app.exception_handler(error)(problems.of_error)

    app.exception_handler(UnprocessedError)(problems.of_busy_table)
    app.exception_handler(ForeignItemError)(problems.of_foreign_item)
    app.exception_handler(RouteNotFoundError)(problems.of_unknown_route)
    app.exception_handler(UnicodeDecodeError)(problems.of_binary_body)
    return app


def route(
    app: Resolver, served: Route, responses: Any, status_code: int = HTTPStatus.OK
) -> Callable[[Callable[..., Response[str]]], Callable[..., Response[str]]]:
    """Let the decorated function serve a route of the system; `responses` say what it may answer."""
    app.served[served.name] = served
    path = re.sub(r"{(\w+)}", r"<\1>", served.path)
    tags = [app.system.name]
    return app.route(
        path, served.method, summary=served.summary, responses=responses, status_code=status_code, tags=tags
    )


def handler(app: Resolver) -> Handler:
    """The Lambda handler of a resolver; each answer says in its headers what it consumed.

    Raises DeclarationError unless the system's routes, and no others, are served.
    """
    if differing := set(app.served.values()) ^ set(app.system.routes):
        names = ", ".join(sorted(each.name for each in differing))
        raise DeclarationError(f"routes of {app.system.name} that are either not declared or not served: {names}")

    @logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP)
    @tracer.capture_lambda_handler(capture_response=False)
    def handle(event: LambdaEvent, context: LambdaContext) -> Answer:
        usage = runtime.table().usage
        usage.reset()
        runtime.table().allow(HTTP_PATIENCE_SECONDS)
        answer = _resolved(app, event, context)
        answer["headers"] = answer.get("headers", {}) | {
            "x-consumed-requests": str(usage.requests),
            "x-consumed-read-units": f"{usage.read_units:g}",
            "x-consumed-write-units": f"{usage.write_units:g}",
        }
        if usage.left_out:
            _tell_left_out(usage.left_out)
        logger.info("answered", route=event.get("routeKey"), status=answer["statusCode"], requests=usage.requests)
        return answer

    return cast(Handler, handle)


def _resolved(app: Resolver, event: LambdaEvent, context: LambdaContext) -> Answer:
    try:
        admission.admit(event, app.served)
        return app.resolve(_quoted(event), context)
    except EdgewiseError as error:
        refused = problems.of_error(error)
        headers = {"Content-Type": problems.CONTENT_TYPE}
        return {"statusCode": refused.status_code, "headers": headers, "body": refused.body, "isBase64Encoded": False}


def _tell_left_out(keys: Sequence[str]) -> None:
    logger.warning("left out", items=len(keys), keys=keys[:NAMED])
    metrics.add_metric("ItemsLeftOut", MetricUnit.Count, len(keys))
    metrics.flush_metrics()


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


def removal() -> Any:
    """The same of a route that answers without a body."""
    return {HTTPStatus.NO_CONTENT.value: {"description": HTTPStatus.NO_CONTENT.phrase, "content": {}}}


def caller(app: Resolver) -> Caller:
    """The identity behind the current request."""
    return admission.caller(app.current_event.raw_event)


def parse_json(text: str) -> Any:
    """JSON with exact decimals.

    Raises JSONDecodeError also for NaN, infinities, what Python can't hold, and objects of more than MAX_MEMBERS.
    """
    try:
        return json.loads(text, parse_float=Decimal, parse_constant=_refuse, object_pairs_hook=_object)
    except json.JSONDecodeError:
        raise
    except (ValueError, ArithmeticError, RecursionError) as error:
        raise json.JSONDecodeError("a number or a nesting is out of all bounds", text, 0) from error


def _parse_body(text: str) -> Any:
    """A body that may be a request: of a list, Powertools would take the first element and drop the others."""
    body = parse_json(text)
    if isinstance(body, list):
        raise json.JSONDecodeError("a list in place of an object", text, 0)
    return body


def _refuse(constant: str) -> Any:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


def _object(members: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(members) > MAX_MEMBERS:
        raise json.JSONDecodeError(f"an object has more than {MAX_MEMBERS} members", "", 0)
    return dict(members)


def _quoted(event: LambdaEvent) -> LambdaEvent:
    """The event with the parameters in its path percent-encoded: Powertools' own matching takes only some characters.

    API Gateway has matched the route already, and decoded the path. Where that made slashes out of escapes, there are
    more segments than the route has.
    """
    _, _, template = event.get("routeKey", "").partition(" ")
    names, segments = template.split("/"), event["rawPath"].split("/")
    if "{" not in template:
        return event
    if len(names) != len(segments):
        raise InvalidInputError.of("path", "a / in an id must be spelled ~2F")
    path = [
        quote(given, safe="") if name.startswith("{") else given for name, given in zip(names, segments, strict=True)
    ]
    return event | {"rawPath": "/".join(path)}
