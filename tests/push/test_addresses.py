"""Addresses that can be subscribed to: each names a topic; what the API would refuse is refused."""

import re
from contextlib import suppress
from itertools import permutations
from typing import Any
from urllib.parse import quote

import pytest

from edgewise.dynamodb.keys import Partitions
from edgewise.errors import InvalidInputError
from functions.handlers import live_routes
from functions.handlers.live_routes import parsed
from functions.push import addresses
from functions.systems.telemetry.routes import app as telemetry
from functions.web.spelling import spell
from tests.support.http import Client, Context, send

ODD = ("hall/3", "a~b", "100%", "é😀", "..", "a b", "?x", "#1")


def pk(name: str, *parts: str) -> str:
    return Partitions(name)(*parts)


def topic(text: str) -> str:
    """As the socket's function finds it."""
    address = parsed(text)
    context: Any = Context()
    live_routes.check(address, context)
    return addresses.topic(address)


# Each read that can be subscribed to, and the partition whose changes matter.
KNOWN = {
    "/alerts": "ALERTS",
    "/rooms/harbour": pk("ROOM", "harbour"),
    "/rooms/harbour/messages": pk("CHAT", "harbour"),
    "/devices/123": pk("DEVICE", "123"),
    "/devices/123/rollups?metric=temp&grain=hour": pk("DEVICE", "123"),
    "/devices/123/events?order=desc&limit=50": pk("DEVICE", "123"),
    "/graph/nodes/person/amy/aggregates": pk("NODE", "person", "amy"),
    "/graph/rankings/KNOWS": pk("RANK", "KNOWS", "in"),
    "/graph/rankings/KNOWS?direction=out": pk("RANK", "KNOWS", "out"),
    "/places?path=US/New%20York": pk("PLACE", "US", "New York"),
}


@pytest.mark.parametrize(("text", "expected"), KNOWN.items())
def test_an_address_names_its_topic(text: str, expected: str) -> None:
    assert topic(text) == expected


def test_every_read_that_can_be_subscribed_to_is_tried_here() -> None:
    assert {parsed(text).route for text in KNOWN} == live_routes.APPS.keys()


@pytest.mark.parametrize("name", ODD)
def test_any_text_is_an_id(name: str) -> None:
    spelled = quote(spell(name), safe="")
    assert topic(f"/devices/{spelled}") == pk("DEVICE", name)
    assert topic(f"/graph/nodes/{spelled}/{spelled}/aggregates") == pk("NODE", name, name)
    assert topic(f"/places?path=US/{quote(spell(name, also='/'), safe='')}") == pk("PLACE", "US", name)


def test_an_address_is_kept_as_it_was_sent() -> None:
    found = parsed("/devices/hall~2F3?limit=10")
    assert (found.route.name, *found[2:]) == ("GET /devices/{device}", "/devices/hall~2F3", "limit=10")


def test_the_order_of_parameters_does_not_matter() -> None:
    parameters = ("direction=out", "measure=count", "top=3")
    found = {topic(f"/graph/rankings/KNOWS?{'&'.join(each)}") for each in permutations(parameters)}
    assert found == {pk("RANK", "KNOWS", "out")}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "/",
        "devices/123",
        "/devices",
        "/devices/",
        "/devices/123/",
        "//devices/123",
        "/users/amy/messages",
        "/documents/d",
        "/checks",
        "https://elsewhere.example.com/devices/123",
        "/devices/%FF",
        "/devices/~41",
        "/devices/~FF",
        "/devices/a%2Fb",
        "/rooms/harbour/messages?room=other",
        "/graph/rankings/KNOWS?measure=pagerank",
        "/graph/rankings/KNOWS?label=OTHER",
        "/places",
        "/devices/123?limit=-5",
        "/devices/123?limit=many",
        "/devices/123?unknown=1",
        "/devices/123?limit=5&limit=6",
        "/devices/123?limit=%FF",
        "/devices/123?cursor=x",
        "/devices/123?after=2999-01-01T00:00:00Z",
        "/devices/123/rollups",
        "/devices/123/rollups?metric=temp&grain=year",
        "/devices/123/rollups?metric=temp&grain=day&from=2020-01-02T00:00:00Z&to=2020-01-01T00:00:00Z",
        "/devices/123/rollups?metric=temp&grain=day&from=2020-01-01T09:00:00Z",
        "/graph/rankings/KNOWS?measure=nothing",
        "/graph/rankings/KNOWS?direction=up",
        "/graph/nodes/person/amy/aggregates?limit=0",
        "/places?path=",
        "/places?path=US//x",
        "/places?path=US&path=FR",
        f"/devices/{'x' * 201}",
    ],
)
def test_others_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        topic(text)
    assert [each.field for each in refused.value.errors] == ["address"]
    assert "lambda" not in str(refused.value)
    assert "argument" not in str(refused.value)


@pytest.mark.parametrize("query", ["limit=-5", "unknown=1", "limit=5&limit=6"])
@pytest.mark.usefixtures("handlers")
def test_what_is_wrong_with_an_address_is_what_a_get_says(query: str) -> None:
    event = Client().event("GET /devices/{device}", device="123") | {"rawQueryString": query}
    said = send(event).body["detail"]
    with pytest.raises(InvalidInputError, match=f"address: {re.escape(said)}"):
        topic(f"/devices/123?{query}")


def test_a_check_does_not_last() -> None:
    """Neither a refusal nor a success changes what the same route answers next."""
    for text in ("/devices/a%2Fb", "/devices/123?limit=-5", "/devices/123"):
        with suppress(InvalidInputError):
            topic(text)
        assert not telemetry.context
