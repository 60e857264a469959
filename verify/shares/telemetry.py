"""Telemetry: readings by HTTP and through the queue, sent again, corrected, moved to other places."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import Any, Literal

from functions.web.spelling import spell
from local.api import Api
from verify.corner import Corner
from verify.facts import Check, Facts, Name
from verify.reading import fields, pages, rounded
from verify.share import Left, Request, Share

Path = tuple[str, ...]
START = datetime(2026, 1, 5, tzinfo=UTC)
SPAN = 36 * 3600  # seconds: two days, so that hours, blocks of hours and days all have several readings
BATCH = 50
METRICS = ("temp", "load", "rpm")
BLOCK_HOURS = 4  # a block of hourly rollups: what a recount counts at once


@dataclass(frozen=True)
class Reading:
    """One reading as it is sent."""

    device: str
    at: datetime
    id: str
    place: Path
    metrics: dict[str, Decimal]

    @property
    def body(self) -> dict[str, Any]:
        """As a request has it: floats print the very digits of numbers with so few of them."""
        metrics = {name: float(value) for name, value in self.metrics.items()}
        place = {"place": list(self.place)} if self.place else {}
        return {"device_id": self.device, "at": self.at.isoformat(), "event_id": self.id, "metrics": metrics} | place


def share(corner: Corner, rng: Random, events: int) -> Share:
    """A fifth comes through the queue; a tenth of the rest is corrected, a fifth of the requests is sent twice."""
    sent = list(_readings(corner, rng, events))
    queued, posted = sent[: events // 5], sent[events // 5 :]
    # What came through the queue is not corrected: the queue may deliver it once more at any later time.
    corrected = [_corrected(rng, reading) for reading in rng.sample(posted, len(posted) // 10)]
    final = {reading.id: reading for reading in [*sent, *corrected]}
    first = [_post(batch) for batch in _batches(posted)]
    again = rng.sample(first, max(1, len(first) // 5))
    return Share(
        name="telemetry",
        rounds=[[*first, *again], [_post(batch) for batch in _batches(corrected)], [*map(_post, _batches(corrected))]],
        queued=[{"events": [reading.body for reading in batch]} for batch in _batches(queued)],
        checks=list(_checks(corner, list(final.values()))),
        recounts=_recounts(list(final.values())),
        left=[Left("readings and their aggregates", len(final), f"DEVICE#{corner.name}…, PLACE#{corner.name}…")],
    )


def _readings(corner: Corner, rng: Random, events: int) -> Iterator[Reading]:
    devices = [corner.id("device", number) for number in range(max(3, min(50, events // 300)))]
    places = [(corner.id("site"), f"hall {hall}", f"row {row}") for hall in range(3) for row in range(2)]
    for number, second in enumerate(rng.sample(range(max(SPAN, 4 * events)), events)):
        place = rng.choice([*places, places[0][:2], ()])
        at = START + timedelta(seconds=second)
        yield Reading(rng.choice(devices), at, f"{number}", place, _metrics(rng))


def _metrics(rng: Random) -> dict[str, Decimal]:
    chosen = rng.sample(METRICS, rng.randint(1, len(METRICS)))
    return {name: Decimal(rng.randint(-5000, 5000)) / 10 for name in chosen}


def _corrected(rng: Random, reading: Reading) -> Reading:
    """Other numbers, perhaps of other metrics; every other one was elsewhere, or nowhere."""
    place = rng.choice([reading.place, (*reading.place[:1], "hall 9") if reading.place else (), ()])
    return replace(reading, metrics=_metrics(rng), place=place)


def _post(batch: Sequence[Reading]) -> Request:
    return Request("POST", ("telemetry",), {"events": [reading.body for reading in batch]}, accepted=len(batch))


def _batches(readings: Sequence[Reading]) -> list[Sequence[Reading]]:
    return [readings[start : start + BATCH] for start in range(0, len(readings), BATCH)]


def _recounts(readings: Sequence[Reading]) -> list[Name]:
    """One of each kind, of the device and the place with the first reading that has a place."""
    one = next(reading for reading in readings if reading.place)
    day = one.at.replace(hour=0, minute=0, second=0)
    block = day.replace(hour=one.at.hour // BLOCK_HOURS * BLOCK_HOURS)
    return [
        Name("DEVICE", (one.device,)),
        Name("REPORTED_FROM", (one.device, one.place)),
        Name("PLACE", (one.place[:1],)),
        Name("CONTAINS", (one.place[:1], one.place[1])),
        Name("HOSTS", (one.place[:1], one.device)),
        Name("ROLLUP_HOUR", (one.device, _instant(block))),
        Name("ROLLUP_DAY", (one.device, _instant(day))),
    ]


def _checks(corner: Corner, readings: Sequence[Reading]) -> Iterator[Check]:
    by_device = _grouped(readings, lambda reading: [reading.device])
    for device, group in by_device.items():
        yield Check(_device(device, group), partial(_read_device, device=device))
        for metric in METRICS:
            yield Check(_rollups("hour", device, metric, group), partial(_read_hours, device=device, metric=metric))
            yield Check(_rollups("day", device, metric, group), partial(_read_days, device=device, metric=metric))
    by_place = _grouped(readings, lambda reading: [reading.place[: end + 1] for end in range(len(reading.place))])
    # What lost all its readings by corrections has to be gone; only the run's first place is known to be there.
    root = (corner.id("site"),)
    yield Check(_places(root, by_place), partial(_read_places, path=root))


def _device(device: str, readings: Sequence[Reading]) -> Facts:
    at_places = _grouped(readings, lambda reading: [reading.place] if reading.place else [])
    facts: Facts = {
        Name("REPORTED_FROM", (device, place)): {"events": len(group)} | _span(group)
        for place, group in at_places.items()
    }
    facts[Name("DEVICE", (device,))] = {"events": len(readings), "places": len(at_places)} | _span(readings)
    return facts


def _places(root: Path, by_place: dict[Path, list[Reading]]) -> Facts:
    facts: Facts = {}
    for place, group in by_place.items():
        devices = {reading.device for reading in group}
        facts[Name("PLACE", (place,))] = numbers = {"events": len(group), "devices": len(devices)}
        facts |= {Name("HOSTS", (place, device)): {"there": True} for device in devices}
        if place != root:
            facts[Name("CONTAINS", (place[:-1], place[-1]))] = numbers
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
    return {"first": _instant(min(instants)), "last": _instant(max(instants))}


def _instant(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


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
    """A place and all below, as far as lists lead."""
    facts: Facts = {}
    for page in pages(api, "places", path="/".join(map(spell, path))):
        if page["summary"]:
            facts[Name("PLACE", (path,))] = fields(page["summary"], ("events", "devices"))
        facts |= {Name("HOSTS", (path, device)): {"there": True} for device in page["devices"]}
        for child in page["places"]:
            facts[Name("CONTAINS", (path, child["name"]))] = fields(child, ("events", "devices"))
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
