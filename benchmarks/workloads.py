"""The consumer's input: real data as the items that the ingesting handlers would make of it."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache

from edgewise.aggregates.measures import measurable
from edgewise.dynamodb.attributes import Item
from edgewise.times import HOUR, SECOND, Millis, millis, parse_instant, rfc_3339
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading, derived_event_id
from ops.recounting import samples

CHAT_SLICE = 12_000
MINUTE: Millis = 60 * SECOND
# Fleets report from an hour's beginning on.
FLEET_START: Millis = millis(parse_instant("2026-11-02T12:00:00Z"))


@dataclass(frozen=True)
class Workload:
    """Input of one kind in order of time: neighbours in the stream belong to different devices and rooms."""

    name: str
    readings: Sequence[samples.Reading]
    messages: Sequence[samples.Message]

    @property
    def items(self) -> list[Item]:
        """The items of the table, in the same order."""
        return [telemetry_codec.event_item(_event(reading)) for reading in self.readings] + [
            chat_codec.message_item(_message(message)) for message in self.messages
        ]

    def __len__(self) -> int:
        return len(self.readings) + len(self.messages)

    def first(self, records: int) -> "Workload":
        """The beginning of this workload."""
        return replace(self, readings=self.readings[:records], messages=self.messages[:records])

    def batches(self, size: int) -> "Iterator[Workload]":
        """This workload, of readings or of messages, in slices."""
        for start in range(0, len(self), size):
            part = slice(start, start + size)
            yield replace(self, readings=self.readings[part], messages=self.messages[part])


@cache
def weather() -> Workload:
    """A year's readings."""
    readings = samples.readings(samples.SAMPLES["all"])
    return Workload("weather", sorted(readings, key=lambda reading: reading.at), ())


def chat(whole: bool) -> Workload:
    """The messages of all conversations, or the first ones."""
    messages = sorted(samples.messages(samples.SAMPLES["all"]), key=lambda message: message.sent_at)
    return Workload("chat", (), messages if whole else messages[:CHAT_SLICE])


def _event(reading: samples.Reading) -> Reading:
    instant = parse_instant(reading.at)
    metrics = {name: measurable(value) for name, value in reading.metrics.items()}
    event_id = derived_event_id(reading.device, instant, reading.place, metrics, {}, {})
    return Reading(reading.device, millis(instant), event_id, reading.place, metrics)


def _message(message: samples.Message) -> Message:
    sent_at = millis(parse_instant(message.sent_at))
    return Message(message.room, 1, message.user, sent_at, message.id, message.text)


def about_now() -> Millis:
    """When rounds begin that are recorded at present: with the present hour, so that they don't reach into another."""
    return millis(datetime.now(UTC)) // HOUR * HOUR


def place(site: int) -> samples.Place:
    """A place of four levels: five sites are in a town, 25 in a region, all of them in one country."""
    return "US", f"region {site // 25:02}", f"town {site // 5:03}", f"site {site:04}"


def metrics(chance: random.Random, number: int) -> dict[str, Decimal]:
    """So many metrics of a reading."""
    return {f"metric{n}": Decimal(chance.randrange(100_000)).scaleb(-2) for n in range(number)}


@dataclass(frozen=True)
class Fleet:
    """Many devices that report once a minute, site by site, 20 at each."""

    devices: int
    metrics: int = 3

    def round(self, minute: int, start: Millis = FLEET_START) -> Workload:
        """One reading of each device in the minute of this number, spread over it, in the order of time."""
        readings = [
            self._reading(device, start + minute * MINUTE + self._offset(device), minute)
            for device in range(self.devices)
        ]
        return Workload("fleet", readings, ())

    def rounds(self, minutes: Iterable[int], start: Millis = FLEET_START) -> Workload:
        """Several rounds, one after the other."""
        return Workload("fleet", [each for minute in minutes for each in self.round(minute, start).readings], ())

    def _offset(self, device: int) -> Millis:
        return device * 60 // self.devices * SECOND

    def _reading(self, device: int, at: Millis, minute: int) -> samples.Reading:
        measured = metrics(random.Random(f"{device} {minute}"), self.metrics)
        return samples.Reading(f"fleet-{device:06d}", rfc_3339(at)[:-5] + "Z", place(device // 20), measured)
