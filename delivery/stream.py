"""A DynamoDB stream: changes of items, in shards that split and roll over."""

from bisect import bisect_right
from dataclasses import dataclass, field
from hashlib import sha256

from delivery.clock import Clock
from delivery.records import Record, Source, make_record
from delivery.sizes import Item

HOUR = 3600
SHARD_LIFE = 4 * HOUR
_HASHES = 2**32
# The number of digits grows while a test runs, as in reality: this exposes comparisons as text.
_FIRST_SEQUENCE = 10**21 - 20


@dataclass(eq=False)
class Shard:
    """The records of one range of keys; `closed`: no more records come, its children continue."""

    id: str
    parent: str | None
    low: int
    high: int
    opened_at: float
    records: list[Record] = field(default_factory=list)
    closed: bool = False


class Stream:
    """A table's stream, from the first record on (TRIM_HORIZON).

    Items with one partition key may be in several shards, because DynamoDB splits a large or hot item collection by its
    sort keys. `whole_collections`: they are in one, as those of a table with a local index are.
    """

    def __init__(
        self,
        source: Source | None = None,
        *,
        shards: int = 1,
        clock: Clock | None = None,
        first_sequence: int = _FIRST_SEQUENCE,
        whole_collections: bool = False,
    ) -> None:
        self.source = source or Source()
        self._placed_by = self.source.keys[:1] if whole_collections else self.source.keys
        self.clock = clock or Clock()
        self.shards: list[Shard] = []
        self._sequence = first_sequence
        borders = [number * _HASHES // shards for number in range(shards + 1)]
        self._open = [self._shard(None, *borders[number : number + 2]) for number in range(shards)]

    @property
    def open_shards(self) -> tuple[Shard, ...]:
        """The shards that records are being added to, in order of their ranges."""
        return tuple(self._open)

    def record(self, old: Item | None, new: Item | None, *, expired: bool = False) -> Record | None:
        """Record a change; `expired`: by the table's time to live. A write that changes nothing leaves no record."""
        if old == new:
            return None
        image = new or old
        assert image is not None
        shard = self.shard_of(image)
        record = make_record(self.source, old, new, self._next_sequence(), self.clock.now, expired)
        shard.records.append(record)
        return record

    def add(self, record: Record, key: Item) -> None:
        """Add a record that another stream has numbered: the next change of the item with this key."""
        self.shard_of(key).records.append(record)

    def shard_of(self, image: Item) -> Shard:
        """The shard that a change of this item comes in now."""
        key = "".join(f"{kind}{value}" for name in self._placed_by for kind, value in image[name].items())
        place = int.from_bytes(sha256(key.encode()).digest()[:4])
        shard = self._open[bisect_right(self._open, place, key=lambda shard: shard.low) - 1]
        return shard if self.clock.now - shard.opened_at < SHARD_LIFE else self.roll_over(shard)

    def lengthen_numbers(self) -> None:
        """Continue with sequence numbers that soon have one digit more; a stream's records use only some of them."""
        self._sequence = max(self._sequence, 10 ** len(str(self._sequence)) - 20)

    def split(self, shard: Shard) -> tuple[Shard, Shard]:
        """The shard's partition was split: the shard closes, and its range goes to two children."""
        middle = (shard.low + shard.high) // 2
        left, right = self._shard(shard, shard.low, middle), self._shard(shard, middle, shard.high)
        self._replace(shard, [left, right])
        return left, right

    def roll_over(self, shard: Shard) -> Shard:
        """The shard is old or full: it closes, and one child continues."""
        child = self._shard(shard, shard.low, shard.high)
        self._replace(shard, [child])
        return child

    def _replace(self, shard: Shard, children: list[Shard]) -> None:
        position = self._open.index(shard)
        self._open[position : position + 1] = children
        shard.closed = True

    def _shard(self, parent: Shard | None, low: int, high: int) -> Shard:
        number = len(self.shards)
        identifier = f"shardId-{int(self.clock.now * 1000):020}-{number:08x}"
        shard = Shard(identifier, parent.id if parent else None, low, high, self.clock.now)
        self.shards.append(shard)
        return shard

    def _next_sequence(self) -> int:
        self._sequence += 1
        return self._sequence
