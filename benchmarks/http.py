"""Requests as API Gateway passes them to the functions behind it."""

import importlib
import json
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from urllib.parse import urlencode

from benchmarks.engine import Context, silenced
from functions.catalog import module_of
from functions.routes import ROUTES
from functions.system import GROUPS

_FUNCTION = {route: name for name, routes in ROUTES.items() for route in routes}


@dataclass(frozen=True)
class Request:
    """One request on a route."""

    route: str
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: Any = None


@dataclass(frozen=True)
class Answer:
    """An answer: the status, the body, and the consumption that its headers report."""

    status: int
    body: dict[str, Any]
    requests: int
    read_units: float
    write_units: float


def call(request: Request) -> Answer:
    """Send a request to its function, from a caller who is in every group."""
    with silenced():
        response = _handler(_FUNCTION[request.route])(event(request), Context())
    headers = response["headers"]
    return Answer(
        status=response["statusCode"],
        body=json.loads(response["body"]),
        requests=int(headers["x-consumed-requests"]),
        read_units=float(headers["x-consumed-read-units"]),
        write_units=float(headers["x-consumed-write-units"]),
    )


def event(request: Request) -> dict[str, Any]:
    """The event of an HTTP API, payload format 2.0."""
    method, _, path = request.route.format_map(request.path).partition(" ")
    claims = {
        "sub": "bench",
        "username": "bench",
        "token_use": "access",
        "iat": "1535543000",
        "cognito:groups": f"[{' '.join(GROUPS)}]",
    }
    return {
        "version": "2.0",
        "routeKey": request.route,
        "rawPath": path,
        "rawQueryString": urlencode(request.query),
        "headers": {"content-type": "application/json"},
        "pathParameters": request.path,
        "queryStringParameters": request.query,
        "requestContext": {
            "authorizer": {"jwt": {"claims": claims, "scopes": None}},
            "http": {"method": method, "path": path},
            "requestId": "benchmark",
            "stage": "$default",
        },
        "body": None if request.body is None else json.dumps(request.body),
        "isBase64Encoded": False,
    }


@cache
def _handler(function: str) -> Any:
    return importlib.import_module(module_of(function)).handler
