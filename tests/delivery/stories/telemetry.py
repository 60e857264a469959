"""Telemetry: readings that are stored, corrected, moved, removed; some expire."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from functions.dynamodb.attributes import Item
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import AttributeValue, Reading
from tests.delivery.stories.story import EMPTIED, EXTREMES, Numbers, Source, Story, continued_key, once

PLACES: tuple[tuple[str, ...], ...] = ((), ("US", "NY", "JFK"), ("US", "NY", "LGA"), ("US", "NJ"), ("FR",))
START = 1_535_500_800_000  # 2018-08-29T00:00:00Z
INSTANTS = tuple(START + minutes * 60_000 for minutes in (0, 1, 59, 60, 239, 240, 1439, 1440))
# More than fit into an item with little room; the first three belong to the same continuation of a full one.
METRICS = ("temp", "snow", "net", "hum", "wind")
GRAINS = {"HOUR": 3_600_000, "DAY": 86_400_000}


class Sent(NamedTuple):
    device: str
    at: int
    place: tuple[str, ...]
    metrics: dict[str, Decimal]


def _source(random: Random) -> Source:
    device, at, place = random.choice(("d1", "d2")), random.choice(INSTANTS), random.choice(PLACES)
    metrics = {name: Decimal(random.randint(-50, 50)).scaleb(-1) for name in METRICS if random.choice((False, True))}
    # Whatever an event tells beside its metrics changes no number.
    clicked: dict[str, AttributeValue] = {"page": "/cart", "n": Decimal(random.randint(0, 2)), "new": True}
    attributes = random.choice(({}, {"page": "/"}, clicked))
    event = Reading(device, at, random.choice(("e0", "e1")), place, metrics, attributes)
    return Source(telemetry_codec.event_item(event), Sent(device, at, place, metrics))


def _recount(readings: list[Sent]) -> Numbers:
    return _devices(readings) | _edges(readings) | _places(readings) | _rollups(readings)


def _devices(readings: list[Sent]) -> Numbers:
    by_device: defaultdict[str, list[Sent]] = defaultdict(list)
    for reading in readings:
        by_device[reading.device].append(reading)
    counts = {("DEVICE", name): (len(own), len({r.place for r in own if r.place})) for name, own in by_device.items()}
    return counts | {(EXTREMES, "DEVICE", name): _ends([r.at for r in own]) for name, own in by_device.items()}


def _edges(readings: list[Sent]) -> Numbers:
    instants: defaultdict[Any, list[int]] = defaultdict(list)
    for reading in readings:
        if reading.place:
            instants["REPORTED_FROM", reading.device, reading.place].append(reading.at)
    return {edge: len(at) for edge, at in instants.items()} | {
        (EXTREMES, *edge): _ends(at) for edge, at in instants.items()
    }


def _places(readings: list[Sent]) -> Numbers:
    """Events and distinct devices of a place; of a device, at how many places in there it was."""
    devices: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    hosted: Counter[Any] = Counter()
    for reading in readings:
        for depth in range(1, len(reading.place) + 1):
            devices[reading.place[:depth]].append(reading.device)
    for device, place in {(reading.device, reading.place) for reading in readings}:
        hosted.update(("HOSTS", place[:depth], device) for depth in range(1, len(place) + 1))
    numbers = {place: (len(found), len(set(found))) for place, found in devices.items()}
    below = {("CONTAINS", place): counted for place, counted in numbers.items() if len(place) > 1}
    return {("PLACE", place): counted for place, counted in numbers.items()} | below | dict(hosted)


def _rollups(readings: list[Sent]) -> Numbers:
    seen: defaultdict[Any, list[tuple[int, Decimal]]] = defaultdict(list)
    for reading in readings:
        for metric, value in reading.metrics.items():
            for grain, size in GRAINS.items():
                seen[grain, reading.device, reading.at // size * size, metric].append((reading.at, value))
    numbers: Numbers = {}
    for cell, moments in seen.items():
        values = [value for _, value in moments]
        numbers[cell] = len(values), sum(values)
        numbers[EXTREMES, *cell] = min(values), max(values), min(moments)[1], max(moments)[1]
    return numbers


def _ends(instants: list[int]) -> tuple[int, int]:
    return min(instants), max(instants)


def _actual(items: list[Item]) -> Numbers:
    return once((about, number) for item in items if "Cells" in item for about, number in _read(item))


def _read(item: Item) -> Iterator[tuple[Any, Any]]:
    """What an item says; keys are plain in the tests, so they are simply split."""
    kind, cells = item["Type"]["S"], item["Cells"]["M"]
    pk, sk = item["PK"]["S"].split("#"), continued_key(item)
    match kind:
        case "DEVICE":
            count, *ends = _span(cells["Events"])
            yield (kind, pk[1]), (count, int(cells["Places"]["N"]) if "Places" in cells else 0)
            yield (EXTREMES, kind, pk[1]), tuple(ends)
        case "REPORTED_FROM":
            count, *ends = _span(cells["Count"])
            yield (kind, pk[1], tuple(sk[3:])), count
            yield (EXTREMES, kind, pk[1], tuple(sk[3:])), tuple(ends)
        case "PLACE" | "CONTAINS" if "Events" in cells:
            place = tuple(pk[1:]) if kind == "PLACE" else (*pk[1:], sk[3])
            yield (kind, place), (int(cells["Events"]["N"]), int(cells["Devices"]["N"]))
        case "HOSTS":
            yield (kind, tuple(pk[1:]), sk[3]), int(cells["Count"]["N"])
        case "ROLLUP_HOUR" | "ROLLUP_DAY" | "CONTINUED" if pk[0] == "DEVICE":
            for name, cell in cells.items():
                if cell != EMPTIED:
                    yield from _rollup(pk[1], sk[1], _millis(sk[2]), name, cell)


def _rollup(device: str, grain: str, block: int, name: str, cell: Any) -> Iterator[tuple[Any, Any]]:
    number, metric = name.split(".", 1)
    values = [Decimal(part.split("@")[0]) for part in cell.get("S", f"{cell.get('N')} 0").split(" ")]
    count, total, *extremes = (1, *values * 5) if len(values) == 1 else (int(values[0]), *values[1:])
    about = grain, device, block + int(number) * GRAINS[grain], metric
    yield about, (count, total)
    yield (EXTREMES, *about), tuple(extremes)


def _span(cell: Any) -> tuple[int, ...]:
    """The count, then the first and last instant, unless they are being recounted."""
    count, *ends = (cell.get("S") or cell["N"]).split(" ")
    return int(count), *map(_millis, ends)


def _millis(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


STORY = Story("telemetry", _source, _recount, _actual, expires=True)
