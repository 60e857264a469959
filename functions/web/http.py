"""What all HTTP functions share: the resolver, its errors, the caller, the price on every answer."""

import json
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote, unquote

from aws_lambda_powertools.event_handler import APIGatewayHttpResolver, Response
from aws_lambda_powertools.event_handler.api_gateway import ResponseBuilder
from aws_lambda_powertools.event_handler.api_gateway import Route as ResolvedRoute
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as RouteNotFoundError
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.logging import correlation_paths
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEventV2
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import InvalidInputError, Kind, Millis
from edgewise.dynamodb.decoding import ForeignItemError
from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.dynamodb.usage import Usage
from edgewise.errors import EdgewiseError
from edgewise.observability import logger, metrics
from functions import startup
from functions.settings import HTTP_PATIENCE_SECONDS
from functions.system import Group, Live, Route, System
from functions.web import admission, bodies, charges, conditions, freshness, problems, queries, runtime, told
from functions.web.admission import Caller
from functions.web.bodies import parse_body
from functions.web.ranges import bounds

LambdaEvent = dict[str, Any]
# What a request is only checked for, and not answered, is marked with.
_CHECKED = "only_checked"
# Answers are for their callers, and current when they are sent: no browser and no proxy keeps them, or guesses a type.
_HEADERS = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
Answer = dict[str, Any]
Handler = Callable[[LambdaEvent, LambdaContext], Answer]


class _Request(APIGatewayProxyEventV2):
    """A request whose parameters may hold commas: Powertools would cut their values there."""

    @property
    def resolved_query_string_parameters(self) -> dict[str, list[str]]:
        """The parameters as they were sent."""
        return queries.sent(self.raw_query_string)


class Resolver(APIGatewayHttpResolver):
    """Takes the requests of one system's routes."""

    def __init__(self, system: System) -> None:
        super().__init__(enable_validation=True, json_body_deserializer=parse_body)
        self.system = system
        self.served: dict[str, Route] = {}
        self.use([_unless_only_checked])

    def shows(self) -> tuple[Kind, ...]:
        """The kinds of aggregates that the answer to the present request shows."""
        return served.shows if (served := self._present()) else ()

    def look(self, after: Millis | None) -> None:
        """Find out how fresh these are before they are read; what was absorbed until `after` must then be seen."""
        served = self._present()
        runtime.freshness().look(self.shows(), after, by_index=served is not None and served.by_index)
        if after is not None:
            runtime.table().consistent = True  # who pushes reads so anyway

    def _present(self) -> Route | None:
        """The route of the present request, unless it is none of these."""
        return self.served.get(self.current_event.raw_event.get("routeKey", ""))

    def _to_proxy_event(self, event: LambdaEvent) -> _Request:
        return _Request(event, self._json_body_deserializer)

    def _call_route(self, route: ResolvedRoute, route_arguments: dict[str, str]) -> ResponseBuilder[Any]:
        parameters = {known.alias for known in route.dependant.query_params}
        queries.check(self.current_event["rawQueryString"], parameters | ({freshness.AFTER} if self.shows() else set()))
        if route.tags and not route.dependant.body_params:  # without tags: Powertools' own, for what no route serves
            bodies.must_be_empty(self.current_event)
        if self.current_event.http_method != "GET":
            headers = self.current_event.headers
            conditions.must_be_heeded(headers, {known.alias for known in route.dependant.header_params})
        return super()._call_route(route, {name: unquote(value) for name, value in route_arguments.items()})


def _unless_only_checked(app: Any, answer: Callable[[Any], Response[str]]) -> Response[str]:
    """Runs when the parameters have been validated: whoever only wants them checked reads nothing."""
    given = app.current_event.resolved_query_string_parameters
    after = freshness.after(given.get(freshness.AFTER, ())) if app.shows() else None
    if not app.context.get(_CHECKED):
        app.look(after)
        return answer(app)
    arguments = app.context["_route_args"]
    bounds(arguments.get("start"), arguments.get("end"), arguments.get("grain"))
    return Response(HTTPStatus.NO_CONTENT)


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
    app: Resolver,
    name: str,
    summary: str,
    *,
    responses: Any,
    status_code: int = HTTPStatus.OK,
    group: Group | None = None,
    public: bool = False,
    shows: tuple[Kind, ...] = (),
    by_index: bool = False,
    live: Live | None = None,
) -> Callable[[Callable[..., Response[str]]], Callable[..., Response[str]]]:
    """Let the decorated function serve a route, such as `GET /rooms/{room}`; `responses` say what it may answer.

    The others are those of `Route`. Its name, summary, group and whether it is public must be written out: they are
    read from the source, too (functions/routes.py).
    """
    served = Route(name, summary, group, public, shows, by_index, live)
    app.served[name] = served
    path = re.sub(r"{(\w+)}", r"<\1>", served.path)
    tags = [app.system.name]
    return app.route(path, served.method, summary=summary, responses=responses, status_code=status_code, tags=tags)


def handler(app: Resolver) -> Handler:
    """The Lambda handler of a resolver; each answer says in its headers what it consumed."""

    @logger.inject_lambda_context(correlation_id_path=correlation_paths.API_GATEWAY_HTTP)
    @metrics.log_metrics
    def handle(event: LambdaEvent, context: LambdaContext) -> Answer:
        began = time.monotonic()
        usage, backfilling = runtime.table().usage, app.system.backfilling
        usage.reset(lacking=len(backfilling))
        runtime.table().allow(HTTP_PATIENCE_SECONDS)
        runtime.table().consistent = False
        answer = _resolved(app, event, context, admit=True)
        answer["headers"] = answer.get("headers", {}) | _HEADERS
        # What there is behind a 404 takes more to read than what there is not.
        if not (app.system.private and answer["statusCode"] == HTTPStatus.NOT_FOUND):
            answer["headers"] |= _consumed(usage)
        if backfilling:
            answer["headers"]["x-backfilling"] = ",".join(backfilling)
        if event["requestContext"]["http"]["method"] != "GET" and answer["statusCode"] < HTTPStatus.MULTIPLE_CHOICES:
            answer["headers"][freshness.WRITTEN] = freshness.written()
        told.tell(event, answer["statusCode"], usage, began)
        return answer

    startup.finish(runtime.table)
    return cast(Handler, handle)


def _consumed(usage: Usage) -> dict[str, str]:
    return {
        "x-consumed-requests": str(usage.requests),
        "x-consumed-read-units": f"{usage.read_units:g}",
        "x-consumed-write-units": f"{usage.write_units:g}",
    } | ({"x-caused-units": str(usage.caused)} if usage.caused else {})


def _resolved(app: Resolver, event: LambdaEvent, context: LambdaContext, *, admit: bool) -> Answer:
    try:
        known = admission.admit(event, app.served, runtime.revoked) if admit else None
        with charges.charged(charges.rated(known) if known else None):
            return app.resolve(bodies.given(_quoted(event)), context)
    except (EdgewiseError, UnprocessedError) as error:
        refused = problems.of_busy_table(error) if isinstance(error, UnprocessedError) else problems.of_error(error)
        headers = dict(refused.headers)
        if refused.status_code == HTTPStatus.UNAUTHORIZED:
            headers["WWW-Authenticate"] = 'Bearer error="invalid_token"'
        return {"statusCode": refused.status_code, "headers": headers, "body": refused.body, "isBase64Encoded": False}


def caller(app: Resolver) -> Caller:
    """The identity behind the current request."""
    return admission.caller(app.current_event.raw_event)


def token_ends(app: Resolver) -> Millis:
    """When the token of the current request ends."""
    return admission.token_ends(app.current_event.raw_event)


def read(app: Resolver, served: Route, path: str, query: str, context: LambdaContext) -> str | None:
    """What a GET of this path and query string answers now, as JSON; None unless it succeeds.

    For answers that are sent to whoever may read them, without a request of theirs.
    """
    usage = runtime.table().usage
    usage.lacking, usage.left_out = len(app.system.backfilling), []
    answer = _resolved(app, _get(served, path, query), context, admit=False)
    return cast(str, answer["body"]) if answer["statusCode"] == HTTPStatus.OK else None


def check(app: Resolver, served: Route, path: str, query: str, context: LambdaContext) -> None:
    """Raises InvalidInputError, for the field `address`, if a GET of this path and query string would be refused.

    For addresses that are read later, without a request to the table; whether anything is stored there, it can't tell.
    A page that begins after another one does not follow what changes, so a cursor is refused too. And so is what a
    reader would wait for: all that are sent an answer would wait with the one who named it.
    """
    app.context[_CHECKED] = True
    try:
        answer = _resolved(app, _get(served, path, query), context, admit=False)
    finally:
        app.context.clear()
    if answer["statusCode"] != HTTPStatus.NO_CONTENT:
        raise InvalidInputError.of("address", json.loads(answer["body"])["detail"])
    given = queries.sent(query)
    if freshness.AFTER in given:
        raise InvalidInputError.of("address", f"{freshness.AFTER}: nobody waits for what will be sent")
    if "cursor" in given:
        raise InvalidInputError.of("address", "cursor: only the first page of a list can be subscribed to")


def _get(served: Route, path: str, query: str) -> LambdaEvent:
    line = {"method": served.method, "path": path}
    return {
        "version": "2.0",
        "routeKey": served.name,
        "rawPath": unquote(path),
        "rawQueryString": query,
        "headers": {},
        "requestContext": {"http": line, "stage": "$default"},
    }


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
