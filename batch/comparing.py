"""Compares what is stored of an aggregate with what was found for it, and says what would put it right."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from batch import found
from batch.expiring import NOTHING_EXPIRES, Expiring
from batch.found import QUARANTINED, UNSETTLED, Found, Name
from edgewise.aggregates import keys, knew, whose
from edgewise.aggregates.additions import Addition, addition
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.backfill import backfilled
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.continuations.items import continuations, merged
from edgewise.aggregates.effects import Contributions
from edgewise.aggregates.keys import CONTINUED, AggregateId
from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream.verification import Verification

EQUAL, WRONG, FOLLOWS, NOTED, UNREADABLE = "equal", "wrong", "follows", "noted", "unreadable"
BACKFILLING, EXPIRED = "backfilling", "expired"
# What follows from several others follows from the last of these.
_GRAVITY = (UNREADABLE, UNSETTLED, BACKFILLING, QUARANTINED, FOLLOWS)
# What a run reports as differences: everything else is right, or not settled.
REPORTED = (WRONG, NOTED, FOLLOWS, UNREADABLE)


@dataclass(frozen=True, slots=True)
class Compared:
    """An aggregate, or an item that can't be understood, and what the comparison says of it. `why` is one of

    - EQUAL: it says what its sources say
    - WRONG: it agrees neither with its sources nor with what is stored one rank below
    - NOTED: the same, but it says itself that it lacks something
    - FOLLOWS: it agrees with what is stored below, so something below is wrong
    - UNSETTLED, QUARANTINED: it differs, but its sources were changing, or a change of them is in quarantine
    - BACKFILLING: it differs because it, or what feeds it, does not count yet what was stored before it was declared
    - EXPIRED: it counts more than its sources say, and these have a time to live: some that it counts may be gone
    - UNREADABLE: the item can't be understood, for this `reason`

    `expected` and `stored` are the cells that differ, as they are stored; `feeds` the aggregates that become something
    else when this one is right. `adds` is what would make it agree with what is stored below it, as the plan of a
    repair, which `knew` these checkpoints (edgewise/aggregates/knew.py); the stream then `carries` the rest. `close`:
    only once what is open for it has been passed on. `unsettled`: nobody knows whether it is right. `together`: lines
    of a plan with the same number depend on each other; 0: on none.
    """

    key: Key
    kind: str
    why: str
    name: Name | None = None
    expected: Mapping[str, str] = field(default_factory=dict)
    stored: Mapping[str, str] = field(default_factory=dict)
    checkpoints: Mapping[str, Any] = field(default_factory=dict)
    feeds: tuple[Key, ...] = ()
    adds: Addition = field(default_factory=dict)
    carries: Addition = field(default_factory=dict)
    knew: Sequence[Any] = ()
    close: bool = False
    unsettled: bool = False
    together: int = 0
    reason: str = ""


def compared(catalog: Catalog, key: Key, of: Found, expiring: Expiring = NOTHING_EXPIRES) -> Iterator[Compared]:
    """The comparison of what was found for one key; none if it is no aggregate and can be understood."""
    if of.unreadable and QUARANTINED not in of.marks:
        yield Compared(key, of.of_type, UNREADABLE, reason=of.unreadable)
    if of.name or of.items:
        try:
            with sorted_out():
                yield _compared(catalog, key, of, expiring)
        except PoisonError as poison:
            yield Compared(key, "", UNREADABLE, reason=poison.reason)


def _compared(catalog: Catalog, key: Key, of: Found, expiring: Expiring) -> Compared:
    about = of.name.of(catalog) if of.name else whose.about(catalog.kinds, of.items[0]).aggregate
    items = _in_order(about, of.items)
    each = (of.from_sources, of.from_below)
    sources, below = (Verification(items, cells, 0, True, opened=of.opened) for cells in each)
    why = _why(catalog, of, sources, below, expiring)
    # Extremes that no recount found stay unknown until the next change, and after a restore those of a recount that was
    # under way for ever; unless a repair asks again.
    right = below.equal and not any(item.unknown.names for item in items)
    unsettled = bool(of.marks)
    if sources.equal and (right or unsettled):
        return Compared(key, about.kind.name, why, unsettled=unsettled)
    settled = not (unsettled or right or why == EXPIRED)
    adds = addition(below.stored.cells, below.recounted, of.closing) if settled else {}
    return Compared(
        key,
        about.kind.name,
        why,
        found.named(about),
        *sources.differing,
        checkpoints=sources.reached,
        feeds=() if why == EXPIRED else _fed(catalog, about, sources),
        adds=adds,
        carries=addition(below.recounted, sources.recounted) if settled else {},
        knew=knew.plain(items),
        close=bool(of.opened and adds),
        unsettled=unsettled,
    )


def _why(catalog: Catalog, of: Found, sources: Verification, below: Verification, expiring: Expiring) -> str:
    if sources.equal:
        return EQUAL
    for mark in (UNSETTLED, QUARANTINED):
        if mark in of.marks:
            return mark
    if sources.stored.id.kind.name in backfilled(catalog.kinds.values()):
        return BACKFILLING
    if expiring.explain(below):
        return EXPIRED
    if below.equal:
        return FOLLOWS
    return NOTED if sources.stored.lacks else WRONG


def _in_order(about: AggregateId, items: Sequence[Item]) -> list[Aggregate]:
    """The aggregate and its continuations, from the first on: those that readers find, too.

    If an item is lost, nobody looks at what continues it until it is full again.
    """
    by_path = {_path(item): item for item in items}
    found = [aggregate(about, by_path.get(""))]
    for item in found:  # it grows meanwhile
        if item.full:
            found += [aggregate(each, by_path[each.path]) for each in continuations(item.id) if each.path in by_path]
    return found


def _path(item: Item) -> str:
    return keys.continued(key_of(item))[1] if string(item["Type"]) == CONTINUED else ""


def _fed(catalog: Catalog, about: AggregateId, verified: Verification) -> tuple[Key, ...]:
    """The aggregates to which it contributes something else than it should."""
    if about.kind.name not in catalog.feeds or about.kind.open_hours:
        return ()
    stored, right = (
        _contributions(catalog, about, cells) for cells in (merged(verified.items).cells, verified.recounted)
    )
    return tuple(keys.of(fed) for fed in stored.keys() | right.keys() if stored.get(fed) != right.get(fed))


def _contributions(catalog: Catalog, about: AggregateId, cells: Mapping[str, Cell]) -> Contributions:
    return catalog.contributions_of(aggregate_item(Aggregate(about, version=1, cells=cells)) if cells else None)


def settled(differing: Iterable[Compared], rank_of: Mapping[str, int]) -> list[Compared]:
    """Those that differ, where each that follows is told from what it follows: something wrong, or not settled."""
    spoilt: dict[Key, str] = {}
    told = []
    for each in sorted(differing, key=lambda one: rank_of.get(one.kind, 0)):
        why = spoilt.get(each.key, UNSETTLED) if each.why == FOLLOWS else each.why
        told.append(replace(each, why=why))
        spoils = FOLLOWS if why in (WRONG, NOTED, FOLLOWS) else why
        for key in each.feeds:
            spoilt[key] = max(spoilt.get(key, UNSETTLED), spoils, key=_GRAVITY.index)
    return told
