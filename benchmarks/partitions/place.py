"""One hot place: every device of the table is below it, so every shard of the stream writes its summary."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.partitions import costs
from benchmarks.partitions.contention import HotItem
from benchmarks.partitions.model import LIMITS, Bucket
from benchmarks.partitions.summaries import Outcome, written
from functions.aggregates.ids import AggregateId
from functions.aggregates.partials import Partials
from functions.dynamodb.attributes import Item
from functions.stream import windows
from functions.systems.places.system import PLACE

# Write units per reading: its own, and those of all its edges and aggregates (docs/benchmarks.md, weather).
UNITS_A_READING = 1 + 0.32
# Places directly below, such as cities: their numbers are in the partition of the place, and come from the same shards.
CHILDREN = 10
_ID = PLACE(("US",))


@dataclass(frozen=True)
class Place:
    """The outcome for a place; `checkpoints`: their bytes in its largest item. `partials`: None if there are none."""

    shards: int
    checkpoints: int
    summary: Outcome
    partials: Outcome | None

    @property
    def spent(self) -> float:
        """Units a second, for the place and the places directly below it."""
        return self.summary.spent + (self.partials.spent * (1 + CHILDREN) if self.partials else 0)

    @property
    def lag(self) -> float:
        """Seconds; those of the partial aggregates come on top."""
        return self.summary.lag + (self.partials.lag if self.partials else 0)

    @property
    def grows(self) -> bool:
        """Whether a lag grows without end."""
        return self.summary.grows or (self.partials is not None and self.partials.grows)

    @property
    def worst(self) -> Outcome:
        """The partial aggregates or the summary, whichever has more demand."""
        return max((each for each in (self.summary, self.partials) if each), key=lambda outcome: outcome.asked)


def shards_at(readings: float) -> int:
    """How many partitions, and so shards, a table has after growing with this many readings a second."""
    return LIMITS.partitions(UNITS_A_READING * readings)


def simulate(readings: float, partials: int, split: bool) -> Place:
    """Simulate some seconds of a place; `split`: after DynamoDB has given each of its items its own partition."""
    random, shards, setting = Random(1), shards_at(readings), Partials.parse(str(partials))
    rate = readings / shards
    if partials == 1:
        return Place(shards, _checkpoints(_ID, shards), _written(_ID, [shards], rate, split, random), None)
    of_partials = Counter(setting.partial_of(costs.shard_id(shard), costs.NOW) for shard in range(shards))
    partial, members = _ID._replace(partial=0), list(of_partials.values())
    # Changes of partial aggregates come through the shard of their partition: all share one until it is split.
    owners = len(members) if split else 1
    of_partial_items = _written(partial, members, rate, split, random)
    summary = _written(_ID, [owners], shards / owners / windows.SECONDS, split, random)
    return Place(shards, max(_checkpoints(partial, max(members)), _checkpoints(_ID, owners)), summary, of_partial_items)


def _written(of: AggregateId, shards: Sequence[int], rate: float, split: bool, random: Random) -> Outcome:
    """The numbers of the place and of its children, which share one partition key; or the place's partial aggregates.

    `shards` has how many write each of the items of one place. The partial aggregates of each place have their own key.
    """
    counts = [*shards] * (1 if of.partial is not None else 1 + CHILDREN)
    shared = Bucket()
    items = [_item(of, count, Bucket() if split else shared) for count in counts]
    # Items that share nothing don't disturb each other.
    return written([[item] for item in items] if split else [items], rate, random)


def _item(of: AggregateId, shards: int, bucket: Bucket) -> HotItem:
    return HotItem(bucket, costs.units(_summary(of, shards)), shards)


def _checkpoints(of: AggregateId, shards: int) -> int:
    return costs.checkpoints_size(_summary(of, shards))


def _summary(of: AggregateId, shards: int) -> Item:
    return costs.aggregate(of, ("Events", "Devices"), shards)
