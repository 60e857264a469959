"""Writes events."""

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from edgewise import Item, Key, Table, decoded
from edgewise.dynamodb import units
from edgewise.dynamodb.creation import created_many
from functions.systems.telemetry import codec, keys
from functions.systems.telemetry.entity import Reading, Sender

# Told of write units before they are used; raises an error if they may not be.
Reserve = Callable[[int], None]


class Written(NamedTuple):
    """What became of events. `kept`: stored ones that the sender may not correct; `corrected`: how many he did."""

    kept: Mapping[Key, Reading]
    corrected: int


def write(table: Table, events: Iterable[Reading], sender: Sender, reserve: Reserve | None = None) -> Written:
    """Store events, 25 per request; those that the sender may not correct stay as they are.

    Storing an event again with the same content changes nothing, whoever does. Of several events with one key, the last
    is stored.
    """
    last = {keys.EVENT(event.device, event.at, event.id): event for event in events}
    items = [codec.sent_item(event, sender.id) for event in last.values()]
    if reserve:
        reserve(sum(units.of_put(None, item) for item in items))
    existing = created_many(table, items)
    stored = {key: decoded(codec.event, item) for key, item in existing.items()}
    own = {key for key, item in existing.items() if sender.may_correct(codec.sender(item))}
    # Who sent an event first never changes, and nobody removes events: so this needs no condition.
    corrected = [_corrected(existing[key], last[key]) for key in own if stored[key] != last[key]]
    table.put_many(corrected)
    return Written({key: event for key, event in stored.items() if key not in own}, len(corrected))


def _corrected(item: Item, event: Reading) -> Item:
    """The event in place of the stored one, whose first sender stays the first."""
    first = codec.sender(item)
    return codec.event_item(event) if first is None else codec.sent_item(event, first)
