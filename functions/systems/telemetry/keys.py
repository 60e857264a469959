"""Keys of telemetry: partition DEVICE#id holds a device's events, rollups, edges and summary."""

from edgewise import Key, Millis, Partitions, from_rfc_3339, rfc_3339
from edgewise.aggregates.keys import edge_target, entity_name
from edgewise.dynamodb.keys import join, prefix, take
from edgewise.times import LATEST
from functions.place import Place

DEVICES = Partitions("DEVICE")


def device(device_id: str) -> str:
    """The partition of a device."""
    return DEVICES(device_id)


def event(device_id: str, at: Millis, event_id: str) -> Key:
    """One reading: sorted by instant, then id, so that two readings of one instant are both kept."""
    return Key(device(device_id), join("EVENT", rfc_3339(at), event_id))


def events_between(start: Millis | None, end: Millis | None) -> tuple[str, str]:
    """The first and last key of a device's events from `start` on and before `end`, both optional."""
    # An instant followed by an id sorts after the instant alone, so `end` itself is excluded.
    low = EVENTS if start is None else join("EVENT", rfc_3339(start))
    high = EVENTS_END if end is None or end > LATEST else join("EVENT", rfc_3339(end))
    return low, high


EVENTS = prefix("EVENT")
EVENTS_END = "EVENT$"  # `$` follows the delimiter: after the last event, before anything else


def parse_event(pk: str, sk: str) -> tuple[str, Millis, str]:
    """Device, instant and id of an event; raises ValueError for another kind of key."""
    _, device_id = take(pk, "DEVICE", 2)
    _, at, event_id = take(sk, "EVENT", 3)
    return device_id, from_rfc_3339(at), event_id


def rollup(device_id: str, grain: str, block: Millis) -> Key:
    """A block of rollups: all metrics of a device for some hours or for a day."""
    return Key(device(device_id), join("ROLLUP", grain, rfc_3339(block)))


def parse_rollup(sk: str) -> Millis:
    """When the block begins."""
    return from_rfc_3339(take(sk, "ROLLUP", 3)[2])


def parse_block(pk: str, sk: str) -> tuple[str, Millis]:
    """The device of a block of rollups, and when the block begins; raises ValueError for another kind of key."""
    return entity_name(pk), parse_rollup(sk)


def reported_from(device_id: str, path: Place) -> Key:
    """The edge from a device to the place it reported from."""
    return Key(device(device_id), join("EDGE", "REPORTED_FROM", "PLACE", *path))


def parse_reported_from(pk: str, sk: str) -> tuple[str, Place]:
    """Device and place of an edge; raises ValueError for another kind of key."""
    return entity_name(pk), edge_target(sk)


def hours(device_id: str, block: Millis) -> Key:
    """A block of rollups by hour."""
    return rollup(device_id, "HOUR", block)


def day(device_id: str, block: Millis) -> Key:
    """A block of rollups by day."""
    return rollup(device_id, "DAY", block)
