"""The one home of every key: nothing else in the project joins, splits or guesses them.

Components are joined by `#`. Inside a component every character up to `$` is written as `$` and two hexadecimal
digits (a space is `$20`, `#` is `$23`), so no component contains the delimiter, every key can be taken apart again,
and keys sort as the tuples of their components do: `#` is smaller than everything that is left in a component.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from functions.domain.aggregates import AggregateId
from functions.domain.places import Place
from functions.domain.times import LATEST, Millis, from_rfc_3339, rfc_3339

_DELIMITER = "#"
_LOW = re.compile("[\x00-$]")
_ESCAPED = re.compile(r"\$([0-9a-f]{2})")


class Key(NamedTuple):
    """The primary key of an item."""

    pk: str
    sk: str


def escape(component: str) -> str:
    """A component as it stands in a key: free of the delimiter, in the same order, reversible."""
    return _LOW.sub(lambda match: f"${ord(match[0]):02x}", component)


def unescape(component: str) -> str:
    """The inverse of escape."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), component)


def join(*components: str) -> str:
    """One key from components of any text."""
    return _DELIMITER.join(map(escape, components))


def split(key: str) -> tuple[str, ...]:
    """The components of a key, the inverse of join."""
    return tuple(map(unescape, key.split(_DELIMITER)))


def prefix(*components: str) -> str:
    """What the keys that go on after these components begin with; it ends at a border, so `TX` never finds `TXX`."""
    return join(*components) + _DELIMITER


# Telemetry: partition DEVICE#id holds its events, rollups, edges and summary.


def device(device_id: str) -> str:
    """The partition of a device."""
    return join("DEVICE", device_id)


def event(device_id: str, at: Millis, event_id: str) -> Key:
    """One reading: sorted by instant, then id, so that two at one instant both survive."""
    return Key(device(device_id), join("EVENT", rfc_3339(at), event_id))


def event_time(at: Millis) -> str:
    """Where the events of an instant begin in a device's collection: after all earlier ones, at most at their end."""
    return join("EVENT", rfc_3339(at)) if at <= LATEST else EVENTS_END


EVENTS = prefix("EVENT")
EVENTS_END = "EVENT$"  # `$` follows the delimiter: after the last event, before anything else


def parse_event(pk: str, sk: str) -> tuple[str, Millis, str]:
    """Device, instant and id of an event; raises ValueError for another kind of key."""
    _, device_id = _take(pk, "DEVICE", 2)
    _, at, event_id = _take(sk, "EVENT", 3)
    return device_id, from_rfc_3339(at), event_id


def rollup(device_id: str, grain: str, block: Millis) -> Key:
    """A block of rollups: all metrics of a device for some hours or for a day."""
    return Key(device(device_id), join("ROLLUP", grain, rfc_3339(block)))


def parse_rollup(sk: str) -> Millis:
    """When the block begins."""
    return from_rfc_3339(_take(sk, "ROLLUP", 3)[2])


# Chat: partition CHAT#room-n holds the messages of shard n; ROOM#room holds what is known of the room.


def room(name: str) -> str:
    """The partition of a room's metadata and summary."""
    return join("ROOM", name)


def room_metadata(name: str) -> Key:
    """The item with the history of a room's shards."""
    return Key(room(name), "META")


def room_shard(name: str, shard: int) -> str:
    """The partition of one shard, such as CHAT#seattle-2; what follows the last hyphen is the number."""
    return join("CHAT", f"{name}-{shard}")


_AFTER_ALL_TIMES = ":"  # the character after 9


def _chat_time(at: Millis) -> str:
    return rfc_3339(at).replace("T", ":").removesuffix("Z")


def message(name: str, shard: int, user: str, at: Millis, message_id: str) -> Key:
    """One message: user#yyyy-MM-dd:HH:mm:ss.SSS#id, so two of one user in one second both survive."""
    return Key(room_shard(name, shard), join(user, _chat_time(at), message_id))


def message_by_time(user: str, at: Millis, message_id: str) -> str:
    """The inverted template, datetime#user#id: the sort key of the index by time."""
    return join(_chat_time(at), user, message_id)


def messages_during(period: str, user: str | None = None) -> str:
    """What keys of a period's messages (`2018-08`; empty: ever) begin with, in the table by user, else in the index."""
    return (prefix(user) if user is not None else "") + period.replace("T", ":", 1)


def messages_between(start: Millis | None, end: Millis | None, user: str | None = None) -> tuple[str, str]:
    """The first and last key of the messages from `start` on and before `end`, both optional."""
    low = "0" if start is None else _chat_time(start)
    high = _AFTER_ALL_TIMES if end is None else _chat_time(end)
    return messages_during(low, user), messages_during(high, user)


def parse_message(pk: str, sk: str) -> tuple[str, int, str, Millis, str]:
    """Room, shard, user, instant and id of a message; raises ValueError for another kind of key."""
    _, sharded = _take(pk, "CHAT", 2)
    name, _, shard = sharded.rpartition("-")
    user, at, message_id = split(sk)
    return name, int(shard), user, from_rfc_3339(at.replace(":", "T", 1) + "Z"), message_id


def message_guard(name: str, user: str, message_id: str) -> Key:
    """The item that remembers the instant first given to a message id; a partition of its own, so none gets hot."""
    return Key(join("MESSAGE-ID", name, user, message_id), "GUARD")


# Edges: partition of the source node; EDGE# alone is the node's summary and stands before all its edges.

NODE_SUMMARY = EDGES = prefix("EDGE")


def user(name: str) -> str:
    """The partition of a user."""
    return join("USER", name)


def place(path: Place) -> str:
    """The partition of a place."""
    return join("PLACE", *path)


def posted_in(user_name: str, room_name: str) -> Key:
    """The edge from a user to a room."""
    return Key(user(user_name), join("EDGE", "POSTED_IN", "ROOM", room_name))


def reported_from(device_id: str, path: Place) -> Key:
    """The edge from a device to the place it reported from."""
    return Key(device(device_id), join("EDGE", "REPORTED_FROM", "PLACE", *path))


def hosts(path: Place, device_id: str) -> Key:
    """The edge from a place to a device that reported from there or from below."""
    return Key(place(path), join("EDGE", "HOSTS", "DEVICE", device_id))


def contains(path: Place, child: str) -> Key:
    """The edge from a place to a place directly below; it carries the child's summary and sorts before HOSTS."""
    return Key(place(path), join("EDGE", "CONTAINS", "PLACE", child))


def edge_target(sk: str) -> tuple[str, ...]:
    """The components of the node that an edge points at: room, device, child, or the path of a place."""
    return _take(sk, "EDGE", 4)[3:]


def node(pk: str) -> tuple[str, ...]:
    """The components of a node, without its type: (amy,) for USER#amy, the path of a place."""
    return split(pk)[1:]


def inverted(target_kind: str, *target: str) -> str:
    """The partition of a node in the index by target."""
    return join(target_kind, *target)


def quarantine(lane: str, sequence: str, part: int) -> Key:
    """One part of a record that could not be understood; parts keep their order."""
    return Key(join("QUARANTINE", lane), join(sequence.zfill(40), f"{part:04d}"))


_AGGREGATES: Mapping[str, Callable[..., Key]] = {
    "POSTED_IN": posted_in,
    "REPORTED_FROM": reported_from,
    "HOSTS": hosts,
    "CONTAINS": contains,
    "ROLLUP_HOUR": lambda device_id, block: rollup(device_id, "HOUR", block),
    "ROLLUP_DAY": lambda device_id, block: rollup(device_id, "DAY", block),
    "DEVICE": lambda device_id: Key(device(device_id), NODE_SUMMARY),
    "ROOM": lambda name: Key(room(name), NODE_SUMMARY),
    "USER": lambda name: Key(user(name), NODE_SUMMARY),
    "PLACE": lambda path: Key(place(path), NODE_SUMMARY),
}


def aggregate(aggregate_id: AggregateId) -> Key:
    """The primary key of an aggregate."""
    return _AGGREGATES[aggregate_id.kind](*aggregate_id.parts)


def _take(key: str, kind: str, at_least: int) -> tuple[str, ...]:
    components = split(key)
    if components[0] != kind or len(components) < at_least:
        raise ValueError(f"not a key of kind {kind}: {key!r}")
    return components
