"""The routes of the functions are the routes that are deployed, and they describe themselves."""

import json
from importlib import import_module
from typing import Any

import pytest

from functions.catalog import module_of
from functions.routes import ROUTES
from functions.systems.telemetry import routes as telemetry


def described(function: str) -> dict[str, Any]:
    document = json.loads(import_module(module_of(function)).app.get_openapi_json_schema())
    return {
        f"{method.upper()} {path}": operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


@pytest.mark.parametrize("function", ROUTES)
def test_a_function_serves_exactly_its_deployed_routes(function: str) -> None:
    assert described(function).keys() == set(ROUTES[function])


@pytest.mark.parametrize("function", ROUTES)
def test_every_route_says_what_it_does_and_what_it_answers(function: str) -> None:
    for route, operation in described(function).items():
        assert operation["summary"], route
        assert any(status.startswith("2") for status in operation["responses"]), route


def test_bodies_describe_their_items() -> None:
    schemas = json.loads(telemetry.app.get_openapi_json_schema())["components"]["schemas"]
    events = schemas["TelemetryIn"]["properties"]["events"]
    assert (events["minItems"], events["maxItems"]) == (1, 500)
    assert set(events["items"]["required"]) == {"device_id", "at"}
    assert events["items"]["anyOf"] == [{"required": ["metrics"]}, {"required": ["attributes"]}]
