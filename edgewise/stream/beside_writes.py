"""Calls what the parts of kinds do beside the writes of their aggregates; where no kind has parts, that is nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from edgewise.aggregates.aggregate import Absorbed, Aggregate
from edgewise.aggregates.continuations.declaration import Unbounded
from edgewise.aggregates.continuations.items import Continuing
from edgewise.aggregates.effects import Batch, Delivery, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.mechanism import Mechanism
from edgewise.aggregates.open_hours.declaration import OpenHours
from edgewise.aggregates.open_hours.handing_on import HandingOn
from edgewise.aggregates.parts import Part
from edgewise.aggregates.rankings.declaration import Rankings
from edgewise.aggregates.rankings.judging import Judging
from edgewise.aggregates.recounts import reading
from edgewise.aggregates.recounts.declaration import with_first_step
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table
from edgewise.stream import incomplete
from edgewise.times import Millis

T = TypeVar("T")
# What mechanisms have learned of aggregates.
Learned = Mapping[tuple[type[Part], AggregateId], Any]

_ALL: Mapping[type[Part], Mechanism] = {
    OpenHours: HandingOn(),
    Unbounded: Continuing(),
    Rankings: Judging(),
}


def learned(table: Table, stored: Mapping[AggregateId, Item], now: Millis) -> Learned:
    """What is known of some aggregates, of which these are the items, before they absorb a batch."""
    return {
        (part, about): known
        for part, some in _by_part(stored).items()
        for about, known in _ALL[part].learned(table, some, now).items()
    }


def knowing(of: Aggregate, learned: Learned, now: Millis) -> Aggregate:
    """The aggregate that knows what was learned."""
    for part in _of(of.id.kind):
        if (part, of.id) in learned:
            of = _ALL[part].knowing(of, learned[part, of.id], now)
    return of


def ahead(of: Aggregate, effects: Sequence[Effect], of_batch: Delivery) -> Iterator[Delivery]:
    """What must be written, in this order, before the aggregate absorbs these effects of a batch."""
    for part in _of(of.id.kind):
        yield from _ALL[part].ahead(of, effects, of_batch)


def withheld(about: AggregateId, effects: Sequence[Effect]) -> Batch:
    """Those who would have learned of these effects by the aggregate, each with an empty effect."""
    return {each: nothing for part in _of(about.kind) for each, nothing in _ALL[part].withheld(about, effects).items()}


def passed_on(of: Aggregate, effects: Sequence[Effect]) -> Batch:
    """The part of these effects that the aggregate, once it is up to date, leaves to further items of its own."""
    return {each: rest for part in _of(of.id.kind) for each, rest in _ALL[part].passed_on(of, effects).items()}


def with_extremes(table: Table, absorbed: Absorbed, may_go_on: MayGoOn) -> Aggregate:
    """The aggregate with the extremes that can be found before it is written; later steps follow that.

    Whose sources can't be read is noted.
    """
    if not absorbed.stale:
        return absorbed.aggregate
    first = reading.first_step(table, absorbed.aggregate.id, absorbed.stale, may_go_on)
    if first is None:
        incomplete.note_unread(table, absorbed.aggregate.id.aggregate)
    return with_first_step(absorbed.aggregate, absorbed.stale, first)


def prepare(table: Table, changed: Iterable[tuple[Aggregate, Aggregate]]) -> None:
    """What must be stored before aggregates are; each of these is given as it was read, and as it is to be stored."""
    for part, some in _by_part({after.id: (before, after) for before, after in changed}).items():
        _ALL[part].prepare(table, some.values())


def settle(table: Table, stored: Mapping[AggregateId, Aggregate | None], may_go_on: MayGoOn) -> dict[AggregateId, str]:
    """What must be done once aggregates are stored; returns those for which it can't be done, with the reason.

    `stored` has the aggregates as they were written, or None for those to be read as they are now. Raises
    UnjudgedError.
    """
    lacking = dict[AggregateId, str]()
    for part, some in _by_part(stored).items():
        lacking |= _ALL[part].settle(table, some, may_go_on)
    for about, reason in lacking.items():
        incomplete.note(table, about, reason)
    return lacking


def _of(kind: Kind) -> list[type[Part]]:
    """The parts of a kind that do something beside the writes."""
    return [type(part) for part in kind.parts if type(part) in _ALL]


def _by_part(given: Mapping[AggregateId, T]) -> dict[type[Part], dict[AggregateId, T]]:
    """What is given of some aggregates, by the parts of their kinds."""
    found: dict[type[Part], dict[AggregateId, T]] = {}
    for about, each in given.items():
        for part in _of(about.kind):
            found.setdefault(part, {})[about] = each
    return found
