"""The OpenAPI document: the descriptions of the routes, and what all routes have in common."""

import json
import re
import tomllib
from collections.abc import Container, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from functions.catalog import module_of
from functions.routes import PUBLIC, REQUIRED_GROUP, ROUTES, SHOWING
from functions.web import freshness, problems

TITLE = "Edgewise"
# The application's version stands in pyproject.toml alone.
VERSION: str = tomllib.loads(Path(__file__).parents[1].joinpath("pyproject.toml").read_text())["project"]["version"]
ABOUT = "Ids in paths, and names in lists, are escaped as docs/api.md says. Numbers are exact: read them as decimals."
# Relative to the URL from which the document is fetched.
SERVERS = [{"url": ".", "description": "the server that sent this document"}]
_REFERENCE = re.compile('"#/components/schemas/([^"]+)"')
_GATEWAY = {"application/json": {"schema": {"$ref": "#/components/schemas/GatewayMessage"}}}
_GATEWAY_MESSAGE = {
    "description": "A response of the gateway itself, which called no function.",
    "type": "object",
    "properties": {"message": {"type": "string"}},
    "required": ["message"],
}
_FUNCTION = {problems.CONTENT_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_RETRY_AFTER = {"Retry-After": {"description": "seconds until a retry", "schema": {"type": "integer"}}}

_INSTANT = {"type": "string", "format": "date-time"}
_AFTER = {
    "name": freshness.AFTER,
    "in": "query",
    "required": False,
    "description": f"wait some seconds for what was written until then, such as the {freshness.WRITTEN} of an answer",
    "schema": _INSTANT,
}
_WRITTEN = {freshness.WRITTEN: {"description": f"what to read this with, as `{freshness.AFTER}`", "schema": _INSTANT}}

# The possible failures by name. Functions respond with problem details, the gateway with a message.
FAILURES: dict[str, tuple[str, dict[str, Any]]] = {
    "BadRequest": ("400", {"description": "the request is invalid; `errors` names each field", "content": _FUNCTION}),
    "Unauthorized": ("401", {"description": "the request has no valid access token", "content": _FUNCTION | _GATEWAY}),
    "Forbidden": ("403", {"description": "the caller may not do this", "content": _FUNCTION}),
    "NotFound": ("404", {"description": "the resource or the path does not exist", "content": _FUNCTION | _GATEWAY}),
    "NoSuchPath": ("404", {"description": "the path does not exist", "content": _GATEWAY}),
    "Conflict": ("409", {"description": "the request conflicts with the stored data", "content": _FUNCTION}),
    "Gone": ("410", {"description": "somebody else has withdrawn the thing", "content": _FUNCTION}),
    "PreconditionFailed": ("412", {"description": "the request's condition does not hold", "content": _FUNCTION}),
    "TooLarge": (
        "413",
        {
            "description": "the body is larger than the gateway accepts, or would take more units than a request may",
            "content": _FUNCTION | _GATEWAY,
        },
    ),
    "UnsupportedMediaType": ("415", {"description": "the body is not declared as JSON", "content": _FUNCTION}),
    "TooManyRequests": (
        "429",
        {
            "description": "the gateway accepts no more requests now, or the caller has used what its rate allows",
            "headers": _RETRY_AFTER,
            "content": _FUNCTION | _GATEWAY,
        },
    ),
    "NotOurs": ("500", {"description": "the stored item was not written by this application", "content": _FUNCTION}),
    "Busy": (
        "503",
        {
            "description": "the table is busy, or no function answered in time: retry the request later",
            "headers": _RETRY_AFTER,
            "content": _FUNCTION | _GATEWAY,
        },
    ),
}


def openapi() -> str:
    """One document for all functions; every route except the public ones requires a token."""
    documents = [_document(name) for name in ROUTES]
    schemas = {name: schema for document in documents for name, schema in document["components"]["schemas"].items()}
    paths: dict[str, dict[str, Any]] = {}
    for path, item in (pair for document in documents for pair in document["paths"].items()):
        said = {method: _operation(path, method, each, schemas) for method, each in item.items()}
        paths.setdefault(path, {}).update(said)
    schemas["GatewayMessage"] = _GATEWAY_MESSAGE
    responses = {name: response for name, (_, response) in FAILURES.items()}
    merged = {
        "openapi": documents[0]["openapi"],
        "info": {"title": TITLE, "version": VERSION, "description": ABOUT},
        "servers": SERVERS,
        "paths": paths,
        "components": {
            "responses": responses,
            "schemas": _used(schemas, [paths, responses]),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"}},
        },
    }
    return json.dumps(merged, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _document(function: str) -> Mapping[str, Any]:
    app = import_module(module_of(function)).app
    document: dict[str, Any] = json.loads(app.get_openapi_json_schema(title=TITLE, version=VERSION))
    return document


def _operation(path: str, method: str, said: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    route = f"{method.upper()} {path}"
    operation = {
        **said,
        # Powertools joins the function's name, the path and the method; the function's name alone is unique.
        "operationId": said["operationId"].removesuffix(f"{re.sub(r'[^a-zA-Z0-9_]', '_', path)}_{method}"),
        "security": [] if route in PUBLIC else [{"token": []}],
        "responses": _responses(route, said),
    }
    parameters = [_never_null(parameter) for parameter in said.get("parameters", ())]
    if parameters or route in SHOWING:
        operation["parameters"] = [*parameters, *([_AFTER] if route in SHOWING else ())]
    if "requestBody" in said:
        (name,) = _REFERENCE.findall(json.dumps(said["requestBody"]))
        # A missing body counts as {}, so a body is required only if one of its fields is.
        operation["requestBody"] = said["requestBody"] | {"required": bool(schemas[name].get("required"))}
    return operation


def _responses(route: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """The route's own successes, and references to every failure that the route or the gateway may respond with."""
    own: Mapping[str, Any] = said["responses"]
    failures = {FAILURES[name][0]: {"$ref": _ref("responses", name)} for name in _failures(route, own, said)}
    headers = {} if route.startswith("GET ") else _WRITTEN
    return {
        status: _without_void(response | {"headers": headers | response.get("headers", {})})
        for status, response in own.items()
        if status < "400"
    } | failures


def _failures(route: str, own: Container[str], said: Container[str]) -> Iterator[str]:
    yield from ("BadRequest", "TooManyRequests")
    yield "NotFound" if "404" in own else "NoSuchPath"
    if route not in PUBLIC:
        yield from ("Unauthorized", "NotOurs", "Busy")
    if route in REQUIRED_GROUP or "403" in own:
        yield "Forbidden"
    if "409" in own:
        yield "Conflict"
    if "410" in own:
        yield "Gone"
    if "412" in own:
        yield "PreconditionFailed"
    if "requestBody" in said:
        yield from ("TooLarge", "UnsupportedMediaType")


def _without_void(response: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in response.items() if value}


def _never_null(parameter: Mapping[str, Any]) -> dict[str, Any]:
    """An optional parameter without null, which Powertools allows but no URL can express."""
    schema: Mapping[str, Any] = parameter["schema"]
    ways = [way for way in schema.get("anyOf", ()) if way != {"type": "null"}]
    others = {name: value for name, value in schema.items() if name != "anyOf"}
    inner = ways[0] if len(ways) == 1 else {"anyOf": ways}
    return {**parameter, "schema": others | inner if ways else schema}


def _used(schemas: Mapping[str, Any], users: Any) -> Mapping[str, Any]:
    """The schemas that `users` refer to, directly or through other schemas; raises KeyError if one is missing."""
    found: dict[str, Any] = {}
    left = set(_REFERENCE.findall(json.dumps(users)))
    while left:
        name = left.pop()
        found[name] = schemas[name]
        left |= set(_REFERENCE.findall(json.dumps(schemas[name]))) - found.keys()
    return found


def _ref(kind: str, name: str) -> str:
    return f"#/components/{kind}/{name}"
