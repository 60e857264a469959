"""What writes cost, computed from the items that the project's own code makes."""

import math
from decimal import Decimal
from zlib import crc32

from delivery.sizes import item_size
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.schema import PARTITION_KEY, SORT_KEY, Index
from edgewise.times import HOUR, SECOND, Millis
from functions.systems.chat import codec as chat_codec
from functions.systems.chat.entity import Message
from functions.systems.graph import codec as graph_codec
from functions.systems.graph.entity import GraphEdge, NodeId

KB = 1024
# A stream's shard is closed after about four hours; its checkpoint stays as long as it may be needed.
ROLL_OVER: Millis = 4 * HOUR
GENERATIONS = math.ceil(CHECKPOINT_LIFETIME / ROLL_OVER) + 1
# Long enough for most messages that people write.
TEXT = "x" * 300
NOW: Millis = 1_790_000_000_000
_SEQUENCE = 4_421_584_500_000_000_017_450_439_091
_NUMBERS = {"Count": Cell(10_000_000), "Edges": Cell(10_000_000, Decimal(10_000_000))}


def units(item: Item) -> int:
    """The write units of a put."""
    return math.ceil(item_size(item) / KB)


def entry_units(item: Item, index: Index) -> int:
    """The write units of a new entry in an index; none if the item is not in the index."""
    if index.partition_key not in item:
        return 0
    projected = {PARTITION_KEY, SORT_KEY, index.partition_key, index.sort_key, *index.projected}
    return units({name: value for name, value in item.items() if name in projected})


def message(room: str, shard: int) -> Item:
    """A message of typical length."""
    return chat_codec.message_item(Message(room, shard, "a-user-of-the-room", NOW, "f" * 32, TEXT))


def mirror(source: NodeId, label: str, target: NodeId) -> Item:
    """The mirror of an edge without data."""
    return graph_codec.edge_items(GraphEdge(source, label, target, Decimal(1)))[1]


def aggregate(aggregate_id: AggregateId, cells: tuple[str, ...], shards: int) -> Item:
    """An aggregate that this many shards have fed for more than a day."""
    numbers = {name: _NUMBERS.get(name, _NUMBERS["Count"]) for name in cells}
    checkpoints = {
        shard_id(shard, age): _checkpoint(shard, age) for shard in range(shards) for age in range(GENERATIONS)
    }
    return aggregate_item(Aggregate(aggregate_id, 1_000_000, numbers, checkpoints))


def checkpoints_size(item: Item) -> int:
    """Bytes of an aggregate's checkpoints."""
    return item_size({"Seqs": item["Seqs"]})


def shard_id(shard: int, age: int = 0) -> str:
    """A shard's name as AWS forms it: when it was opened, and a random part; `age`: roll-overs since it ended."""
    return f"{NOW - (age + 1) * ROLL_OVER:020}-{crc32(bytes([shard % 256, shard // 256, age])):08x}"


def _checkpoint(shard: int, age: int) -> Checkpoint:
    """A checkpoint at the end of its shard, with a sequence number like those in AWS's documentation."""
    return Checkpoint(_SEQUENCE + shard * GENERATIONS + age, NOW - age * ROLL_OVER - shard * SECOND)
