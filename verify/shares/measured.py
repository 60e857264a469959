"""The aggregates of readings by device, place, hour and day: the expected ones, and those that the API returns."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Literal

from functions.web.spelling import spell
from local.api import Api
from verify.corner import Corner
from verify.facts import Check, Facts, Name
from verify.reading import fields, pages, rounded
from verify.shares.readings import METRICS, Path, Reading, instant, root


def checks(corner: Corner, readings: Sequence[Reading]) -> Iterator[Check]:
    """The checks by device, metric and place, as the API lists them."""
    by_device = _grouped(readings, lambda reading: [reading.device])
    for device, group in by_device.items():
        yield Check(_device(device, group), partial(_read_device, device=device))
        for metric in METRICS:
            yield Check(_rollups("hour", device, metric, group), partial(_read_hours, device=device, metric=metric))
            yield Check(_rollups("day", device, metric, group), partial(_read_days, device=device, metric=metric))
    by_place = _grouped(readings, lambda reading: [reading.place[: end + 1] for end in range(len(reading.place))])
    # A place that lost all its readings by corrections must not be listed; only the run's root place certainly exists.
    yield Check(_places(by_place), partial(_read_places, path=(root(corner),)))


def _device(device: str, readings: Sequence[Reading]) -> Facts:
    at_places = _grouped(readings, lambda reading: [reading.place] if reading.place else [])
    facts: Facts = {
        Name("REPORTED_FROM", (device, place)): {"events": len(group)} | _span(group)
        for place, group in at_places.items()
    }
    facts[Name("DEVICE", (device,))] = {"events": len(readings), "places": len(at_places)} | _span(readings)
    return facts


def _places(by_place: dict[Path, list[Reading]]) -> Facts:
    facts: Facts = {}
    for place, group in by_place.items():
        devices = {reading.device for reading in group}
        facts[Name("PLACE", (place,))] = {"events": len(group), "devices": len(devices)}
        facts |= {Name("HOSTS", (place, device)): {"there": True} for device in devices}
    return facts


def _rollups(grain: Literal["hour", "day"], device: str, metric: str, readings: Sequence[Reading]) -> Facts:
    digits = {"hour": "%Y-%m-%dT%H:00:00.000Z", "day": "%Y-%m-%dT00:00:00.000Z"}[grain]
    measured = [reading for reading in readings if metric in reading.metrics]
    buckets = _grouped(measured, lambda reading: [reading.at.strftime(digits)])
    return {
        Name(f"ROLLUP_{grain.upper()}", (device, metric, start)): _summary(metric, group)
        for start, group in buckets.items()
    }


def _summary(metric: str, readings: Sequence[Reading]) -> dict[str, object]:
    values = [reading.metrics[metric] for reading in sorted(readings, key=lambda reading: reading.at)]
    total = sum(values, Decimal(0))
    return {
        "count": len(values),
        "sum": total,
        "mean": rounded(total / len(values)),
        "min": min(values),
        "max": max(values),
        "first": values[0],
        "last": values[-1],
    }


def _span(readings: Sequence[Reading]) -> dict[str, object]:
    instants = [reading.at for reading in readings]
    return {"first": instant(min(instants)), "last": instant(max(instants))}


def _grouped(readings: Iterable[Reading], keys: Callable[[Reading], Iterable[Any]]) -> dict[Any, list[Reading]]:
    groups: dict[Any, list[Reading]] = defaultdict(list)
    for reading in readings:
        for key in keys(reading):
            groups[key].append(reading)
    return groups


def _read_device(api: Api, device: str) -> Facts:
    facts: Facts = {}
    for page in pages(api, "devices", device):
        if page["summary"]:
            names = ("events", "places", "first", "last")
            facts[Name("DEVICE", (device,))] = fields(page["summary"], names)
        for edge in page["places"]:
            about = Name("REPORTED_FROM", (device, tuple(edge["place"])))
            facts[about] = fields(edge, ("events", "first", "last"))
    return facts


def _read_places(api: Api, path: Path) -> Facts:
    """The facts of a place and of all listed places below it."""
    facts: Facts = {}
    for page in pages(api, "places", path="/".join(map(spell, path))):
        if page["summary"]:
            facts[Name("PLACE", (path,))] = fields(page["summary"], ("events", "devices"))
        facts |= {Name("HOSTS", (path, device)): {"there": True} for device in page["devices"]}
        for child in page["places"]:
            facts |= _read_places(api, (*path, child["name"]))
    return facts


def _read_rollups(api: Api, device: str, metric: str, grain: Literal["hour", "day"]) -> Facts:
    names = ("count", "sum", "mean", "min", "max", "first", "last")
    return {
        Name(f"ROLLUP_{grain.upper()}", (device, metric, rollup["start"])): fields(rollup, names)
        | {"mean": rounded(rollup["mean"])}
        for page in pages(api, "devices", device, "rollups", metric=metric, grain=grain)
        for rollup in page["rollups"]
    }


_read_hours = partial(_read_rollups, grain="hour")
_read_days = partial(_read_rollups, grain="day")
