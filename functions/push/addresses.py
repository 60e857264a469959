"""Addresses that people subscribe to: those of reads of the API, such as /devices/hall~2F3?limit=10."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import unquote

from functions.errors import InvalidInputError
from functions.push.topics import Topics
from functions.system import Live, Route
from functions.web import queries, spelling

LONGEST_ADDRESS = 1000


class Address(NamedTuple):
    """An address in its parts: its route, its path and its query string as sent, and the topic whose changes matter."""

    route: Route
    path: str
    query: str
    topic: str


def parsed(topics: Topics, text: str) -> Address:
    """The parts of an address; raises InvalidInputError for one that can't be subscribed to."""
    path, _, query = text.partition("?")
    if len(text) > LONGEST_ADDRESS:
        raise InvalidInputError.of("address", f"must have at most {LONGEST_ADDRESS} characters")
    for live in topics.live:
        segments = _segments(live.route.path, path)
        if segments is not None:
            return Address(live.route, path, query, _topic(live, segments, query))
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


def _topic(live: Live, segments: Mapping[str, str], query: str) -> str:
    if live.shown and query:
        raise InvalidInputError.of("address", "takes no parameters: every new item is sent")
    try:
        parameters: dict[str, str | tuple[str, ...]] = {
            name: spelling.read(unquote(segment, errors="strict")) for name, segment in segments.items()
        }
        for name, (text, *_) in queries.sent(query).items():
            if name in segments:
                raise ValueError(f"{name} is not a parameter of this route")
            separator = live.lists.get(name)
            parameters[name] = tuple(map(spelling.read, text.split(separator))) if separator else text
        return live.topic(**parameters)
    except (TypeError, ValueError) as error:
        raise InvalidInputError.of("address", str(error)) from error
