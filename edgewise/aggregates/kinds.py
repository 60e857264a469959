"""The declaration of one kind of aggregate: what feeds it, what it measures, its key, and where its sources are.

Each system declares its own kinds (functions/systems/NAME/system.py). A change of rank r feeds only higher ranks, and
the highest rank feeds nothing, so the consumer, which writes to the table whose stream it reads, can't loop.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from edgewise.aggregates.arrivals import Arrival, always
from edgewise.aggregates.ids import AggregateId, Dimension
from edgewise.aggregates.keys import SUMMARY, summarized
from edgewise.aggregates.measures import Cell, Delta, Fed, Observations
from edgewise.aggregates.opening import Closing, Opening, is_open
from edgewise.aggregates.parts import Part
from edgewise.aggregates.recounts import Progress
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key, Partitions
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import Table
from edgewise.times import Millis

P = TypeVar("P", bound=Part)


class Reader(Protocol):
    """Reads the stored sources of an aggregate."""

    @property
    def table(self) -> Table:
        """The table that stores the sources."""

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item that the queries find, strongly consistent."""


def _nothing(_: Item, _some: Sequence[Closing] | None = None) -> Sequence[Any]:
    return ()


@dataclass(frozen=True)
class Source:
    """Items of one type that feed aggregates.

    `decode` gives what an item stands for, None if it feeds nothing at present; it raises KeyError, TypeError or
    ValueError on a foreign item. `kind`: the items are themselves aggregates of this kind. `closings`: they are
    aggregates with open parts, and `decode` gives what the put of the item closed: that is passed on once and never
    taken back. It has the rank of what it is made of, because nothing but sources that people write may be open.
    `still_open` gives what is open in such an item, as if it were being closed, and `kept` the closings that it keeps
    for readers, or some of them.
    """

    type: str
    decode: Callable[[Item], Any]
    kind: "Kind | None" = None
    still_open: Callable[[Item], Any] | None = None
    kept: Callable[[Item, Sequence[Closing] | None], Sequence[Any]] = _nothing

    @property
    def closings(self) -> bool:
        """Whether the items pass on what they close."""
        return self.still_open is not None


@dataclass(frozen=True)
class Feed:
    """Items of a source feed the aggregates that `into` yields: what each is about, and the item's observations for it.

    `takes`: whether this feed takes an item. It must follow from the record alone, or a record that is delivered again
    would be counted by another way too.
    """

    source: Source
    into: Callable[[Any], Fed]
    takes: Callable[[Any, Arrival], bool] = always


@dataclass(frozen=True)
class Read:
    """One query for sources of the cells whose names begin with `of`. `page`: how many items to ask for at once.

    `first`: a cell needs only the first of its items that this query finds.
    """

    query: Query
    of: str = ""
    page: int = 1000
    first: bool = False


@dataclass(frozen=True)
class FromSources:
    """Extremes that are read from the sources: `reads` gives the queries that find these, always in the same order.

    Its arguments are the table and what the aggregate is about.
    """

    reads: Callable[..., Iterator[Read]]


@dataclass(frozen=True)
class FromOthers:
    """Extremes that are derived from those of another kind, which is fed by the same sources and always written first.

    `step` derives the extremes of some cells of an aggregate from aggregates of that kind.
    """

    kind: "Kind"
    step: Callable[[Table, "Kind", AggregateId, Set[str]], Progress]


def _summary(*_: Dimension) -> Key:
    raise AssertionError("stands for the key of a summary, which needs the partitions")


def _no_index(_id: AggregateId, _cells: Mapping[str, Cell]) -> Item:
    return {}


def _no_bucket(_id: AggregateId, _cell: str) -> Millis:
    return 0


def _no_followers(*_: Dimension) -> Sequence[AggregateId]:
    return ()


def both_ends(timeline: Query, page: int) -> Iterator[Read]:
    """The reads for cells with instants only: the first item from each end of the timeline."""
    return (Read(replace(timeline, forward=forward), page=page, first=True) for forward in (True, False))


def as_given(*dimensions: Dimension) -> tuple[Dimension, ...]:
    """The dimensions unchanged, for kinds that people name as the code does."""
    return dimensions


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` describes its measures for people. From what an aggregate is about, `key` gives its primary key, in one
    of these `partitions`, and `sources` every item that may feed it (and some that do not). `parse` is the inverse of
    `key`; it raises ValueError for another kind of key. Without the two, it is the summary in the partition of
    one entity.

    `extremes`: how to find its minima and maxima, first and last again when one of them was removed; None: it has none.
    `followers`: the aggregates whose extremes are derived from those of this one.
    `index`: its index keys, from the cells that it has so far.
    `parts`: what its aggregates keep and do besides counting, such as rankings (edgewise/aggregates/parts.py).
    `named`: the same from what people write. `bucket_start`: when the bucket of a cell begins. `span`: the cell whose
    first and last instants readers see.

    `readable_by_all`: whether `GET /aggregates` shows it to everybody with a token; by default only its own system's
    routes decide who may know what it counts, and administrators see it.

    `shared`: items of many partitions, and so of all shards, feed the same aggregate, so it learns of them by carriers
    (edgewise/aggregates/carriers.py). Only for counts and sums. It can't be changed while sources are stored.

    `expiry_retracts`: whether an item that expires by its time to live is subtracted (by default it is not: an old
    reading was still made). `unbounded`: users name its cells, so it may have any number of them, in several items; it
    then can't feed other aggregates, nor be shared.

    `opening` decides what stays in its open part (edgewise/aggregates/opening.py), and `closes` are the kinds that its
    closings feed. `opened_in`: the aggregate whose open part holds what has not been passed on to this one.
    `recounted`: the feeds of a recount, if these are not those of the stream.

    `backfilling`: it was declared, or a feed of it, when sources were stored already. Until a backfill has added these
    (docs/changing-declarations.md), answers say so, and a check does not call its aggregates wrong; nor those that it
    feeds (`backfilled`).
    """

    name: str
    rank: int
    cells: str
    feeds: tuple[Feed, ...]
    partitions: Partitions
    sources: Callable[..., Iterator[Item]]
    extremes: FromSources | FromOthers | None
    key: Callable[..., Key] = _summary
    parse: Callable[[str, str], tuple[Dimension, ...]] = summarized
    followers: Callable[..., Sequence[AggregateId]] = _no_followers
    index: Callable[[AggregateId, Mapping[str, Cell]], Item] = _no_index
    named: Callable[..., tuple[Dimension, ...]] = as_given
    bucket_start: Callable[[AggregateId, str], Millis] = _no_bucket
    span: str | None = None
    readable_by_all: bool = False
    expiry_retracts: bool = False
    unbounded: bool = False
    opening: Opening | None = None
    closes: tuple["Kind", ...] = ()
    opened_in: Callable[..., AggregateId] | None = None
    recounted: tuple[Feed, ...] = ()
    backfilling: bool = False
    shared: bool = False
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        """Completes the key of a summary."""
        if self.key is _summary:
            object.__setattr__(self, "key", lambda name: Key(self.partitions(name), SUMMARY))

    def __call__(self, *dimensions: Dimension) -> AggregateId:
        """The aggregate of this kind with these dimensions."""
        return AggregateId(self, dimensions)

    def __repr__(self) -> str:
        return self.name

    def part(self, of: type[P]) -> P | None:
        """Its part of this class, if it has one."""
        for part in self.parts:
            if isinstance(part, of):
                return part
        return None

    @property
    def follows(self) -> bool:
        """Whether its extremes are derived from those of another kind, which must be written first."""
        return isinstance(self.extremes, FromOthers)

    def is_fed_by(self, names: Set[str]) -> bool:
        """Whether a kind of one of these names feeds it."""
        return any(feed.source.type in names for feed in self.feeds)

    def source(self, decode: Callable[[Item], Any]) -> Source:
        """Its own items as a source of further aggregates."""
        return Source(self.name, decode, self)

    def aggregates_below(self, item: Item) -> list[AggregateId]:
        """The aggregate that a source item is, if it is one; raises whatever decoding raises."""
        feeds = self.recounted or self.feeds
        below = next((feed.source.kind for feed in feeds if feed.source.type == string(item["Type"])), None)
        return [below(*below.parse(*key_of(item)))] if below else []

    def opened(self, item: Item, about: AggregateId) -> Mapping[str, Delta]:
        """What is open for one aggregate of this kind in the item that feeds it by closings."""
        found: dict[str, Delta] = {}
        for dimensions, fed in self._open(item):
            if dimensions == about.dimensions:
                for name, observation in fed.items():
                    found.setdefault(name, Delta()).add(observation)
        return found

    def kept(self, item: Item, about: AggregateId) -> int:
        """The number of the last closing for one aggregate of this kind that an item keeps for readers; 0 if none."""
        return max((number for number, fed, _ in self.kept_for(item) if fed == about.dimensions), default=0)

    def fed_by(self, item: Item) -> Iterator[tuple[Dimension, ...]]:
        """What the aggregates of this kind are about that would be fed if all closed that is open in an item."""
        return (dimensions for dimensions, _ in self._open(item))

    def kept_for(
        self, item: Item, some: Sequence[Closing] | None = None
    ) -> Iterator[tuple[int, tuple[Dimension, ...], Set[str]]]:
        """The closings that an item keeps, or some: number, what an aggregate that it feeds is about, cells."""
        for feed in self.feeds:
            for closing in feed.source.kept(item, some):
                yield from ((closing.number, dimensions, fed.keys()) for dimensions, fed in feed.into(closing))

    def told_by(self, item: Item) -> Iterator[tuple[Dimension, ...]]:
        """What the aggregates of this kind are about that are fed by the closings that an item keeps for readers."""
        return (dimensions for _, dimensions, _ in self.kept_for(item))

    def fed_by_closing(self, item: Item) -> Fed:
        """What the closing that the put of an item made feeds."""
        for feed in self.feeds:
            if feed.source.closings and (closed := feed.source.decode(item)) is not None:
                yield from feed.into(closed)

    def _open(self, item: Item) -> Fed:
        """What closings would feed if all closed that is open in an item."""
        for feed in self.feeds:
            if feed.source.still_open is not None:
                yield from feed.into(feed.source.still_open(item))

    def contributions(self, item: Item, about: AggregateId) -> Observations:
        """What a stored item contributes to one aggregate of this kind; raises whatever decoding raises."""
        kind, seen = string(item["Type"]), dict[str, Any]()
        for feed in self.recounted or self.feeds:
            if feed.source.type == kind and (entity := feed.source.decode(item)) is not None:
                seen |= {
                    name: each
                    for dimensions, fed in feed.into(entity)
                    if dimensions == about.dimensions
                    for name, each in fed.items()
                    if self.opening is None or not is_open(name)
                }
        return seen


def backfilled(kinds: Iterable[Kind]) -> frozenset[str]:
    """The names of the kinds that are being backfilled, and of those that these feed, directly or by others."""
    known = {kind.name: kind for kind in kinds}
    ahead = [*known.values()]
    while ahead:
        below = [feed.source.kind for feed in ahead.pop().feeds if feed.source.kind]
        ahead += [kind for kind in below if kind.name not in known]
        known |= {kind.name: kind for kind in below}
    found = {name for name, kind in known.items() if kind.backfilling}
    while more := {name for name, kind in known.items() if name not in found and kind.is_fed_by(found)}:
        found |= more
    return frozenset(found)
