"""Keys of telemetry: partition DEVICE#id holds a device's events, rollups, edges and summary."""

from edgewise import KeyTemplate, Millis, from_rfc_3339, rfc_3339
from edgewise.dynamodb.keys import join, prefix, take
from edgewise.times import LATEST
from functions.place import Place

# The numbers of a device.
DEVICE = KeyTemplate("DEVICE#{device}")
DEVICES = DEVICE.partitions
# A reading: sorted by instant, then id, so that two readings of one instant are both kept.
EVENT = KeyTemplate("DEVICE#{device}", "EVENT#{at}#{id}", at=Millis)
# The edge from a device to a place from which it reported.
REPORTED_FROM = KeyTemplate("DEVICE#{device}", "EDGE#REPORTED_FROM#PLACE#{place}", place=Place)
# Blocks of rollups by grain: all metrics of a device for some hours or for a day.
ROLLUPS = {
    grain: KeyTemplate("DEVICE#{device}", f"ROLLUP#{grain}#{{block}}", block=Millis) for grain in ("HOUR", "DAY")
}


def device(device_id: str) -> str:
    """The partition of a device."""
    return DEVICES(device_id)


def events_between(start: Millis | None, end: Millis | None) -> tuple[str, str]:
    """The first and last key of a device's events from `start` on and before `end`, both optional."""
    # An instant followed by an id sorts after the instant alone, so `end` itself is excluded.
    low = EVENTS if start is None else join("EVENT", rfc_3339(start))
    high = EVENTS_END if end is None or end > LATEST else join("EVENT", rfc_3339(end))
    return low, high


EVENTS = prefix("EVENT")
EVENTS_END = "EVENT$"  # `$` follows the delimiter: after the last event, before anything else


def parse_rollup(sk: str) -> Millis:
    """When a block of rollups begins; raises ValueError for another kind of key."""
    return from_rfc_3339(take(sk, "ROLLUP", 3)[2])
