"""The declaration of open hours: what waits in the item of an aggregate, and whom its closings feed."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from edgewise.aggregates.checkpoints import LATEST_DELIVERY
from edgewise.aggregates.feeds import Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.measures import Delta, Fed
from edgewise.aggregates.open_hours import attributes
from edgewise.aggregates.open_hours.attributes import Start, Wanted
from edgewise.aggregates.open_hours.hours import Closing, Opening
from edgewise.dynamodb.attributes import Item, integer, key_of
from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind


class PassedOn(NamedTuple):
    """What a put passed on: which aggregate was put, by its dimensions, the closing's number, and changes by open name.

    The number is 0 if it is still open.
    """

    about: tuple[Any, ...]
    number: int
    cells: Mapping[str, Delta]


class Closings(Source):
    """What puts of aggregates of a kind with open hours pass on.

    They have the rank of what they are made of, because nothing but sources that people write may be open. `kind` is
    the name of that kind, `key` are its keys, and `start` says when the bucket of an open cell begins.
    """

    _key: KeyTemplate
    _start: Start

    def __init__(self, kind: str, key: KeyTemplate, start: Start) -> None:
        super().__init__(kind, self._closed)
        object.__setattr__(self, "_key", key)
        object.__setattr__(self, "_start", start)

    def still_open(self, item: Item) -> PassedOn:
        """What is open in an item, as if it were being closed."""
        return self._passed_on(item, 0, attributes.open_part(item, self._start).changes)

    def kept(self, item: Item, some: Sequence[Closing] | None = None) -> list[PassedOn]:
        """The closings that an item keeps for readers, or some of them, decoded already."""
        every = attributes.closings(item, self._start) if some is None else some
        return [self._passed_on(item, each.number, each.cells) for each in every]

    def for_reader(self, item: Item, wanted: Wanted, now: Millis) -> list[PassedOn]:
        """The closings that may be needed, and what is open, under a number above theirs; of wanted names alone."""
        part = attributes.for_reader(item, self._start, wanted)
        # Older ones are absorbed, or passed over. Perhaps the aggregate that did so was emptied since, and is removed.
        expected = [closing for closing in part.closings if now - closing.at <= LATEST_DELIVERY]
        return [*self.kept(item, expected), self._passed_on(item, integer(item["Version"]) + 1, part.changes)]

    def _closed(self, item: Item) -> PassedOn | None:
        """What the put of an item closed; None if it closed nothing."""
        found = attributes.closing_of(item, self._start)
        return self._passed_on(item, found.number, found.cells) if found else None

    def _passed_on(self, item: Item, number: int, cells: Mapping[str, Delta]) -> PassedOn:
        return PassedOn(self._key.parse(*key_of(item)), number, cells)

    def fault(self, fed: "Kind", kinds: "Mapping[str, Kind]") -> str:
        """Closings end every chain: what they feed may feed the open aggregate again, but nothing open in it."""
        opened = kinds.get(self.type)
        hours = opened and opened.open_hours
        if not hours:
            return f"is fed by closings of {self.type}, which has no open part"
        return "" if fed in hours.closes else f"is fed by closings of {self.type}, which does not say so"


@dataclass(frozen=True, eq=False)
class OpenHours:
    """`stays` (edgewise/aggregates/open_hours/hours.py) decides what stays open, and `closes` are fed by the rest."""

    costs: ClassVar[str] = (
        "what it feeds waits in the item until its hour closes: one put then, instead of one for each change"
    )

    stays: Opening
    closes: "tuple[Kind, ...]"


@dataclass(frozen=True, eq=False)
class OpenedIn:
    """The open hours of the aggregate that `of` gives hold what has not been passed on to this one."""

    costs: ClassVar[str] = "it is put once an hour, not at each change"

    of: Callable[..., AggregateId]


def closes(kind: "Kind") -> "tuple[Kind, ...]":
    """The kinds that the closings of a kind's aggregates feed."""
    hours = kind.open_hours
    return hours.closes if hours else ()


def opened_in(about: AggregateId) -> AggregateId | None:
    """The aggregate in whose open hours waits what has not been passed on to this one; None: there is none."""
    declared = about.kind.opened_in
    return declared.of(*about.dimensions) if declared else None


def opened(item: Item, about: AggregateId) -> Mapping[str, Delta]:
    """What is open for one aggregate in the item that feeds it by closings."""
    found: dict[str, Delta] = {}
    for dimensions, fed in _open(about.kind, item):
        if dimensions == about.dimensions:
            for name, observation in fed.items():
                found.setdefault(name, Delta()).add(observation)
    return found


def last_kept(item: Item, about: AggregateId) -> int:
    """The number of the last closing for one aggregate that an item keeps for readers; 0 if none."""
    kept = (number for number, fed, _ in kept_for(about.kind, item) if fed == about.dimensions)
    return max(kept, default=0)


def fed_by(kind: "Kind", item: Item) -> Iterator[tuple[Dimension, ...]]:
    """What the aggregates of a kind are about that would be fed if all closed that is open in an item."""
    return (dimensions for dimensions, _ in _open(kind, item))


def kept_for(
    kind: "Kind", item: Item, some: Sequence[Closing] | None = None
) -> Iterator[tuple[int, tuple[Dimension, ...], Set[str]]]:
    """The closings that an item keeps, or some: number, what an aggregate of a kind that it feeds is about, cells."""
    for source, into in closings(kind):
        for closing in source.kept(item, some):
            yield from ((closing.number, dimensions, fed.keys()) for dimensions, fed in into(closing))


def told_by(kind: "Kind", item: Item) -> Iterator[tuple[Dimension, ...]]:
    """What the aggregates of a kind are about that are fed by the closings that an item keeps for readers."""
    return (dimensions for _, dimensions, _ in kept_for(kind, item))


def fed_by_closing(kind: "Kind", item: Item) -> Fed:
    """What the closing that the put of an item made feeds."""
    for source, into in closings(kind):
        if (closed := source.decode(item)) is not None:
            yield from into(closed)


def _open(kind: "Kind", item: Item) -> Fed:
    """What closings would feed if all closed that is open in an item."""
    for source, into in closings(kind):
        yield from into(source.still_open(item))


def closings(kind: "Kind") -> Iterator[tuple[Closings, Callable[[Any], Fed]]]:
    """The closings that feed a kind, and what each of them means to it."""
    return ((feed.source, feed.into) for feed in kind.feeds if isinstance(feed.source, Closings))
