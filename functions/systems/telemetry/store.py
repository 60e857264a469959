"""Writes events."""

from collections.abc import Callable, Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple

from edgewise import Item, Key, Put, RefusedError, Table, decoded
from edgewise.dynamodb import units
from edgewise.dynamodb.creation import created_many
from edgewise.dynamodb.table import CONNECTIONS
from functions.owned import STANDING, is_withdrawn
from functions.systems.telemetry import codec, keys
from functions.systems.telemetry.entity import Reading, Sender

# Told of write units before they are used; raises an error if they may not be.
Reserve = Callable[[int], None]


class Written(NamedTuple):
    """What became of events. `kept`: stored ones that the sender may not correct; `corrected`: how many he did.

    `withdrawn`: those that somebody had taken back; nobody brings them back.
    """

    kept: Mapping[Key, Reading]
    corrected: int
    withdrawn: Set[Key]


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
    withdrawn = {key for key, item in existing.items() if is_withdrawn(item)}
    stored = {key: decoded(codec.event, item) for key, item in existing.items() if key not in withdrawn}
    own = {key for key in stored if sender.may_correct(codec.sender(existing[key]))}
    corrected = {key: _corrected(existing[key], last[key]) for key in own if stored[key] != last[key]}
    meanwhile = _correct(table, corrected) if corrected else frozenset()
    kept = {key: event for key, event in stored.items() if key not in own}
    return Written(kept, len(corrected) - len(meanwhile), withdrawn | meanwhile)


def _correct(table: Table, corrected: Mapping[Key, Item]) -> Set[Key]:
    """Store corrections, but for those of events that were withdrawn since they were read; returns these.

    Each takes its own request: a batch has no conditions. Who sent an event first never changes, so no other is needed.
    """
    with ThreadPoolExecutor(min(len(corrected), CONNECTIONS)) as pool:
        taken = pool.map(partial(_put_standing, table), corrected.values())
        return {key for key, was_taken in zip(corrected, taken, strict=True) if not was_taken}


def _put_standing(table: Table, item: Item) -> bool:
    try:
        table.write(Put(item, STANDING))
    except RefusedError:
        return False
    return True


def _corrected(item: Item, event: Reading) -> Item:
    """The event in place of the stored one, whose first sender stays the first."""
    first = codec.sender(item)
    return codec.event_item(event) if first is None else codec.sent_item(event, first)
