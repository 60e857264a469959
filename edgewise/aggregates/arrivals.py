"""What a feed may know of the record that brings an item, besides the item."""

from typing import Any, NamedTuple

from edgewise.times import DAY, EARLIEST, Millis


class Arrival(NamedTuple):
    """When a change was recorded, and whether it takes something back that was counted before."""

    at: Millis
    corrects: bool


# Of items that are not read from the stream: it is near to no instant.
ANY_TIME = Arrival(EARLIEST - DAY, corrects=False)


def always(_entity: Any, _arrival: Arrival) -> bool:
    """Whether a feed takes an item, for feeds that take every item."""
    return True
