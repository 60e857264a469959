"""The declaration of what recounts find: extremes, and what other feeds count than those of the stream."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from edgewise.aggregates.feeds import Feed
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.measures import Observations
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.queries import Query

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind


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

    `items` finds the aggregates of that kind, strongly consistent, whose sources are an aggregate's: its arguments are
    the table and what that is about. `cells` names the cells of theirs that a cell of its is made of.
    """

    kind: "Kind"
    items: Callable[..., Iterator[Item]]
    cells: Callable[[str], Sequence[str]]


def _nobody(*_: Dimension) -> Sequence[AggregateId]:
    return ()


@dataclass(frozen=True, eq=False)
class Extremal:
    """Its aggregates have minima and maxima, first and last values: `found` says how, when one of them was removed.

    `followers`: the aggregates whose extremes are derived from those of one of these.
    """

    costs: ClassVar[str] = (
        "when an extreme goes, its sources are read again: in one request, or in paced steps if they are many; "
        "such steps also find the next seven extremes"
    )

    found: FromSources | FromOthers
    followers: Callable[..., Sequence[AggregateId]] = _nobody


@dataclass(frozen=True, eq=False)
class RecountedBy:
    """A recount counts by these feeds, and not by those of the stream."""

    costs: ClassVar[str] = ""

    feeds: tuple[Feed, ...]


def followers(about: AggregateId) -> Sequence[AggregateId]:
    """The aggregates whose extremes are derived from this one's, or from those of the aggregate it is part of."""
    extremal = about.kind.extremes
    return extremal.followers(*about.dimensions) if extremal else ()


def both_ends(timeline: Query, page: int) -> Iterator[Read]:
    """The reads for cells with instants only: the first item from each end of the timeline."""
    return (Read(replace(timeline, forward=forward), page=page, first=True) for forward in (True, False))


def feeds(kind: "Kind") -> tuple[Feed, ...]:
    """The feeds by which a recount counts."""
    by = kind.recounted_by
    return by.feeds if by else kind.feeds


def aggregates_below(kind: "Kind", item: Item) -> list[AggregateId]:
    """The aggregate that a source item is, if it is one; raises whatever decoding raises."""
    below = next((feed.source.kind for feed in feeds(kind) if feed.source.type == string(item["Type"])), None)
    return [below.at(key_of(item))] if below else []


def contributions(item: Item, about: AggregateId) -> Observations:
    """What a stored item contributes to one aggregate; raises whatever decoding raises."""
    kind, seen = string(item["Type"]), dict[str, Any]()
    for feed in feeds(about.kind):
        of_type = feed.source.type == kind and feed.source.tombstone not in item
        if of_type and (entity := feed.source.decode(item)) is not None:
            seen |= {
                name: each
                for dimensions, fed in feed.into(entity)
                if dimensions == about.dimensions
                for name, each in fed.items()
                if about.kind.shows(name)
            }
    return seen
