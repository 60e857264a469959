"""The consumer's input: real data as the items that the ingesting handlers would make of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from functions.aggregates.measures import measurable
from functions.dynamodb.attributes import Item
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.telemetry import codec as telemetry_codec
from functions.systems.telemetry.entity import Reading, derived_event_id
from functions.times import millis, parse_instant
from local import samples

CHAT_SLICE = 12_000
_FLEET_START = datetime(2018, 8, 29, tzinfo=UTC)


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
    event_id = derived_event_id(reading.device, instant, reading.place, metrics, {})
    return Reading(reading.device, millis(instant), event_id, reading.place, metrics)


def _message(message: samples.Message) -> Message:
    sent_at = millis(parse_instant(message.sent_at))
    return Message(message.room, 1, message.user, sent_at, message.id, message.text)


def fleet(devices: int, rounds: int) -> Workload:
    """Many devices that report one after the other, once an hour: a batch that is no larger has each only once."""
    readings = [reading for number in range(rounds) for reading in fleet_round(devices, number).readings]
    return Workload("fleet", readings, ())


def fleet_round(devices: int, number: int) -> Workload:
    """One reading of each device. Ten devices report from each place, and ten places lie in each region."""
    at = (_FLEET_START + timedelta(hours=number)).strftime("%Y-%m-%dT%H:%M:%SZ")
    readings = [
        samples.Reading(
            f"fleet-{device:06d}",
            at,
            ("US", f"region {device // 100}", f"place {device // 10}"),
            {"temp": Decimal(device % 40), "humidity": Decimal(device % 90)},
        )
        for device in range(devices)
    ]
    return Workload("fleet", readings, ())
