"""How one kind of aggregate is declared, whole: what feeds it, what it measures, where it stands, what it was made of.

Each system declares its own (functions/systems/NAME/system.py). A change of rank r feeds only higher ranks, and the
last rank never leaves the table as a source, so the consumer, which writes to the table it listens to, can't loop.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Protocol

from functions.aggregates.ids import AggregateId, Dimension
from functions.aggregates.measures import Cell, Fed, Observations
from functions.aggregates.recounts import Progress
from functions.dynamodb.attributes import Item, key_of, string
from functions.dynamodb.keys import Key
from functions.dynamodb.queries import Query
from functions.dynamodb.table import Table
from functions.times import Millis


class Reader(Protocol):
    """What reads the stored sources of an aggregate."""

    @property
    def table(self) -> Table:
        """Where they are stored."""

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item of the queries, strongly consistent."""


@dataclass(frozen=True)
class Source:
    """Items of one type, of which aggregates are made.

    `decode` says what an item stands for, None if it feeds nothing (now); it raises KeyError, TypeError or ValueError
    on a foreign item. `kind`: the items are themselves aggregates of this kind.
    """

    type: str
    decode: Callable[[Item], Any]
    kind: "Kind | None" = None


@dataclass(frozen=True)
class Feed:
    """Items of a source feed the aggregates that `into` yields: what each is about, and what it observes.

    `shared`: items of many partitions, so of all shards, may feed the same aggregate; it may have partial aggregates
    then (functions/aggregates/partials.py). Only for counts and sums of the highest rank, under a few hundred names at
    most.
    """

    source: Source
    into: Callable[[Any], Fed]
    shared: bool = False


@dataclass(frozen=True)
class Read:
    """One query for sources of the cells whose names begin with `of`. `page`: how many items to ask for at once.

    `first`: what comes first for a cell is all that it needs of this query.
    """

    query: Query
    of: str = ""
    page: int = 1000
    first: bool = False


@dataclass(frozen=True)
class FromSources:
    """Extremes that are read from the sources: the queries that find them, always in the same order.

    They follow from the table and from what the aggregate is about.
    """

    reads: Callable[..., Iterator[Read]]


@dataclass(frozen=True)
class FromOthers:
    """Extremes that are made of those of another kind, which is fed by the same sources and always written first.

    `step` makes them, of these cells of an aggregate, from those of that kind.
    """

    kind: "Kind"
    step: Callable[[Table, "Kind", AggregateId, Set[str]], Progress]


def _no_index(_id: AggregateId, _cells: Mapping[str, Cell]) -> Item:
    return {}


def _no_bucket(_id: AggregateId, _cell: str) -> Millis:
    return 0


def _no_followers(*_: Dimension) -> Sequence[AggregateId]:
    return ()


def both_ends(timeline: Query, page: int) -> Iterator[Read]:
    """Of cells that know instants only, what is found first from both ends."""
    return (Read(replace(timeline, forward=forward), page=page, first=True) for forward in (True, False))


def as_given(*dimensions: Dimension) -> tuple[Dimension, ...]:
    """What people write is what the aggregate is about."""
    return dimensions


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` are its measures, for people. `key` gives its place in the table, `sources` every item that one may have
    been made of (and some that it was not), both from what it is about.

    `extremes`: how its minima and maxima, its first and last are found again when one of them was taken away; None: it
    has none. `followers`: the aggregates whose extremes are made of this one's.
    `index`: the keys by which indexes list it, of whatever cells have arrived.
    `parse`: what an aggregate is about, from its key; for those that feed others.
    `named`: the same from what people write. `bucket_start`: when the bucket of a cell begins. `span`: the cell whose
    first and last instant readers are told.

    `expiry_retracts` says whether an item that its time to live removed is taken out of the numbers again (it is not:
    an old reading has still been made). `unbounded`: users name its cells, so it may have any number of them, in
    several items; it can't feed other aggregates then, nor have partial aggregates.
    """

    name: str
    rank: int
    cells: str
    feeds: tuple[Feed, ...]
    key: Callable[..., Key]
    sources: Callable[..., Iterator[Item]]
    extremes: FromSources | FromOthers | None
    followers: Callable[..., Sequence[AggregateId]] = _no_followers
    index: Callable[[AggregateId, Mapping[str, Cell]], Item] = _no_index
    parse: Callable[[str, str], tuple[Dimension, ...]] | None = None
    named: Callable[..., tuple[Dimension, ...]] = as_given
    bucket_start: Callable[[AggregateId, str], Millis] = _no_bucket
    span: str | None = None
    expiry_retracts: bool = False
    unbounded: bool = False

    def __call__(self, *dimensions: Dimension) -> AggregateId:
        """The aggregate of this kind about these."""
        return AggregateId(self, dimensions)

    def __repr__(self) -> str:
        return self.name

    @property
    def follows(self) -> bool:
        """Whether its extremes are made of another kind's, which must be written before it."""
        return isinstance(self.extremes, FromOthers)

    def source(self, decode: Callable[[Item], Any]) -> Source:
        """Its own items as a source of further aggregates."""
        return Source(self.name, decode, self)

    def aggregates_below(self, item: Item) -> list[AggregateId]:
        """The aggregate that one of its sources is itself, if it is one; raises as decoding does."""
        below = next((feed.source.kind for feed in self.feeds if feed.source.type == string(item["Type"])), None)
        if below is None or below.parse is None:
            return []
        return [below(*below.parse(*key_of(item)))]

    def contributions(self, item: Item, about: AggregateId) -> Observations:
        """What a stored item contributes to one aggregate of this kind; raises whatever decoding raises."""
        kind, seen = string(item["Type"]), dict[str, Any]()
        for feed in self.feeds:
            if feed.source.type == kind and (entity := feed.source.decode(item)) is not None:
                seen |= {
                    name: each
                    for dimensions, fed in feed.into(entity)
                    if dimensions == about.dimensions
                    for name, each in fed.items()
                }
        return seen
