"""Types of items: the keys and the codec of a dataclass, from its declaration."""

from collections.abc import Sequence
from functools import cached_property
from typing import Generic, TypeVar

from edgewise.aggregates.feeds import Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.keys import SUMMARY
from edgewise.derived import Anew, InShards, anew, in_list, in_no_index, listed_anew
from edgewise.dynamodb.attributes import Item, key_of
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import BeginsWith, Between, Query
from edgewise.dynamodb.templates import Template, partitions_of
from edgewise.items import compiling
from edgewise.items.declared import Declared
from edgewise.items.entries import Entry
from edgewise.sharding.lists import FIRST, ShardedList

T = TypeVar("T")


class ItemType(Generic[T]):
    """Items of one type, which stand for values of one dataclass.

    `name` is their attribute `Type`. `partition` and `sort` are templates of the key; what is in the key is not stored
    again. Each other field is an attribute, or a member of the attribute `data`, which every index projects. None and
    empty text are left out where they are the default; an item that lacks a field has its default.

    Codecs are compiled at import. Raises TypeError for what none can be made for: such a system writes its codec
    itself.
    """

    def __init__(
        self,
        entity: type[T],
        name: str,
        *,
        partition: str,
        sort: str,
        data: str | None = None,
        entries: Sequence[Entry] = (),
    ) -> None:
        self.name, self.entries = name, tuple(entries)
        self.partition, self.sort = Template.of(partition), Template.of(sort)
        self.partitions = partitions_of(self.partition)
        declared = Declared(entity, name, self.partition, self.sort, data, self.entries)
        self._codec = compiling.codec(declared)

    def encode(self, entity: T, shard: int = FIRST) -> Item:
        """The item of an entity, in this shard of the list that it is in, if it is in one."""
        return self._codec.encode(entity, shard)

    def decode(self, item: Item) -> T:
        """The inverse, also of entries that project `data`; raises KeyError, TypeError or ValueError on other items."""
        decoded: T = self._codec.decode(item)
        return decoded

    def key(self, *names: str | int) -> Key:
        """The key of an item, by the fields in its templates, each once, in their order and of their types."""
        return self._codec.key(*names)

    def key_of(self, entity: T) -> Key:
        """The key of an entity."""
        return key_of(self.encode(entity))

    def names(self, key: Key) -> tuple[str, ...]:
        """The inverse of key, as texts; raises ValueError for another kind of key."""
        found = (*self.partition.values(key.pk), *self.sort.values(key.sk))
        return tuple(dict(zip((*self.partition.fields, *self.sort.fields), found, strict=True)).values())

    @cached_property
    def summary(self) -> KeyTemplate:
        """The keys of the summaries of its partitions."""
        return KeyTemplate(self.partition)

    @property
    def listed(self) -> Entry | None:
        """Its entry in a sharded list."""
        return next((each for each in self.entries if isinstance(each.partition, ShardedList)), None)

    @property
    def anew(self) -> Anew:
        """How items are written anew, for checks."""
        listed, never = self.listed, not self.entries
        if listed:
            return listed_anew(self.decode, self.encode, listed.index)
        return in_no_index if never else anew(self.decode, self.encode)

    @property
    def shards(self) -> InShards | None:
        """In which shard of their list items are."""
        return in_list(self.listed.index) if self.listed else None

    def source(self) -> Source:
        """The items as a source of aggregates."""
        return Source(self.name, self.decode)

    def with_summary(self, *names: str) -> Query:
        """The summary of a partition, then its items of this type."""
        beginning = self.sort.beginning
        # Up to the text that follows all which begin so.
        return Query(self.partition.filled(*names), Between(SUMMARY, f"{beginning[:-1]}{chr(ord(beginning[-1]) + 1)}"))

    def all_in(self, *names: str, forward: bool = True) -> Query:
        """The items of this type in a partition."""
        return Query(self.partition.filled(*names), BeginsWith(self.sort.beginning), forward=forward)
