"""Addresses that can be subscribed to: each names a topic; what the API would refuse is refused."""

from itertools import permutations
from urllib.parse import quote

import pytest

from functions.catalog import TOPICS
from functions.dynamodb.keys import Partitions
from functions.errors import InvalidInputError
from functions.push.addresses import LONGEST_ADDRESS, Address, parsed
from functions.web.spelling import spell

ODD = ("hall/3", "a~b", "100%", "é😀", "..", "a b", "?x", "#1")


def pk(name: str, *parts: str) -> str:
    return Partitions(name)(*parts)


def topic(text: str) -> str:
    return parsed(TOPICS, text).topic


# Each read that can be subscribed to, and the partition whose changes matter.
KNOWN = {
    "/rooms/harbour": pk("ROOM", "harbour"),
    "/rooms/harbour/messages": pk("CHAT", "harbour"),
    "/devices/123": pk("DEVICE", "123"),
    "/devices/123/rollups?period=hour": pk("DEVICE", "123"),
    "/graph/nodes/person/amy/aggregates": pk("NODE", "person", "amy"),
    "/graph/rankings/KNOWS": pk("RANK", "KNOWS", "in"),
    "/graph/rankings/KNOWS?direction=out": pk("RANK", "KNOWS", "out"),
    "/places?path=US/New%20York": pk("PLACE", "US", "New York"),
}


@pytest.mark.parametrize(("text", "expected"), KNOWN.items())
def test_an_address_names_its_topic(text: str, expected: str) -> None:
    assert topic(text) == expected


def test_every_read_that_can_be_subscribed_to_is_tried_here() -> None:
    assert {parsed(TOPICS, text).route for text in KNOWN} == {live.route for live in TOPICS.live}


@pytest.mark.parametrize("name", ODD)
def test_any_text_is_an_id(name: str) -> None:
    spelled = quote(spell(name), safe="")
    assert topic(f"/devices/{spelled}") == pk("DEVICE", name)
    assert topic(f"/graph/nodes/{spelled}/{spelled}/aggregates") == pk("NODE", name, name)
    assert topic(f"/places?path=US/{quote(spell(name, also='/'), safe='')}") == pk("PLACE", "US", name)


def test_an_address_is_kept_as_it_was_sent() -> None:
    assert (
        parsed(TOPICS, "/devices/hall~2F3?limit=10")[1:]
        == Address(TOPICS.live[0].route, "/devices/hall~2F3", "limit=10", pk("DEVICE", "hall/3"))[1:]
    )


def test_the_order_of_parameters_does_not_matter() -> None:
    parameters = ("direction=out", "measure=count", "limit=3")
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
        "/devices/123/events",
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
        f"/devices/{'x' * LONGEST_ADDRESS}",
    ],
)
def test_others_are_refused(text: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        parsed(TOPICS, text)
    assert [each.field for each in refused.value.errors] == ["address"]
