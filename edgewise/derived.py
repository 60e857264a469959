"""What follows from an item, or from others: its entries in the indexes, and copies. A check derives all of it anew.

Each system declares how its items are written anew, and which of them repeat what others say.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from edgewise.dynamodb.attributes import Item, fingerprint, number, s, string
from edgewise.dynamodb.keys import Key, Partitions, split
from edgewise.dynamodb.schema import INDEX_KEYS, Index
from edgewise.dynamodb.table import Table
from edgewise.sharding.lists import FIRST, MAX_SHARDS, Shard, ShardedList

Entity = TypeVar("Entity")
_SHARDS = frozenset(map(str, range(1, MAX_SHARDS + 1)))
# The item as it would be written now, by what it says.
Anew = Callable[[Item], Item]


class Said(NamedTuple):
    """What an item says in one of its versions, as a short text. Of two, the one of the later version counts."""

    version: int
    content: str


# What originals say, and their copies repeat: the latest of all, or a set of names.
Fact = Said | frozenset[str]
# The key of what somebody says something about.
Stated = tuple[Key, Fact]


def anew(decode: Callable[[Item], Entity], encode: Callable[[Entity], Item]) -> Anew:
    """Items are written anew by their codec."""

    def written(item: Item) -> Item:
        return encode(decode(item))

    return written


def listed_anew(decode: Callable[[Item], Entity], encode: Callable[[Entity, int], Item], index: Index) -> Anew:
    """The same for items of a sharded list, which say themselves in which shard they are."""

    def written(item: Item) -> Item:
        return encode(decode(item), _shard(item, index))

    return written


def in_no_index(_: Item) -> Item:
    """Items that must not be in any index."""
    return {}


def entries(item: Item) -> Item:
    """The attributes of an item that put it into indexes."""
    return {name: item[name] for name in INDEX_KEYS if name in item}


def same(some: Item, others: Item) -> bool:
    """Whether two items have the same entries; DynamoDB writes numbers in its own way."""
    one, other = entries(some), entries(others)
    return one == other or _values(one) == _values(other)


def without_entries(item: Item) -> Item:
    """The rest of an item."""
    return {name: value for name, value in item.items() if name not in INDEX_KEYS}


def content(item: Item) -> str:
    """A short text that stands for what an item says, but for its key and its type."""
    return fingerprint({name: value for name, value in item.items() if name not in ("PK", "SK", "Type", *INDEX_KEYS)})


@dataclass(frozen=True)
class InShards:
    """Items of a type are each in one shard, or in none; `moved` puts one into another, unless its key says which."""

    shard: Callable[[Item], Shard | None]
    moved: Callable[[Item, int], Item] | None = None


def in_list(index: Index) -> InShards:
    """Items that are in a sharded list of an index."""

    def shard(item: Item) -> Shard | None:
        found = _listed(item, index)
        return Shard(found.history, _shard(item, index)) if found else None

    def moved(item: Item, number: int) -> Item:
        found = _listed(item, index)
        assert found
        return item | {index.partition_key: s(found.shard(number))}

    return InShards(shard, moved)


@dataclass(frozen=True, kw_only=True)
class Copies:
    """Items of the types `copies` repeat what items of the types `originals` say.

    `told` gives, of an original, the key under which it is repeated, and what it says; `said` the same of a copy. None:
    the item says nothing of this. A copy may also be right if it says an empty text, and there is no original.
    `single`: once there are originals there is one copy, which has that key; if not, copies are where others put them.
    `put_right` makes a copy, by its key, say what the originals say now, unless anybody changes it at the same time.
    `busy`, by type: an item, while it is there, may say under which key copies are still being made.
    """

    name: str
    copies: tuple[str, ...]
    originals: tuple[str, ...]
    told: Callable[[Item], Stated | None]
    said: Callable[[Item], Stated | None]
    single: bool
    put_right: Callable[[Table, Key], None]
    busy: Mapping[str, Callable[[Item], Key | None]] = field(default_factory=dict)


@dataclass(frozen=True)
class Derivations:
    """What follows from what, by the types of items; `copies` by their name.

    `unjudged`: what no check can judge, and why.
    """

    anew: Mapping[str, Anew]
    copies: Mapping[str, Copies]
    shards: Mapping[str, InShards]
    unjudged: Mapping[str, str]

    def stated(self, item: Item) -> Iterator[tuple[Copies, Stated, bool]]:
        """What an item says that is repeated, or repeats; and whether it repeats it."""
        of_type = string(item["Type"])
        for each in self.copies.values():
            if of_type in each.originals and (told := each.told(item)):
                yield each, told, False
            if of_type in each.copies and (said := each.said(item)):
                yield each, said, True

    def busy(self, item: Item) -> Iterator[Key]:
        """Under which keys copies are still being made while this item is there."""
        of_type = string(item["Type"])
        found = (each.busy[of_type](item) for each in self.copies.values() if of_type in each.busy)
        return (key for key in found if key)

    def right_entries(self, item: Item) -> Item:
        """The index entries that an item should have; raises whatever decoding raises."""
        return entries(self.anew[string(item["Type"])](item))


def _values(item: Item) -> Mapping[str, Any]:
    return {name: number(value) if "N" in value else value for name, value in item.items()}


def _listed(item: Item, index: Index) -> ShardedList | None:
    if index.partition_key not in item:
        return None
    name, *components, _ = split(string(item[index.partition_key]))
    return ShardedList(Partitions(name), tuple(components))


def _shard(item: Item, index: Index) -> int:
    partition = item.get(index.partition_key, {}).get("S", "")
    shard = partition.rpartition("#")[2]
    return int(shard) if shard in _SHARDS else FIRST
