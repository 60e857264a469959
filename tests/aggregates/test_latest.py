"""An aggregate of one source counts what its last record says, whatever it knew, and however records come."""

from decimal import Decimal
from itertools import permutations

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.feeds import Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.kinds import Feature, Kind, Shared
from edgewise.aggregates.latest import Latest
from edgewise.aggregates.measures import Cell, Observation
from edgewise.times import HOUR

NOW = 1_700_000_000_000


def _kind(*parts: Feature) -> Kind:
    feed = Feed(Source("ITEM", lambda item: item), lambda _: iter(()))
    return Kind(name="ENTRY", rank=1, cells="", feeds=(feed,), key=KeyTemplate("ENTRY#{of}", "IT"), parts=parts)


ENTRY = _kind(Latest())("x")


def _effect(number: int, before: int | None, after: int | None, at: int = NOW) -> Effect:
    removed, added = ({} if each is None else {"net": Observation(amount=Decimal(each))} for each in (before, after))
    return Effect(Checkpoint(number, at), added, removed)


def _net(entry: Aggregate) -> dict[str, Cell]:
    return {name: cell for name, cell in entry.cells.items() if cell.counts}


def _after(entry: Aggregate, *effects: Effect, shard: str = "a") -> Aggregate:
    absorbed = entry.absorb(shard, effects, NOW, {shard: frozenset(range(100))})
    return absorbed.aggregate if absorbed else entry


HISTORY = (_effect(3, 1, 2), _effect(5, 2, None), _effect(8, None, 4))


@pytest.mark.parametrize("order", list(permutations(HISTORY)))
def test_whatever_comes_last_the_last_record_counts(order: tuple[Effect, ...]) -> None:
    entry = Aggregate(ENTRY)
    for effect in order:
        entry = _after(entry, effect)
    assert _net(entry) == {"net": Cell(1, Decimal(4))}


@pytest.mark.parametrize("read", [None, 1, 2, 4])
def test_what_somebody_has_read_of_the_source_is_replaced_by_the_next_record(read: int | None) -> None:
    entry = Aggregate(ENTRY, NOW, {"net": Cell(1, Decimal(read))} if read else {})
    assert _net(_after(entry, HISTORY[0])) == {"net": Cell(1, Decimal(2))}
    assert _after(entry, *HISTORY[:2]).emptied
    assert _net(_after(entry, *HISTORY)) == {"net": Cell(1, Decimal(4))}


def test_numbers_grow_from_shard_to_shard() -> None:
    entry = _after(Aggregate(ENTRY), HISTORY[1], shard="parent")
    entry = _after(entry, HISTORY[2], shard="child")
    assert _net(_after(entry, HISTORY[0], shard="parent")) == {"net": Cell(1, Decimal(4))}


def test_a_repair_by_hand_is_replaced_as_what_is_read() -> None:
    """Its number is an instant, and says nothing of the source's own records."""
    repair = {REPAIRS: Checkpoint(NOW + HOUR, NOW - HOUR)}
    entry = _after(Aggregate(ENTRY, NOW, {"net": Cell(1, Decimal(7))}, repair), HISTORY[0])
    assert (_net(entry), entry.lacks) == ({"net": Cell(1, Decimal(2))}, "")


def test_what_is_passed_over_changes_nothing() -> None:
    entry = _after(Aggregate(ENTRY), HISTORY[0])
    lacking = entry.without("a", [HISTORY[1]], "too large", NOW)
    assert lacking is not None
    assert _net(lacking.aggregate) == {"net": Cell(1, Decimal(2))}


def test_it_only_counts_and_adds_up() -> None:
    kind = _kind(Latest(), Shared())
    assert list(kind.faults({}, frozenset())) == [
        "counts what its one source is now: it must only count and add up, in one item, by its records"
    ]
