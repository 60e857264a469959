"""No parameter in a query is overlooked, on any route."""

import re
from importlib import import_module
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewise.dynamodb.table import Table
from functions.catalog import module_of
from functions.routes import ROUTES
from functions.system import GROUPS
from tests.support.http import Answer, Client, send

pytestmark = pytest.mark.usefixtures("handlers")

ALL_ROUTES = [route for routes in ROUTES.values() for route in routes]
EVERYBODY = Client(groups=GROUPS)


def declared(route: str) -> list[str]:
    """The query parameters that a route's description names."""
    (function,) = (name for name, routes in ROUTES.items() if route in routes)
    method, _, path = route.partition(" ")
    schema = import_module(module_of(function)).app.get_openapi_schema()
    operation: Any = getattr(schema.paths[path], method.lower())
    return [each.name for each in operation.parameters or () if each.in_.value == "query"]


def ask(route: str, query: str) -> Answer:
    ids: dict[str, Any] = dict.fromkeys(re.findall(r"{(\w+)}", route), "1")
    return send(EVERYBODY.event(route, body={}, **ids) | {"rawQueryString": query})


@pytest.mark.parametrize("route", ALL_ROUTES)
def test_an_unknown_parameter_is_refused_by_name(route: str, table: Table) -> None:
    for query in ("befor=1", "befor", "befor=", "befor=1&befor=2", "%62efor=1"):
        answer = ask(route, query)
        assert (answer.status, answer.fields, answer.cost) == (400, ["befor"], (0, 0, 0)), query
        assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("route", ALL_ROUTES)
def test_a_parameter_that_is_repeated_or_no_text_is_refused_by_name(route: str, table: Table) -> None:
    for name in declared(route):
        repeated = [f"{name}=1&{name}=2", f"{name}=1&{name}=1", f"{name}&{name}=1"]
        no_text = [f"{name}={value}" for value in ("%FF", "%FE", "%C3", "50%", "%4")]
        for query in repeated + no_text:
            answer = ask(route, query)
            assert (answer.status, answer.fields) == (400, [name]), query


ODD = st.text(max_size=20) | st.text(st.sampled_from("ab=&%1+;#"), max_size=20)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(
    route=st.sampled_from(ALL_ROUTES), query=st.text(max_size=20) | st.text(st.sampled_from("ab=&%1+;#"), max_size=20)
)
def test_no_query_string_is_too_odd(route: str, query: str, table: Table) -> None:
    assert ask(route, query).status < 500
