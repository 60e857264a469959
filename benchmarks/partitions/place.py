"""One hot place: every device of the table lies below it, so every lane of the stream writes its summary."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from benchmarks.partitions import costs
from benchmarks.partitions.contention import HotItem
from benchmarks.partitions.model import LIMITS, Bucket
from benchmarks.partitions.summaries import Outcome, written
from functions.aggregates.ids import AggregateId
from functions.aggregates.slots import Slots
from functions.dynamodb.attributes import Item
from functions.systems.places.system import PLACE

# Write units that a reading takes: its own, and those of all its edges and aggregates (docs/benchmarks.md, weather).
UNITS_A_READING = 1 + 0.32
# Places directly below, such as cities: each has a summary of its own, beside that of the place.
CHILDREN = 10
_ID = PLACE(("US",))


@dataclass(frozen=True)
class Place:
    """How a place came through; `marks`: bytes of them in its largest item. `slots`: None if there is one."""

    lanes: int
    marks: int
    summary: Outcome
    slots: Outcome | None

    @property
    def spent(self) -> float:
        """Units a second, for the place and what is directly below."""
        return self.summary.spent + (self.slots.spent if self.slots else 0)

    @property
    def lag(self) -> float:
        """Seconds; what slots take comes before."""
        return self.summary.lag + (self.slots.lag if self.slots else 0)

    @property
    def grows(self) -> bool:
        """Whether a lag grows without end."""
        return self.summary.grows or (self.slots is not None and self.slots.grows)

    @property
    def worst(self) -> Outcome:
        """The slots or the summary, whichever is asked for more."""
        return max((each for each in (self.summary, self.slots) if each), key=lambda outcome: outcome.asked)


def lanes_at(readings: float) -> int:
    """How many partitions, and so lanes, a table has that has grown with so many readings a second."""
    return LIMITS.partitions(UNITS_A_READING * readings)


def simulate(readings: float, freshness: int, slots: int, split: bool) -> Place:
    """Some seconds of a place; `split`: after DynamoDB has given each of its items a partition of its own."""
    random, lanes, setting = Random(1), lanes_at(readings), Slots.parse(str(slots))
    rate = readings / lanes
    if slots == 1:
        return Place(lanes, _marks(_ID, lanes), _written(_ID, [lanes], rate, freshness, split, random), None)
    of_slots = Counter(setting.slot_of(costs.shard(lane), costs.NOW) for lane in range(lanes))
    slot, members = _ID._replace(slot=0), list(of_slots.values())
    # What slots say comes by the lanes of their partitions: all of them lie in one, until it is split.
    owners = len(members) if split else 1
    slotted = _written(slot, members, rate, freshness, split, random)
    summary = _written(_ID, [owners], lanes / owners / freshness, freshness, split, random)
    return Place(lanes, max(_marks(slot, max(members)), _marks(_ID, owners)), summary, slotted)


def _written(
    of: AggregateId, lanes: Sequence[int], rate: float, freshness: int, split: bool, random: Random
) -> Outcome:
    """The summaries of the place and its children, once for each number of lanes; all are one partition key."""
    if split:
        alone = written([[_item(of, count, Bucket())] for count in lanes], rate, freshness, random)
        # Items that share nothing fare alike.
        return replace(alone, spent=alone.spent * (1 + CHILDREN))
    shared = Bucket()
    items = [_item(of, count, shared) for count in lanes for _ in range(1 + CHILDREN)]
    return written([items], rate, freshness, random)


def _item(of: AggregateId, lanes: int, bucket: Bucket) -> HotItem:
    return HotItem(bucket, costs.units(_summary(of, lanes)), lanes)


def _marks(of: AggregateId, lanes: int) -> int:
    return costs.marks_size(_summary(of, lanes))


def _summary(of: AggregateId, lanes: int) -> Item:
    return costs.aggregate(of, ("Events", "Devices"), lanes)
