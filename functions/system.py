"""The description of one system of the application, in one value: everything that other code must know about it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal, get_args

from edgewise import Entry, Item, ItemType, Kind, Partitions, ShardedList
from edgewise.aggregates.backfill import backfilled
from edgewise.aggregates.catalog import DeclarationError
from edgewise.derived import Anew, Copies, InShards, anew, in_list, in_no_index, listed_anew
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.schema import Index
from edgewise.pending import FollowUp
from functions.owned import OWNER, Owned
from functions.searchable import Searchable

Group = Literal["ingest", "import", "write", "admin"]
GROUPS: tuple[Group, ...] = get_args(Group)


@dataclass(frozen=True)
class Route:
    """One route: its method and path, such as `GET /rooms/{room}`, and what it does, in words.

    Only members of `group` may call it; None: anybody with a token may. `public`: no token is needed. `shows`: the
    kinds of aggregates in its answers, whose changes it follows, or that are fed by what it lists. `by_index`: whether
    it reads them from an index, which is a moment behind the table. `live`: how people may subscribe to its answers;
    then it must have no group, because everybody with a token may.
    """

    name: str
    summary: str
    group: Group | None = None
    public: bool = False
    shows: tuple[Kind, ...] = ()
    by_index: bool = False
    live: "Live | None" = None

    def __post_init__(self) -> None:
        if self.live and self.group:
            raise DeclarationError(f"{self.name} is for members of a group: nobody can subscribe to it")

    @property
    def method(self) -> str:
        """GET, PUT, POST or DELETE."""
        return self.name.partition(" ")[0]

    @property
    def path(self) -> str:
        """The path, with its parameters in braces."""
        return self.name.partition(" ")[2]


def partition_of(item: Item) -> tuple[str, ...]:
    """The topics of items that share one with all others of their partition."""
    return (string(item["PK"]),)


@dataclass(frozen=True, eq=False)
class Live:
    """How people may subscribe to a read: they are sent its answer again when an item changes that it shows.

    A topic is any text, as a rule the key of a partition. `topic` gives that of the answer, from the parameters of the
    route; a parameter of `lists` is passed as the components that this separator joins. It raises ValueError where
    nothing can be subscribed to. `changes` gives the topics of changed items, by their type; it may raise anything on a
    foreign item. `shown`: subscribers are not sent the answer, but each new item, as the answer would show it, and of
    one that was taken back what `named` tells: the members by which the answer names it.
    """

    topic: Callable[..., str]
    changes: Mapping[str, Callable[[Item], Sequence[str]]]
    lists: Mapping[str, str] = field(default_factory=dict)
    shown: Callable[[Item], Mapping[str, Any]] | None = None
    named: Callable[[Item], Mapping[str, Any]] | None = None


Allowed = tuple[Partitions | str, ...]


def united(each: Iterable[Allowed]) -> Allowed:
    """All of these partitions, each once."""
    return tuple(dict.fromkeys(chain.from_iterable(each)))


# The texts that may stand in one part of a list's name; ANY: every text.
Texts = tuple[str, ...]
ANY: Texts = ()


@dataclass(frozen=True, kw_only=True)
class Rights:
    """What a function may do with the table: which actions, and in which partitions; a text is the key of a single one.

    `actions` are DynamoDB's on the table itself. What the function writes it may also read; a system's function may
    read its kinds of aggregates too, which the stream writes. `queried` are the partitions that it may Query of each
    index.
    """

    actions: tuple[str, ...] = ()
    writes: Allowed = ()
    reads: Allowed = ()
    queried: Mapping[Index, Allowed] = field(default_factory=dict)


@dataclass(frozen=True)
class ByHand:
    """Items of a type that a system encodes itself; `listed`: the index that has them in a sharded list."""

    name: str
    decode: Callable[[Item], Any]
    encode: Callable[..., Item]
    listed: Index | None = None

    @property
    def anew(self) -> Anew:
        """How items are written anew, for checks."""
        return listed_anew(self.decode, self.encode, self.listed) if self.listed else anew(self.decode, self.encode)

    @property
    def shards(self) -> InShards | None:
        """In which shard of their list items are."""
        return in_list(self.listed) if self.listed else None


@dataclass(frozen=True, kw_only=True)
class System:
    """One system: a folder of its name in functions/systems, and one Lambda function, for the routes declared there.

    Its function has these `rights`, and those to write its `items` and to query the indexes that they are in. Memory
    also buys CPU: 1,769 MB equal one vCPU.
    The stream's second reader finishes `follow_ups`, which are keyed by the `Type` of the changed item.
    `lists` are its sharded lists in an index: the partitions of each family, and what names a list in it.
    `directories` are the partitions of the entities that it lists by id (functions/directory.py).
    `shown` are the kinds of aggregates of other systems that its answers show.
    `live` is how people may subscribe to its reads; `searchable` what they find by words (functions/searchable.py).
    `outlets` are the entities of which a stage may tell the world outside, by the names that it gives them
    (docs/outlet.md): not what only some may read.
    `ignored` are the types of its items that no reader of the stream may ever need: they are not delivered.
    `owned` are the types of its items that people may take back (functions/owned.py).
    `by_hand` are the codecs of its other items, and `unindexed` the types of those that must be in no index.
    `anew` writes items of a type as they would be written now (edgewise/derived.py), where no codec does;
    `copies` are those that repeat others; `shards` says in which shard they are; `unjudged`: what no check can judge of
    items of a type, and why.
    `why`: what items are in an index for, by the name of their partitions there, where no entry of `items` says it.
    `private` are partitions whose contents only its own routes may show; administrators see their keys and sizes.
    """

    name: str
    rights: Rights
    memory_mb: int = 1024
    items: tuple[ItemType[Any], ...] = ()
    by_hand: tuple[ByHand, ...] = ()
    owned: tuple[Owned[Any], ...] = ()
    kinds: tuple[Kind, ...] = ()
    follow_ups: Mapping[str, FollowUp] = field(default_factory=dict)
    lists: Mapping[Partitions, Mapping[str, Texts]] = field(default_factory=dict)
    directories: tuple[Partitions, ...] = ()
    shown: tuple[Kind, ...] = ()
    live: tuple[Live, ...] = ()
    searchable: tuple[Searchable, ...] = ()
    outlets: Mapping[str, ItemType[Any]] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    private: tuple[Partitions, ...] = ()
    unindexed: tuple[str, ...] = ()
    anew: Mapping[str, Anew] = field(default_factory=dict)
    copies: tuple[Copies, ...] = ()
    shards: Mapping[str, InShards] = field(default_factory=dict)
    unjudged: Mapping[str, str] = field(default_factory=dict)
    why: Mapping[tuple[Index, str], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        entries = tuple(entry for each in self.items for entry in each.entries)
        listed = tuple(entry.partitions for entry in entries if isinstance(entry.partition, ShardedList))
        object.__setattr__(self, "rights", self._with_items(entries, listed))
        object.__setattr__(self, "lists", {each: {} for each in listed} | dict(self.lists))
        coded: tuple[ItemType[Any] | ByHand, ...] = (*self.items, *self.by_hand)
        found = {each.name: each.anew for each in coded} | dict.fromkeys(self.unindexed, in_no_index)
        found |= dict(self.anew)
        object.__setattr__(self, "anew", found | {each.type: each.anew(found[each.type]) for each in self.owned})
        shards = {each.name: each.shards for each in coded if each.shards}
        object.__setattr__(self, "shards", shards | dict(self.shards))
        why = {(entry.index, entry.partitions.name): entry.why for entry in entries if entry.why}
        object.__setattr__(self, "why", why | dict(self.why))
        for each in self.owned:
            if unknown := set(each.withdrawn_by) - {OWNER, *GROUPS}:
                raise DeclarationError(f"{each.type} is withdrawn by unknown groups: {', '.join(sorted(unknown))}")

    def _with_items(self, entries: Sequence[Entry], listed: Allowed) -> Rights:
        writes = united([self.rights.writes, tuple(each.partitions for each in self.items), listed])
        queried = dict(self.rights.queried)
        for entry in entries:
            queried[entry.index] = united([queried.get(entry.index, ()), (entry.partitions,)])
        return replace(self.rights, writes=writes, queried=queried)

    @property
    def backfilling(self) -> tuple[str, ...]:
        """The kinds in its answers that lack what was stored before they, or what feeds them, were declared."""
        kinds = (*self.kinds, *self.shown)
        found = backfilled(kinds)
        return tuple(kind.name for kind in kinds if kind.name in found)
