"""The declaration of one kind of aggregate: what feeds it, what it measures, its key, and where its sources are.

Each system declares its own kinds (functions/systems/NAME/system.py). A change of rank r feeds only higher ranks, and
the highest rank feeds nothing, so the consumer, which writes to the table whose stream it reads, can't loop.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from edgewise.aggregates.doubts import Doubt
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.layout import Buckets, Indexed
from edgewise.aggregates.measures import Cell, Fed
from edgewise.aggregates.parts import Part
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key, Partitions
from edgewise.dynamodb.queries import Query
from edgewise.errors import InvalidInputError
from edgewise.times import DAY, EARLIEST, Millis

if TYPE_CHECKING:
    from edgewise.dynamodb.table import Table

P = TypeVar("P", bound=Part)


class Reader(Protocol):
    """Reads the stored sources of an aggregate."""

    @property
    def table(self) -> "Table":
        """The table that stores the sources."""

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item that the queries find, strongly consistent."""


@dataclass(frozen=True)
class Source:
    """Items of one type that feed aggregates.

    `decode` gives what an item stands for, None if it feeds nothing at present; it raises KeyError, TypeError or
    ValueError on a foreign item. `kind`: the items are themselves aggregates of this kind.

    `of_set`: those of them that are in the set of this name, where an item may be in several. Each set is read for
    itself: what can't be read as one of a set still counts in the others.
    """

    type: str
    decode: Callable[[Item], Any]
    kind: "Kind | None" = None
    of_set: str = ""

    def fault(self, fed: "Kind", kinds: Mapping[str, "Kind"]) -> str:
        """Why it can't feed a kind among these kinds; empty if it can."""
        if self.type in kinds and self.kind is not kinds[self.type]:
            return f"is fed by {self.type}, but not by the kind of that name"
        if self.kind is not None and (self.kind.name not in kinds or self.kind.rank >= fed.rank):
            return f"is fed by {self.kind.name}, which must be declared, and of a lower rank"
        return ""


class Arrival(NamedTuple):
    """What a feed may know of an item's record: when it was made, and whether it takes back what was counted before."""

    at: Millis
    corrects: bool


# Of items that are not read from the stream: it is near to no instant.
ANY_TIME = Arrival(EARLIEST - DAY, corrects=False)


def always(_entity: Any, _arrival: Arrival) -> bool:
    """Whether a feed takes an item, for feeds that take every item."""
    return True


def _untold(_entity: Any) -> Iterable[Doubt]:
    return ()


@dataclass(frozen=True)
class Feed:
    """Items of a source feed the aggregates that `into` yields: what each is about, and the item's observations for it.

    `takes`: whether this feed takes an item. It must follow from the record alone, or a record that is delivered again
    would be counted by another way too. `follow_ups`: how many of them, one after the other, may write what a person's
    change means for the item (edgewise/pending.py). `doubts`: what readers must doubt while an item can't be read that
    this feed would take, perhaps.
    """

    source: Source
    into: Callable[[Any], Fed]
    takes: Callable[[Any, Arrival], bool] = always
    doubts: Callable[[Any], Iterable[Doubt]] = _untold
    follow_ups: int = 0


def _unfindable(*_: Any) -> Iterator[Item]:
    raise InvalidInputError.of("kind", "has sources that no query finds: only a scan of the table could count them")


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` describes its measures for people. From what an aggregate is about, `key` gives its primary key, and
    `sources` every item that may feed it (and some that do not), if queries find them.

    `readable_by_all`: whether `GET /aggregates` shows it to everybody with a token; by default only its own system's
    routes decide who may know what it counts, and administrators see it.

    `expiry_retracts`: whether an item that expires by its time to live is subtracted (by default it is not: an old
    reading was still made).

    `parts`: what its aggregates keep and do besides counting, such as rankings (edgewise/aggregates/parts.py).

    `rounds`: how often a change of one of its aggregates may, by a follow-up, become a change of another one.
    """

    name: str
    rank: int
    cells: str
    feeds: tuple[Feed, ...]
    key: KeyTemplate
    sources: Callable[..., Iterator[Item]] = _unfindable
    readable_by_all: bool = False
    expiry_retracts: bool = False
    parts: tuple[Part, ...] = ()
    rounds: int = 0

    def __post_init__(self) -> None:
        """Finds parts by their classes."""
        object.__setattr__(self, "_parts", {type(part): part for part in self.parts})

    def __call__(self, *dimensions: Dimension) -> AggregateId:
        """The aggregate of this kind with these dimensions."""
        return AggregateId(self, dimensions)

    def __repr__(self) -> str:
        return self.name

    def at(self, key: Key) -> AggregateId:
        """The aggregate of this kind with this key; raises ValueError for any key that it does not make itself."""
        about = self(*self.key.parse(*key))
        if self.key(*about.dimensions) != key:
            raise ValueError(f"{key} is not the key of {about}")
        return about

    @property
    def partitions(self) -> Partitions:
        """The partitions that have its aggregates."""
        return self.key.partitions

    def part(self, of: type[P]) -> P | None:
        """Its part of this class, if it has one."""
        found: P | None = self._parts.get(of)  # type: ignore[attr-defined]
        return found

    def shows(self, name: str) -> bool:
        """Whether a cell of this name is one that its aggregates show: none that a part has for itself."""
        return not any(part.has(name) for part in self.parts)

    def bucket_start(self, about: AggregateId, cell: str) -> Millis:
        """When the bucket of a cell of one of its aggregates begins; 0 for cells that are no buckets."""
        buckets = self.part(Buckets)
        return buckets.start(about, cell) if buckets else 0

    def entries(self, about: AggregateId, cells: Mapping[str, Cell]) -> Item:
        """The index entries of one of its aggregates with these cells."""
        indexed = self.part(Indexed)
        return indexed.keys(about, cells) if indexed else {}

    @property
    def of_set(self) -> str:
        """The set that its sources are; empty if they are all items of their types."""
        return next((feed.source.of_set for feed in self.feeds), "")

    @cached_property
    def is_of_sets(self) -> bool:
        """Whether its sources, or theirs, are items in sets: its readers ask what is doubted (doubts.py)."""
        return any(
            feed.source.of_set or (feed.source.kind is not None and feed.source.kind.is_of_sets) for feed in self.feeds
        )

    @cached_property
    def passes_on(self) -> bool:
        """Whether its aggregates feed others by what one put passes on, which is never taken back."""
        return any(part.passes_on for part in self.parts)

    @cached_property
    def is_shared(self) -> bool:
        """Whether its aggregates, each fed by many shards, learn of changes by carriers."""
        return any(part.shared for part in self.parts)

    @cached_property
    def comes_later(self) -> bool:
        """Whether its aggregates must be written after others that a batch changes."""
        return any(part.comes_later for part in self.parts)

    @cached_property
    def checkpoints_tell(self) -> bool:
        """Whether all that an aggregate's checkpoints cover has been counted."""
        return all(part.checkpoints_tell for part in self.parts)

    def is_fed_by(self, names: Set[str]) -> bool:
        """Whether a kind of one of these names feeds it."""
        return any(feed.source.type in names for feed in self.feeds)

    def source(self, decode: Callable[[Item], Any]) -> Source:
        """Its own items as a source of further aggregates."""
        return Source(self.name, decode, self)
