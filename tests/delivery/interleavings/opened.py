"""Scenarios of an open hour: one device's readings, and the closings that its own item puts into another shard."""

from decimal import Decimal

from edgewise.dynamodb.attributes import key_of
from edgewise.times import HOUR
from functions.place import Place
from functions.systems.telemetry.codec import event_item
from functions.systems.telemetry.entity import Reading
from tests.delivery.interleavings.records import EPOCH
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.stories import telemetry
from tests.delivery.stories.story import Source

DEVICE, PLACE = "d1", ("FR",)
# What the device's item closes: the shard is not that of its readings.
CLOSINGS = f"DEVICE#{DEVICE}"


def read(minutes: int, value: int, place: Place = ()) -> Change:
    """A reading of so many minutes after the hour in which histories begin is there from now on, with this value."""
    at, metrics = EPOCH + minutes * HOUR // 60, {"temp": Decimal(value)}
    item = event_item(Reading(DEVICE, at, "e0", place, metrics))
    return Change(key_of(item), Source(item, telemetry.Sent(DEVICE, at, place, metrics)))


def removed(minutes: int) -> Change:
    """It is not there any more."""
    return Change(read(minutes, 0).key, None)


# An hour, the next one, another reading of the first, and one that closes nothing while closings are kept.
CLOSED = Scenario(
    "an open hour closes",
    telemetry.STORY,
    {"a": [read(-10, 7), read(10, 3), read(-20, 5), read(20, 4)], CLOSINGS: []},
    Budget(killed=1, overlapped=1),
    outstanding=True,
    chained=True,
)
# The greatest of an hour leaves while the hour is open, or once it has closed.
TAKEN_OUT = Scenario(
    "a reading leaves its open hour",
    telemetry.STORY,
    {"a": [read(-10, 7), read(-20, 3), removed(-10), read(10, 5)], CLOSINGS: []},
    Budget(killed=1, repeated=1),
    chained=True,
)
# The first reading and the next hour tell the edge to the place, which feeds the device once more.
AT_A_PLACE = Scenario(
    "an open hour at a place",
    telemetry.STORY,
    {"a": [read(-10, 7, PLACE), read(10, 3, PLACE)], CLOSINGS: [], "PLACE#FR": []},
    Budget(killed=1),
    outstanding=True,
    chained=True,
)
# An old reading tells its hour directly, and its removal tells it by a closing, which may be there first.
OVERTAKEN = Scenario(
    "a removal overtakes an old reading",
    telemetry.STORY,
    {"a": [read(-180, 9), removed(-180)], CLOSINGS: []},
    Budget(killed=1),
    before={"a": [read(-190, 3)]},
    outstanding=True,
    chained=True,
)
