"""One hot list of an index: nodes with an attribute, sorted by its value; or open orders, sorted by their instants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from random import Random

from benchmarks.partitions import costs, traffic
from benchmarks.partitions.growth import Widened, widened
from benchmarks.partitions.model import LIMITS, Keyspace, point
from benchmarks.partitions.traffic import Counts, Flow, Touch
from edgewise.dynamodb.attributes import Item, string
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.sharding.listing import LEAD
from edgewise.sharding.lists import ListSharding
from functions.systems.graph.codec import attribute_item
from functions.systems.graph.entity import Attribute, NodeId
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER

SECONDS = 12
# Sort keys with digests lie anywhere; so many positions are enough for splits into a few partitions.
POSITIONS = 16
_ROUNDS, _PART = 6, 4  # rounds of splits, enough to make 64 partitions of one; and the seconds between them


@dataclass(frozen=True)
class Kind:
    """A list: the item of an entry in one of its shards. `grows`: its sort keys grow with time, so no split helps."""

    name: str
    item: Callable[[int], Item]
    grows: bool


ONE_SKILL = Kind(
    "one skill",
    lambda shard: attribute_item(NodeId("person", "p" * 20), Attribute("skill", ("DynamoDB",)), shard),
    grows=False,
)
OPEN_ORDERS = Kind(
    "open orders", lambda shard: ORDER.encode(Order("c" * 20, "o" * 20, costs.NOW, Decimal("9.50")), shard), grows=True
)
KINDS = (ONE_SKILL, OPEN_ORDERS)


def fixed(kind: Kind, rate: float, shards: int) -> tuple[Counts, Counts]:
    """What becomes of so many new entries a second, before and after DynamoDB has split all that it can."""
    spread, seconds = _List(kind, rate), SECONDS
    before = spread.play(spread.flows(shards), seconds)
    for _ in range(_ROUNDS):
        if not spread.split(seconds):
            break
        spread.play(spread.flows(shards), seconds := _PART)
    return before, spread.play(spread.flows(shards), SECONDS)


def grown(kind: Kind, rate: float, seconds: int = 720) -> Widened:
    """What becomes of them if the list begins with one shard and widens itself."""
    return widened(_List(kind, rate), ListSharding.starting_with(kind.name, 1), LEAD, seconds)


class _List:
    """An index that has grown with the list; the items themselves lie apart, each in a partition of its own entity."""

    def __init__(self, kind: Kind, rate: float) -> None:
        self._kind, self._rate, self._random, self._now = kind, rate, Random(1), 0
        self._units = costs.entry_units(kind.item(1), BY_VALUE)
        self._index = Keyspace(LIMITS.partitions(rate * self._units))

    def flows(self, shards: int) -> list[Flow]:
        """New entries, equal for each shard and position."""
        positions = [0.0] if self._kind.grows else [number / POSITIONS for number in range(POSITIONS)]
        partitions = [string(self._kind.item(shard)[BY_VALUE.partition_key]) for shard in range(1, shards + 1)]
        return [
            Flow(self._rate / shards / len(positions), (Touch(self._index, point(partition, at), self._units),))
            for partition in partitions
            for at in positions
        ]

    def play(self, hot: Sequence[Flow], seconds: int) -> Counts:
        """Simulate some more seconds; returns what has become of these writes since they began."""
        traffic.run(hot, self._now, seconds, self._random)
        self._now += seconds
        return sum((flow.counts for flow in hot), Counts())

    def split(self, seconds: int) -> int:
        """Split what was hot in the last seconds; returns how many partitions."""
        return self._index.split_for_heat(seconds)
