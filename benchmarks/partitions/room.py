"""One hot room among others: its messages in partitions CHAT#room-1..n, and their entries in the index by time."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from benchmarks.partitions import costs, traffic
from benchmarks.partitions.growth import Widened, widened
from benchmarks.partitions.load import zipf
from benchmarks.partitions.model import LIMITS, Keyspace, point
from benchmarks.partitions.traffic import Counts, Flow, Touch
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.schema import BY_VALUE
from functions.systems.chat.entity import Room
from functions.systems.chat.widening import LEAD

ROOMS = 100
# Where keys are placed is random: the same load in several tables with different room names.
TABLES, SECONDS = 3, 12
# The other rooms have one shard per this many messages a second.
WIDE_ENOUGH = 500
_ROUNDS, _PART = 6, 4  # rounds of splits, enough to make 64 partitions of one; and the seconds between them


@dataclass(frozen=True)
class Hot:
    """The outcome for the hottest room, at `rate` messages a second.

    `asked`: units a second asked of the hottest partition with its messages or entries. `before` and `after`: what
    became of its messages before and after DynamoDB has split all that it can.
    """

    rate: float
    asked: float
    before: Counts
    after: Counts


def simulate(messages: float, shards: int) -> Hot:
    """Simulate some seconds of a room with `shards` shards, when all rooms together get `messages` a second."""
    asked, before, after = 0.0, Counts(), Counts()
    for number in range(TABLES):
        rooms = _Rooms(messages, f"table-{number}", Random(number))
        hot = rooms.room(0, shards)
        before += rooms.play(hot)
        asked = max(asked, *(touch.space.demand_at(touch.at) / SECONDS for flow in hot for touch in flow.touches))
        seconds = SECONDS
        for _ in range(_ROUNDS):
            if not rooms.split(seconds):
                break
            rooms.play(hot, seconds := _PART)
        after += rooms.play(rooms.room(0, shards))
    return Hot(messages * zipf(ROOMS)[0], asked, before, after)


def widen(messages: float, seconds: int = 540) -> Widened:
    """Simulate a room that begins with one shard and doubles when callers are refused, as in the API."""
    rooms = _Rooms(messages, "table-0", Random(0))
    return widened(rooms, Room.starting_with("room", 1), LEAD, seconds)


class _Rooms:
    """A table that has grown with all its rooms; all rooms but the hottest have the shards that they need."""

    def __init__(self, messages: float, name: str, random: Random) -> None:
        self._random, self._name, self._now = random, name, 0
        self._rates = [share * messages for share in zipf(ROOMS)]
        item = costs.message(name, 1)
        self._units, self._entry = costs.units(item), costs.entry_units(item, BY_VALUE)
        self._table = Keyspace(LIMITS.partitions(messages * self._units))
        self._index = Keyspace(LIMITS.partitions(messages * self._entry))
        self._others = [
            flow for rank in range(1, ROOMS) for flow in self.room(rank, _power(self._rates[rank] / WIDE_ENOUGH))
        ]

    def room(self, rank: int, shards: int) -> list[Flow]:
        """The writes of one room, equal for each shard. Entries by time grow at one end, which no split divides."""
        items = [costs.message(f"{self._name}-room-{rank}", shard + 1) for shard in range(shards)]
        return [
            Flow(
                self._rates[rank] / shards,
                (
                    Touch(self._table, point(string(item["PK"])), self._units),
                    Touch(self._index, point(string(item[BY_VALUE.partition_key])), self._entry),
                ),
            )
            for item in items
        ]

    def flows(self, shards: int) -> list[Flow]:
        """The writes of the hottest room."""
        return self.room(0, shards)

    def play(self, hot: Sequence[Flow], seconds: int = SECONDS) -> Counts:
        """Simulate some more seconds; returns what has become of the hot room's writes since they began."""
        traffic.run([*self._others, *hot], self._now, seconds, self._random)
        self._now += seconds
        return sum((flow.counts for flow in hot), Counts())

    def split(self, seconds: int) -> int:
        """Split what was hot in the last seconds, in the table and in the index; returns how many partitions."""
        return self._table.split_for_heat(seconds) + self._index.split_for_heat(seconds)


def _power(number: float) -> int:
    """The smallest power of two that is not below the number."""
    return 2 ** max(0, math.ceil(math.log2(number))) if number > 1 else 1
