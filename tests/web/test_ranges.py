"""One form of ranges: every route that has one takes from and to, half-open, and names `to` if nothing lies between."""

import re
from datetime import UTC, datetime
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.errors import InvalidInputError
from edgewise.times import from_millis, millis
from functions.catalog import module_of
from functions.routes import ROUTES
from functions.web.ranges import bounds
from tests.support.http import Client

INSTANTS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 31), timezones=st.just(UTC))
# What else each route with a range needs to know, and a range of it in which nothing can lie.
RANGES: dict[str, tuple[dict[str, str], dict[str, str], tuple[str, str]]] = {
    "GET /devices/{device}/events": ({"device": "d"}, {}, ("2", "2")),
    "GET /devices/{device}/rollups": ({"device": "d"}, {"metric": "temp", "grain": "day"}, ("2", "1")),
    "GET /rooms/{room}/messages": ({"room": "r"}, {}, ("2", "2")),
    "GET /users/{user}/messages": ({"user": "u"}, {}, ("2", "2")),
    "GET /customers/{customer}/orders": ({"customer": "c"}, {}, ("2", "2")),
    "GET /orders/open": ({}, {}, ("2.0001", "2.0009")),
    "GET /graph/nodes/{type}/{id}/edges": (
        {"type": "person", "id": "amy"},
        {"label": "BOUGHT"},
        ("2018-09", "2018-08-31"),
    ),
    "GET /graph/nodes/{type}/{id}/days": (
        {"type": "person", "id": "amy"},
        {"label": "BOUGHT"},
        ("2018-09-01", "2018-09-01"),
    ),
    "GET /graph/search": ({}, {"name": "skill"}, ("b", "b")),
    "GET /search": ({}, {"q": "x"}, ("2", "2")),
}
OLD = {"after", "before", "since", "until", "start", "end"}


def parameters(route: str, function: str) -> set[str]:
    """The parameters of a route's query."""
    path = re.sub(r"{(\w+)}", r"<\1>", route.partition(" ")[2])
    app = import_module(module_of(function)).app
    served = [*app._static_routes, *app._dynamic_routes]
    (found,) = (each for each in served if f"{each.method} {each.path}" == f"{route.partition(' ')[0]} {path}")
    return {known.alias for known in found.dependant.query_params}


def test_every_route_with_a_range_is_here_and_none_calls_it_otherwise() -> None:
    told = {route: parameters(route, name) for name, routes in ROUTES.items() for route in routes}
    assert {route for route, names in told.items() if names & {"from", "to"}} == RANGES.keys()
    assert {route for route, names in told.items() if names & OLD} == set()


@pytest.mark.parametrize("route", RANGES)
def test_what_ends_before_it_begins_is_refused(route: str, handlers: None) -> None:
    ids, query, (start, end) = RANGES[route]
    answer = Client().call(route, query | {"from": start, "to": end}, **ids)
    assert (answer.status, answer.body["errors"]) == (400, [{"field": "to", "error": "must be later than from"}])


@given(at=INSTANTS, start=INSTANTS | st.none(), end=INSTANTS | st.none())
def test_a_range_holds_what_a_plain_filter_of_stored_instants_lets_through(
    at: datetime, start: datetime | None, end: datetime | None
) -> None:
    """What is stored is cut to milliseconds, and so are the bounds: what was sent at `from` is found there."""
    stored = from_millis(millis(at))
    cut_start, cut_end = (None if each is None else from_millis(millis(each)) for each in (start, end))
    if cut_start and cut_end and cut_start >= cut_end:
        with pytest.raises(InvalidInputError):
            bounds(start, end)
        return
    low, high = bounds(start, end)
    inside = (low is None or low <= millis(at)) and (high is None or millis(at) < high)
    assert inside == ((cut_start is None or cut_start <= stored) and (cut_end is None or stored < cut_end))
