"""Candidates: after a recount in steps, the next extremes are known without another; what is unsure is dropped."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from decimal import Decimal

import pytest

from edgewise.aggregates.aggregate import Absorbed, Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Extremes, Observation
from edgewise.aggregates.recounts import progress
from edgewise.aggregates.recounts.candidates import CELLS, MOST
from edgewise.aggregates.recounts.progress import Position, Progress
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.dynamodb.keys import Key, digest
from functions.systems.chat.system import POSTED_IN

NOW, SHARD, CELL = 1_535_544_000_000, "a", "x"
SOURCES = 50


def key(source: int) -> Key:
    return Key("SOURCE", str(source))


def change(number: int, source: int, old: int | None, new: int | None) -> Effect:
    """The record with this number: one source had one value and then another; None: it was not there."""
    added, removed = ({} if each is None else {CELL: Observation(1, Decimal(each))} for each in (new, old))
    return Effect(Checkpoint(number, NOW), added, removed, source=key(source))


def absorbed(before: Aggregate, *effects: Effect, aside: Iterable[int] = ()) -> Absorbed:
    found = before.absorb(SHARD, effects, NOW, {SHARD: frozenset(aside)})
    assert found
    return found


def read(values: Mapping[int, int], names: Iterable[str] = (CELL,)) -> Progress:
    """The last step of a recount, which reads these values of sources."""
    extremes = Extremes(Decimal(min(values.values())), Decimal(max(values.values())))
    sources = {digest(*key(source)): Decimal(value) for source, value in values.items()}
    return Progress(dict.fromkeys(names, extremes), None, sources=dict.fromkeys(names, sources))


@pytest.fixture
def recounting() -> Aggregate:
    """An aggregate of 50 sources with the values 0 to 49, of which a recount has begun."""
    first = [change(source, source, None, source) for source in range(SOURCES)]
    before = absorbed(Aggregate(POSTED_IN("amy", "seattle")), *first, change(SOURCES, SOURCES, None, -1)).aggregate
    found = absorbed(before, change(100, SOURCES, -1, None))
    assert found.stale == {CELL}
    nothing = Progress({}, Position(0, "0"), sources={CELL: {}})
    return found.aggregate.with_first_step(found.stale, nothing)


@pytest.fixture
def recounted(recounting: Aggregate) -> Aggregate:
    """The same once the recount has ended."""
    return recounting.with_next_step(read({source: source for source in range(SOURCES)}))


def test_the_next_extremes_are_known_without_a_recount(recounted: Aggregate) -> None:
    for gone in range(MOST - 1):
        found = absorbed(recounted, change(200 + gone, gone, gone, None))
        assert not found.stale
        recounted = aggregate(recounted.id, aggregate_item(found.aggregate))
        assert recounted.cells[CELL].extremes == Extremes(Decimal(gone + 1), Decimal(SOURCES - 1))
    last = absorbed(recounted, change(300, MOST - 1, MOST - 1, None))
    assert last.stale == {CELL}
    assert not last.aggregate.unknown.candidates


def test_one_that_comes_back_needs_none_ever(recounted: Aggregate) -> None:
    """A value that leaves and returns again and again, as a host does that goes down and up."""
    for number in range(100):
        old, new = (0, 1000) if number % 2 == 0 else (1000, 0)
        found = absorbed(recounted, change(200 + number, 0, old, new))
        assert not found.stale
        recounted = found.aggregate
        assert recounted.cells[CELL].extremes == Extremes(Decimal(min(1, new)), Decimal(max(SOURCES - 1, new)))


def test_what_was_read_ahead_of_its_record_comes_once_more(recounted: Aggregate) -> None:
    """The recount has read that source 3 has gone and that source 4 has the value -7; now the records come."""
    ahead = {source: source for source in range(SOURCES) if source != 3} | {4: -7}
    nothing = Progress({}, Position(0, "0"), sources={CELL: {}})
    aggregate = recounted.with_first_step({CELL}, nothing).with_next_step(read(ahead))
    after = absorbed(aggregate, change(200, 3, 3, None), change(201, 4, 4, -7), change(202, 0, 0, None))
    assert not after.stale
    assert after.aggregate.cells[CELL].extremes.low == -7
    again = absorbed(after.aggregate, change(203, 4, -7, 40))
    assert not again.stale
    assert again.aggregate.cells[CELL].extremes.low == 1


def test_what_changes_while_a_step_is_read_is_not_undone_by_it(recounting: Aggregate) -> None:
    """Two batches come between the reading of the step and its keeping."""
    first = absorbed(recounting, change(200, 0, 0, None), change(201, 1, 1, 60)).aggregate
    then = absorbed(first, change(202, 2, 2, 50)).aggregate
    ended = then.with_next_step(read({source: source for source in range(SOURCES)}))
    assert ended.cells[CELL].extremes == Extremes(Decimal(3), Decimal(60))
    assert not ended.unknown.names
    gone = absorbed(ended, change(203, 1, 60, None))
    assert not gone.stale
    assert gone.aggregate.cells[CELL].extremes == Extremes(Decimal(3), Decimal(50))


def test_what_changes_too_much_while_a_step_is_read_goes_without(
    recounting: Aggregate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The recount then ends as one without candidates: an extreme that was removed meanwhile asks for another."""
    monkeypatch.setattr(progress, "MEANWHILE", 2)
    first = absorbed(recounting, change(200, 0, 0, None), change(201, 20, 20, 30)).aggregate
    then = absorbed(first, change(202, 21, 21, 30)).aggregate
    ended = then.with_next_step(read({source: source for source in range(SOURCES)}))
    assert ended.unknown.queued == {CELL}
    assert not ended.unknown.candidates


def test_a_change_that_comes_late_asks_for_a_recount(recounted: Aggregate) -> None:
    """Source 0 had the value 20, and has 30 by now: of these records, the first was in quarantine."""
    later = absorbed(recounted, change(201, 0, 20, 30), aside=[200])
    late = absorbed(later.aggregate, change(200, 0, 0, 20), aside=[200])
    assert late.stale == {CELL}
    assert not late.aggregate.unknown.candidates


def _unplain(seen: Observation) -> Effect:
    return Effect(Checkpoint(200, NOW), {CELL: seen}, {}, source=key(7))


@pytest.mark.parametrize(
    "effect",
    [
        replace(change(200, 7, 7, 8), source=None),
        replace(change(200, 7, 7, 8), source=None).names_only,
        _unplain(Observation(1, Decimal(8), at=NOW)),
        _unplain(Observation(0, Decimal(8))),
        _unplain(Observation(1, amount=Decimal(8))),
    ],
    ids=["of several sources", "counted by a repair", "with an instant", "of nothing", "of an amount"],
)
def test_a_change_that_does_not_tell_a_value_of_a_source_drops_them(recounted: Aggregate, effect: Effect) -> None:
    assert not absorbed(recounted, effect).aggregate.unknown.candidates


def test_an_aggregate_that_lacks_a_change_has_none(recounted: Aggregate) -> None:
    lacking = recounted.without(SHARD, [change(200, 1, 1, 2)], "it was lost", NOW)
    assert lacking
    assert not lacking.aggregate.to_put().unknown.candidates
    assert recounted.to_put().unknown.candidates


def test_few_cells_have_them() -> None:
    """They take room in the item."""
    names = [f"x{number}" for number in range(CELLS + 3)]
    seen = {name: Observation(1, Decimal(1)) for name in names}
    before = absorbed(Aggregate(POSTED_IN("amy", "seattle")), Effect(Checkpoint(1, NOW), seen, {})).aggregate
    nothing = Progress({}, Position(0, "0"), sources={name: {} for name in names})
    begun = before.with_first_step(set(names), nothing)
    ended = begun.with_next_step(read({1: 1, 2: 2}, names))
    assert len(ended.unknown.candidates) == CELLS
    assert not ended.unknown.names
