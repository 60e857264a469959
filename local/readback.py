"""The aggregates as the API returns them, in the shape of the recount."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from functions.web.spelling import spell
from local.api import Api
from local.recount import Facts, Fields, Key
from local.samples import MEASURED
from local.threads import threads

Fact = tuple[str, Key, Fields]
Read = Callable[[], Iterable[Fact]]


def read_back(api: Api, expected: dict[str, Facts], done: Callable[[int], None]) -> dict[str, Facts]:
    """Read every aggregate; `expected` says which rooms, users, devices and root places to ask for.

    The API's lists lead to the aggregates below (edges, lower places, rollups); their first pages have the summaries.
    Calls `done` after each of the `reads(...)`; raises ApiError.
    """
    found: dict[str, Facts] = defaultdict(dict)
    with threads() as pool:
        for facts in pool.map(lambda read: list(read()), reads(api, expected)):
            for kind, key, fields in facts:
                found[kind][key] = fields
            done(1)
    return found


def reads(api: Api, expected: dict[str, Facts]) -> list[Read]:
    """Everything to read, as independent functions."""
    roots = {key[:1] for key in expected["places"]}
    return [
        *(partial(_room, api, *key) for key in expected["rooms"]),
        *(partial(_user, api, *key) for key in expected["users"]),
        *(partial(_device, api, *key) for key in expected["devices"]),
        *(partial(_place, api, root) for root in roots),
        *(
            partial(_rollups, api, key[0], metric, grain)
            for key in expected["devices"]
            for metric in MEASURED
            for grain in ("hour", "day")
        ),
    ]


def _room(api: Api, room: str) -> Iterator[Fact]:
    yield "rooms", (room,), _fields(api.get("rooms", room), "messages", "users")


def _user(api: Api, user: str) -> Iterator[Fact]:
    for page in api.pages("users", user, "rooms"):
        if page["summary"]:
            yield "users", (user,), _fields(page["summary"], "messages", "rooms")
        for edge in page["rooms"]:
            yield "users in rooms", (user, edge["room"]), _fields(edge, "messages", "first", "last")


def _device(api: Api, device: str) -> Iterator[Fact]:
    for page in api.pages("devices", device):
        if page["summary"]:
            yield "devices", (device,), _fields(page["summary"], "events", "places", "first", "last")
        for edge in page["places"]:
            yield "devices at places", (device, *edge["place"]), _fields(edge, "events", "first", "last")


def _place(api: Api, path: Key) -> Iterator[Fact]:
    for page in api.pages("places", path="/".join(map(spell, path))):
        if page["summary"]:
            yield "places", path, _fields(page["summary"], "events", "devices")
        for child in page["places"]:
            yield from _place(api, (*path, child["name"]))


def _rollups(api: Api, device: str, metric: str, grain: str) -> Iterator[Fact]:
    kind = {"hour": "hourly rollups", "day": "daily rollups"}[grain]
    for page in api.pages("devices", device, "rollups", metric=metric, grain=grain):
        for rollup in page["rollups"]:
            fields = _fields(rollup, "count", "sum", "mean", "min", "max", "first", "last")
            # The only number that a decimal can't represent exactly: compared to twelve significant digits.
            fields["mean"] = float(f"{fields['mean']:.12g}")
            yield kind, (device, metric, rollup["start"]), fields


def _fields(answer: dict[str, Any], *names: str) -> Fields:
    return {name: answer[name] for name in names}
