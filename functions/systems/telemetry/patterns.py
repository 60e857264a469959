"""Reads of telemetry: which index, which key condition."""

from edgewise import BeginsWith, Between, Millis, Query
from functions.systems.telemetry import keys


def device(device_id: str) -> Query:
    """A device's summary, then the places it reported from."""
    summary = keys.DEVICE(device_id)
    return Query(summary.pk, BeginsWith(summary.sk))


def device_events(device_id: str, start: Millis | None, end: Millis | None, *, forward: bool = True) -> Query:
    """A device's readings from `start` on and before `end`, both optional."""
    return Query(keys.device(device_id), Between(*keys.events_between(start, end)), forward=forward)


def rollups(device_id: str, grain: str, first_block: Millis, last_block: Millis) -> Query:
    """The blocks of rollups that begin between two instants, both inclusive."""
    low, high = (keys.ROLLUPS[grain](device_id, block).sk for block in (first_block, last_block))
    return Query(keys.device(device_id), Between(low, high))
