"""The aggregates as the API returns them, in the shape of the recount. A missing resource has no facts."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import product
from typing import Any

from functions.web.spelling import spell
from ops.api import Api, ApiError
from ops.recounting.facts import Facts, Name
from ops.recounting.recount import DAYS, HOURS, rounded_mean
from ops.recounting.samples import MEASURED
from ops.threads import threads

NOT_FOUND = 404
_GRAINS = {HOURS: "hour", DAYS: "day"}
_SUMMARY = ("count", "sum", "mean", "min", "max", "first", "last")


def read_back(api: Api, expected: Facts, done: Callable[[int], None]) -> Facts:
    """Read every aggregate; `expected` says which rooms, users, devices and root places to ask for.

    The API's lists lead to the aggregates below (edges, lower places, rollups); their first pages have the summaries.
    Calls `done` after each of the `reads(...)`; raises ApiError.
    """
    found: Facts = {}
    with threads() as pool:
        for facts in pool.map(lambda read: read(), reads(api, expected)):
            found |= facts
            done(1)
    return found


def reads(api: Api, expected: Facts) -> list[Callable[[], Facts]]:
    """Everything to read, as independent functions."""
    calls: list[Callable[[], Facts]] = []
    for kind, about in expected:
        if kind in _READERS:
            calls.append(partial(_READERS[kind], api, *about))
        if kind == "DEVICE":
            grains = product(_GRAINS, MEASURED)
            calls += (partial(rollups, api, grain, str(*about), metric) for grain, metric in grains)
        if kind == "PLACE" and len(path := about[0]) == 1:
            calls.append(partial(place, api, tuple(path)))
    return calls


def room(api: Api, of: str) -> Facts:
    """The numbers of a room."""
    found = get(api, "rooms", of)
    return {Name("ROOM", (of,)): fields(found, "messages", "users")} if found else {}


def user(api: Api, of: str) -> Facts:
    """The numbers of a user, and of the user in each room."""
    facts: Facts = {}
    for page in pages(api, "users", of, "rooms"):
        if page["summary"]:
            facts[Name("USER", (of,))] = fields(page["summary"], "messages", "rooms")
        for edge in page["rooms"]:
            facts[Name("POSTED_IN", (of, edge["room"]))] = fields(edge, "messages", "first", "last")
    return facts


def device(api: Api, of: str) -> Facts:
    """The numbers of a device, and of the device at each place."""
    facts: Facts = {}
    for page in pages(api, "devices", of):
        if page["summary"]:
            facts[Name("DEVICE", (of,))] = fields(page["summary"], "events", "places", "first", "last")
        for edge in page["places"]:
            facts[Name("REPORTED_FROM", (of, tuple(edge["place"])))] = fields(edge, "events", "first", "last")
    return facts


def place(api: Api, path: tuple[str, ...]) -> Facts:
    """The numbers of a place, the devices below it, and the same of all listed places below it."""
    facts: Facts = {}
    for page in pages(api, "places", path="/".join(map(spell, path))):
        if page["summary"]:
            facts[Name("PLACE", (path,))] = fields(page["summary"], "events", "devices")
        facts |= {Name("HOSTS", (path, of)): {"there": True} for of in page["devices"]}
        for child in page["places"]:
            facts |= place(api, (*path, child["name"]))
    return facts


def rollups(api: Api, kind: str, of: str, metric: str) -> Facts:
    """The summaries of a device's metric by hour, or by day."""
    return {
        Name(kind, (of, metric, rollup["start"])): fields(rollup, *_SUMMARY) | {"mean": rounded_mean(rollup["mean"])}
        for page in pages(api, "devices", of, "rollups", metric=metric, grain=_GRAINS[kind])
        for rollup in page["rollups"]
    }


def node(api: Api, of: tuple[str, str]) -> Facts:
    """How a node of the graph is, and the numbers of its edges and neighbours."""
    found = api.get("graph", "nodes", *of)
    facts: Facts = {Name("STATE", (of,)): {"nodes": 1, **found["measures"], "state": found["state"]}}
    numbers = api.get("graph", "nodes", *of, "aggregates")
    for each in numbers["aggregates"]:
        facts[Name("DEGREE", (of, each["direction"], each["label"]))] = fields(each, "edges", "weight")
    for each in numbers["adjacent"]:
        facts[Name("ADJACENT", (of, each["direction"], each["label"]))] = {
            "neighbours": sum(each["states"].values()),
            "states": each["states"],
            "sums": {name: measure["sum"] for name, measure in each["measures"].items()},
        }
    return facts


_READERS: Mapping[str, Callable[..., Facts]] = {"ROOM": room, "USER": user, "DEVICE": device, "STATE": node}


def pages(api: Api, *path: str, **parameters: str | int) -> Iterator[dict[str, Any]]:
    """The pages of a list; none if the owner of the list does not exist. Raises ApiError."""
    try:
        yield from api.pages(*path, **parameters)
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise


def get(api: Api, *path: str, **parameters: str | int) -> dict[str, Any] | None:
    """One response; None if the resource does not exist. Raises ApiError."""
    try:
        return api.get(*path, **parameters)
    except ApiError as error:
        if error.status != NOT_FOUND:
            raise
        return None


def fields(answer: Mapping[str, Any], *names: str) -> dict[str, Any]:
    """Some fields of a response."""
    return {name: answer[name] for name in names}
