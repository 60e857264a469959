"""Readings of devices at places, and their corrections."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from ops.recounting import samples
from verify.corner import Corner

Path = tuple[str, ...]
START = datetime(2026, 1, 5, tzinfo=UTC)
SPAN = 36 * 3600  # seconds: two days, so that hours, blocks of hours and days all have several readings
METRICS = ("temp", "load", "rpm")


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
        """The reading as a request contains it: floats print numbers of so few digits exactly."""
        metrics = {name: float(value) for name, value in self.metrics.items()}
        place = {"place": list(self.place)} if self.place else {}
        return {"device_id": self.device, "at": self.at.isoformat(), "event_id": self.id, "metrics": metrics} | place

    @property
    def stored(self) -> samples.Reading:
        """The reading as the recount takes it."""
        return samples.Reading(self.device, instant(self.at), self.place, self.metrics)


def instant(at: datetime) -> str:
    """An instant in the API's format."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.000Z")


def root(corner: Corner) -> str:
    """The place that contains all others."""
    return corner.id("site")


def readings(corner: Corner, rng: Random, events: int) -> Iterator[Reading]:
    """This many readings, no two of which have the same instant."""
    devices = [corner.id("device", number) for number in range(max(3, min(50, events // 300)))]
    places = [(root(corner), f"hall {hall}", f"row {row}") for hall in range(3) for row in range(2)]
    for number, second in enumerate(rng.sample(range(max(SPAN, 4 * events)), events)):
        place = rng.choice([*places, places[0][:2], ()])
        at = START + timedelta(seconds=second)
        yield Reading(rng.choice(devices), at, f"{number}", place, _metrics(rng))


def _metrics(rng: Random) -> dict[str, Decimal]:
    chosen = rng.sample(METRICS, rng.randint(1, len(METRICS)))
    return {name: Decimal(rng.randint(-5000, 5000)) / 10 for name in chosen}


def corrected(rng: Random, reading: Reading) -> Reading:
    """The reading with other numbers, perhaps of other metrics, and often with another place or none."""
    place = rng.choice([reading.place, (*reading.place[:1], "hall 9") if reading.place else (), ()])
    return replace(reading, metrics=_metrics(rng), place=place)
