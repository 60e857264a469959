"""HTTP API events as API Gateway makes them, and a client that calls the handlers with them."""

import importlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import unquote, urlencode

from functions.catalog import module_of
from functions.routes import ROUTES
from functions.web.spelling import spell

FUNCTION_OF = {route: name for name, routes in ROUTES.items() for route in routes}
_PATTERNS = {route: re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", route)) for route in FUNCTION_OF}


def route_of(method: str, path: str) -> tuple[str, dict[str, str]]:
    """The route that serves a path, and the ids in it, spelled as there; raises ValueError if there is none."""
    found = {route: match for route, regex in _PATTERNS.items() if (match := regex.fullmatch(f"{method} {path}"))}
    # Of two that fit, the one with fewer parameters: so does the gateway.
    route = min(found, key=lambda each: len(found[each].groups()))
    return route, {name: unquote(text) for name, text in found[route].groupdict().items()}


class Context:
    """What Lambda tells a handler about its invocation."""

    function_name = "tests"
    memory_limit_in_mb = 256
    invoked_function_arn = "arn:aws:lambda:us-east-1:123456789012:function:tests"
    aws_request_id = "request"

    def get_remaining_time_in_millis(self) -> int:
        return 60_000


@dataclass(frozen=True)
class Answer:
    """A handler's answer; numbers in the body are exact."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def fields(self) -> list[str]:
        """Which fields a problem names."""
        return [error["field"] for error in self.body["errors"]]

    @property
    def cost(self) -> tuple[int, float, float]:
        """Requests, read units, write units."""
        read, write = (float(self.headers[f"x-consumed-{kind}-units"]) for kind in ("read", "write"))
        return int(self.headers["x-consumed-requests"]), read, write


def http_event(
    route: str,
    params: Mapping[str, str],
    query: Mapping[str, str],
    body: str | None,
    claims: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """An event of payload format 2.0; `params` spelled as in a path, claims None without a token."""
    method, _, path = route.partition(" ")
    path = path.format_map(params)
    context: dict[str, Any] = {"http": {"method": method, "path": path}, "stage": "$default", "requestId": "request"}
    if claims is not None:
        context["authorizer"] = {"jwt": {"claims": dict(claims), "scopes": None}}
    event = {
        "version": "2.0",
        "routeKey": route,
        "rawPath": path,
        "rawQueryString": urlencode(query),
        "headers": {"content-type": "application/json"},
        "requestContext": context,
        "isBase64Encoded": False,
    }
    given = {"pathParameters": dict(params), "queryStringParameters": dict(query), "body": body}
    return event | {name: value for name, value in given.items() if value}


# When tokens end, in seconds: long after any test; and when they were issued.
FAR, ISSUED = 4_102_444_800, "1535543000"


@dataclass(frozen=True)
class Client:
    """Someone with a token: who, and in which groups. Without a `sub`, it is the name."""

    user: str = "amy"
    groups: tuple[str, ...] = ()
    headers: Mapping[str, str] = field(default_factory=dict)
    sub: str = ""

    def event(self, route: str, query: Mapping[str, str] | None = None, body: Any = None, **ids: str) -> dict[str, Any]:
        """The event of one request; ids as they are."""
        params = {name: spell(value) for name, value in ids.items()}
        text = body if body is None or isinstance(body, str) else json.dumps(body)
        event = http_event(route, params, query or {}, text, self.claims)
        return event | {"headers": event["headers"] | self.headers}

    @property
    def claims(self) -> dict[str, str]:
        """What the token says."""
        identity = {"sub": self.sub or self.user, "username": self.user, "token_use": "access", "iat": ISSUED}
        return identity | {"cognito:groups": f"[{' '.join(self.groups)}]", "exp": str(FAR)}

    def call(self, route: str, query: Mapping[str, str] | None = None, body: Any = None, **ids: str) -> Answer:
        """Send one request to the function that serves the route."""
        return send(self.event(route, query, body, **ids))


def send(event: dict[str, Any]) -> Answer:
    """The answer of the function that serves the event's route."""
    answer = handled(event)
    body = json.loads(answer["body"], parse_float=Decimal) if answer.get("body") else None
    return Answer(answer["statusCode"], answer["headers"], body)


def handled(event: dict[str, Any]) -> dict[str, Any]:
    """The same, as the function returns it to the gateway."""
    module = importlib.import_module(module_of(FUNCTION_OF[event["routeKey"]]))
    answer: dict[str, Any] = module.handler(event, Context())
    return answer
