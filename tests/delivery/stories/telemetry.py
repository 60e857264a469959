"""Telemetry: readings that are stored, corrected, moved, removed; some expire."""

import json
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from random import Random
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import AttributeValue, Reading
from tests.delivery.stories.story import (
    EMPTIED,
    EXTREMES,
    Numbers,
    Source,
    Story,
    continued_key,
    decimal,
    is_told_twice,
    once,
)

PLACES: tuple[tuple[str, ...], ...] = ((), ("US", "NY", "JFK"), ("US", "NY", "LGA"), ("US", "NJ"), ("FR",))
START = 1_535_500_800_000  # 2018-08-29T00:00:00Z
# The clock of the tests begins at noon: some readings are of about then, and more will be when hours have passed.
INSTANTS = tuple(START + minutes * 60_000 for minutes in (0, 1, 59, 60, 239, 240, 715, 720, 721, 779, 780, 1439, 1440))
# More than fit into an item with little room; the first three belong to the same continuation of a full one.
METRICS = ("temp", "snow", "net", "hum", "wind")
# So many places are some numbers shifted: DynamoDB's own numbers can't hold these.
SHIFTED = {"hum": -300, "wind": 300}
GRAINS = {"HOUR": 3_600_000, "DAY": 86_400_000}


class Sent(NamedTuple):
    device: str
    at: int
    place: tuple[str, ...]
    metrics: dict[str, Decimal]


def _source(random: Random) -> Source:
    device, at, place = random.choice(("d1", "d2")), random.choice(INSTANTS), random.choice(PLACES)
    metrics = {
        name: decimal(random, 1).scaleb(SHIFTED.get(name, 0)) for name in METRICS if random.choice((False, True))
    }
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
    return {("PLACE", place): counted for place, counted in numbers.items()} | dict(hosted)


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
    stored = once((about, number) for item in items if "Cells" in item for about, number in _read(item))
    opened = [(about, number) for item in items if "Open" in item for about, number in _read_open(item)]
    return _together(stored, dict(opened))


def _together(stored: Numbers, opened: Numbers) -> Numbers:
    """The numbers with what is open: counts and sums are added, and of two extremes the outer ones are taken."""
    whole = dict(stored)
    for about, number in opened.items():
        if about not in stored:
            whole[about] = number
        elif is_told_twice(stored[about]):
            whole[about] = stored[about]
        elif about[0] != EXTREMES:
            pairs = (number, stored[about]) if isinstance(number, tuple) else ((number,), (stored[about],))
            summed = tuple(one + other for one, other in zip(*pairs, strict=True))
            whole[about] = summed if isinstance(number, tuple) else summed[0]
        else:
            whole[about] = _outer(about, stored[about], number)
    return {about: _plain(number) for about, number in whole.items()}


def _outer(about: Any, one: Any, other: Any) -> Any:
    if not one:
        return one
    if about[1] == "REPORTED_FROM":
        return min(one[0], other[0]), max(one[1], other[1])
    return min(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), max(one[3], other[3])


def _plain(number: Any) -> Any:
    """Of moments, the values alone."""
    if not isinstance(number, tuple) or is_told_twice(number):
        return number
    return tuple(each[1] if isinstance(each, tuple) else each for each in number)


def _read_open(item: Item) -> Iterator[tuple[Any, Any]]:
    """What is open in a device's item."""
    device = item["PK"]["S"].split("#")[1]
    for bucket, cells in json.loads(zlib.decompress(item["Open"]["B"], -15)).items():
        for name, cell in cells.items():
            if cell == 0:
                continue
            if bucket == "at":
                about = "REPORTED_FROM", device, tuple(name.split("#"))
                count, *ends = _span({"S": cell})
                yield about, count
                yield (EXTREMES, *about), tuple(ends)
            else:
                start = int(bucket) * GRAINS["HOUR"]
                for grain, size in GRAINS.items():
                    yield from _cell(grain, device, start // size * size, name, {"S": cell}, start)


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
        case "PLACE" if "Events" in cells:
            devices = int(cells["Devices"]["N"]) if "Devices" in cells else 0
            yield (kind, (*pk[1:], *sk[3:])), (int(cells["Events"]["N"]), devices)
        case "HOSTS":
            yield (kind, tuple(pk[1:]), sk[3]), int(cells["Count"]["N"])
        case "ROLLUP_HOUR" | "ROLLUP_DAY" | "CONTINUED" if pk[0] == "DEVICE":
            for name, cell in cells.items():
                if cell != EMPTIED:
                    yield from _rollup(pk[1], sk[1], _millis(sk[2]), name, cell)


def _rollup(device: str, grain: str, block: int, name: str, cell: Any) -> Iterator[tuple[Any, Any]]:
    number, metric = name.split(".", 1)
    start = block + int(number) * GRAINS[grain]
    yield from _cell(grain, device, start, metric, cell, start)


def _cell(grain: str, device: str, bucket: int, metric: str, cell: Any, start: int) -> Iterator[tuple[Any, Any]]:
    """A cell with its sums and extremes; first and last are told with their instants, which count from `start`."""
    texts = cell.get("S", f"{cell.get('N')} 0").split(" ")
    count, total, *extremes = ("1", texts[0].split("@")[0], *texts * 4) if len(texts) == 1 else texts
    about = grain, device, bucket, metric
    yield about, (int(count), Decimal(total))
    moments = [_moment(text, start) for text in extremes]
    yield (EXTREMES, *about), (*(value for _, value in moments[:2]), *moments[2:])


def _moment(text: str, start: int) -> tuple[int, Decimal]:
    value, _, offset = text.partition("@")
    return start + int(Decimal(offset or 0) * 1000), Decimal(value)


def _span(cell: Any) -> tuple[int, ...]:
    """The count, then the first and last instant, unless they are being recounted."""
    count, *ends = (cell.get("S") or cell["N"]).split(" ")
    return int(count), *map(_millis, ends)


def _millis(text: str) -> int:
    return round(datetime.fromisoformat(text).timestamp() * 1000)


STORY = Story("telemetry", _source, _recount, _actual, expires=True)
