"""The declaration of one kind of aggregate: what feeds it, what it measures, its key, and where its sources are.

Each system declares its own kinds (functions/systems/NAME/system.py). A change of rank r feeds only higher ranks, and
the highest rank feeds nothing, so the consumer, which writes to the table whose stream it reads, can't loop.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, get_args, get_origin

from edgewise.aggregates.alerts import Alerts
from edgewise.aggregates.backfill import Backfilling
from edgewise.aggregates.continuations.declaration import Unbounded
from edgewise.aggregates.deriving import Deriving
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.latest import Filled, Latest
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.named import Named
from edgewise.aggregates.open_hours.declaration import OpenedIn, OpenHours
from edgewise.aggregates.open_hours.hours import is_open
from edgewise.aggregates.plain import Plain
from edgewise.aggregates.rankings.declaration import Rankings
from edgewise.aggregates.recounts.declaration import Extremal, FromOthers, RecountedBy
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key, Partitions
from edgewise.dynamodb.queries import Query
from edgewise.errors import InvalidInputError
from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.dynamodb.table import Table


class Reader(Protocol):
    """Reads the stored sources of an aggregate."""

    @property
    def table(self) -> "Table":
        """The table that stores the sources."""

    def read(self, *queries: Query) -> Iterator[Item]:
        """Every item that the queries find, strongly consistent."""


@dataclass(frozen=True, eq=False)
class Indexed:
    """Its aggregates are in an index: `keys` gives the attributes of that entry, from the cells that one has so far."""

    costs: ClassVar[str] = "an entry that moves is two puts; one that stays is none"

    keys: Callable[[AggregateId, Mapping[str, Cell]], Item]


@dataclass(frozen=True, eq=False)
class Buckets:
    """Its cells are buckets of time: `start` says when the bucket of a cell begins, and instants are packed from there.

    It is 0 for cells that are no buckets.
    """

    costs: ClassVar[str] = ""

    start: Callable[[AggregateId, str], Millis]


@dataclass(frozen=True, eq=False)
class Span:
    """Readers see the first and the last instant of this cell."""

    costs: ClassVar[str] = ""

    cell: str


class Shared:
    """Items of many partitions, and so of all shards, feed the same aggregate, which learns of them by carriers.

    (edgewise/aggregates/carriers/carrying.py.) Only for counts and sums. It can't be changed while sources are stored.
    """

    costs = "a batch brings its changes by a carrier, which costs a unit; one shard absorbs what carriers bring"


# What a kind may declare besides what it counts.
Feature = (
    Extremal
    | RecountedBy
    | OpenHours
    | OpenedIn
    | Unbounded
    | Shared
    | Rankings
    | Alerts
    | Backfilling
    | Latest
    | Filled
    | Indexed
    | Buckets
    | Span
    | Deriving[Any]
    | Plain
    | Named
)
P = TypeVar("P", bound=Feature)


def _unfindable(*_: Any) -> Iterator[Item]:
    raise InvalidInputError.of("kind", "has sources that no query finds: only a scan of the table could count them")


def _faults_of_parts(parts: Iterable[object]) -> Iterator[str]:
    """Say which of these no kind can have: what is no feature, or is there twice, would do nothing."""
    features: list[type] = [get_origin(each) or each for each in get_args(Feature)]
    found = [next((each for each in features if isinstance(part, each)), None) for part in parts]
    for part, feature in zip(parts, found, strict=True):
        if feature is None:
            yield f"has a part that is none: {part!r}"
        elif found.count(feature) > 1:
            yield f"has more than one {feature.__name__}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Kind:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` describes its measures for people. From what an aggregate is about, `key` gives its primary key, and
    `sources` every item that may feed it (and some that do not), if queries find them.

    `readable_by_all`: whether `GET /aggregates` shows it to everybody with a token; by default only its own system's
    routes decide who may know what it counts, and administrators see it.

    `expiry_retracts`: whether an item that expires by its time to live is subtracted (by default it is not: an old
    reading was still made).

    `parts`: what its aggregates keep and do besides counting, such as rankings. They are compiled into the fields from
    `extremes` on, each of which is None, or False, for a kind that does not declare it.

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
    parts: tuple[Feature, ...] = ()
    rounds: int = 0
    extremes: Extremal | None = field(init=False)
    recounted_by: RecountedBy | None = field(init=False)
    open_hours: OpenHours | None = field(init=False)
    opened_in: OpenedIn | None = field(init=False)
    ranked: Rankings | None = field(init=False)
    alerts: Alerts | None = field(init=False)
    derives: Deriving[Any] | None = field(init=False)
    index: Indexed | None = field(init=False)
    buckets: Buckets | None = field(init=False)
    span: Span | None = field(init=False)
    plain: Plain | None = field(init=False)
    named: Named | None = field(init=False)
    unbounded: bool = field(init=False)
    shared: bool = field(init=False)
    backfilling: bool = field(init=False)
    latest: bool = field(init=False)
    filled: bool = field(init=False)

    def __post_init__(self) -> None:
        """Compile the declared parts."""

        def declared(of: type[P]) -> P | None:
            return next((part for part in self.parts if isinstance(part, of)), None)

        compiled = {
            "extremes": declared(Extremal),
            "recounted_by": declared(RecountedBy),
            "open_hours": declared(OpenHours),
            "opened_in": declared(OpenedIn),
            "ranked": declared(Rankings),
            "alerts": declared(Alerts),
            "derives": declared(Deriving),
            "index": declared(Indexed),
            "buckets": declared(Buckets),
            "span": declared(Span),
            "plain": declared(Plain),
            "named": declared(Named),
            "unbounded": declared(Unbounded) is not None,
            "shared": declared(Shared) is not None,
            "backfilling": declared(Backfilling) is not None,
            "latest": declared(Latest) is not None,
            "filled": declared(Filled) is not None,
        }
        for name, part in compiled.items():
            object.__setattr__(self, name, part)

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

    def shows(self, name: str) -> bool:
        """Whether a cell of this name is one that its aggregates show: none that is only open in them."""
        return not (self.open_hours and is_open(name))

    def entries(self, about: AggregateId, cells: Mapping[str, Cell]) -> Item:
        """The index entries of one of its aggregates with these cells."""
        return self.index.keys(about, cells) if self.index else {}

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
    def comes_later(self) -> bool:
        """Whether its aggregates must not be ahead of others, from which they have their extremes."""
        return self.extremes is not None and isinstance(self.extremes.found, FromOthers)

    @property
    def source_types(self) -> tuple[str, ...]:
        """The types of the items that feed it, with that of the aggregates whose closings do."""
        closing = (self.opened_in.by,) if self.opened_in else ()
        return tuple(dict.fromkeys((*(feed.source.type for feed in self.feeds), *closing)))

    def source(self, decode: Callable[[Item], Any]) -> Source:
        """Its own items as a source of further aggregates."""
        return Source(self.name, decode, self)

    def faults(self, kinds: Mapping[str, "Kind"], sources: Set[str]) -> Iterator[str]:
        """Why it can't be exact as it is declared, among these kinds, if items of these types are sources."""
        yield from _faults_of_parts(self.parts)
        found = self.extremes and self.extremes.found
        if isinstance(found, FromOthers) and found.kind.name not in kinds:
            yield f"takes its extremes from {found.kind.name}, which is not declared"
        if self.opened_in and (fault := self.opened_in.fault(self, kinds)):
            yield fault
        if self.shared and (self.extremes or self.unbounded or self.opened_in):
            yield "is fed by all shards: it must only count and add up, in one item"
        if self.shared and self.name in sources:
            yield "is fed by all shards: it can't feed other aggregates"
        if self.latest and (self.extremes or self.unbounded or self.shared or self.open_hours or self.opened_in):
            yield "counts what its one source is now: it must only count and add up, in one item, by its records"
        if self.ranked and self.extremes:  # while they are recounted, nobody knows what an aggregate counts
            yield "is ranked: it must have no extremes"
        if self.alerts and not self.readable_by_all:
            yield "has alerts, which all may read: it must be readable by all"
