"""Addresses that people subscribe to: those of reads of the API, such as /devices/hall~2F3?limit=10."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from urllib.parse import unquote

from edgewise import InvalidInputError
from functions.system import Live, Route
from functions.web import queries, spelling

LONGEST_ADDRESS = 1000


class Address(NamedTuple):
    """An address in its parts: what it reads, its path and its query string as sent."""

    route: Route
    live: Live
    path: str
    query: str


def parsed(routes: Iterable[Route], text: str) -> Address:
    """The parts of an address; raises InvalidInputError for one of no read that can be subscribed to."""
    path, _, query = text.partition("?")
    for route in routes:
        if route.live and _segments(route.path, path) is not None:
            return Address(route, route.live, path, query)
    raise InvalidInputError.of("address", "is none that can be subscribed to")


def _segments(template: str, path: str) -> Mapping[str, str] | None:
    """The segments of a path for the parameters of a template; None if the path does not have its form."""
    names, given = template.split("/"), path.split("/")
    if len(names) != len(given):
        return None
    found = {}
    for name, segment in zip(names, given, strict=True):
        if name.startswith("{") and segment:
            found[name[1:-1]] = segment
        elif name != segment:
            return None
    return found


def topic(address: Address) -> str:
    """The topic whose changes matter to an address that a GET would answer; raises InvalidInputError if it has none."""
    live, query = address.live, address.query
    segments = _segments(address.route.path, address.path) or {}
    if live.shown and query:
        raise InvalidInputError.of("address", "takes no parameters: every new item is sent")
    try:
        parameters: dict[str, str | tuple[str, ...]] = {
            name: spelling.read(unquote(segment, errors="strict")) for name, segment in segments.items()
        }
        for name, (text, *_) in queries.sent(query).items():
            separator = live.lists.get(name)
            parameters[name] = tuple(map(spelling.read, text.split(separator))) if separator else text
        return live.topic(**parameters)
    except ValueError as error:
        raise InvalidInputError.of("address", str(error)) from error
