"""The rule by which an aggregate takes in each record exactly once."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates.aggregate import MARK_LIFETIME, Aggregate, Emptied, Entry, Mark
from functions.aggregates.measures import Cell, Observation, Observations
from functions.aggregates.recounts import Step
from functions.systems.chat.system import ROOM

ID = ROOM("seattle")
HOUR = 3_600_000
NOW = 1_000_000


def entry(sequence: int, added: Observations | None = None, removed: Observations | None = None, at: int = 0) -> Entry:
    return Entry(Mark(sequence, at), added or {}, removed or {})


def plus(sequence: int, number: int = 1) -> Entry:
    return entry(sequence, {"n": Observation(number)})


def minus(sequence: int, number: int = 1) -> Entry:
    return entry(sequence, {}, {"n": Observation(number)})


def deliver(*batches: Sequence[Entry], start: Aggregate | None = None, lane: str = "a") -> Aggregate:
    found = start or Aggregate(ID)
    for batch in batches:
        absorbed = found.absorb(lane, batch, max([NOW, *(each.mark.at for each in batch)]))
        found = absorbed.aggregate if absorbed else found
    return found


@given(
    numbers=st.lists(st.integers(-3, 3), min_size=1, max_size=8),
    ranges=st.lists(st.tuples(st.integers(0, 8), st.integers(1, 8)), max_size=8),
)
def test_overlapping_batches_count_each_record_once(numbers: list[int], ranges: list[tuple[int, int]]) -> None:
    """A lane delivers no record before those in front of it; whatever it repeats, it repeats from further back."""
    records = [
        plus(100 + index, number) if number >= 0 else minus(100 + index, -number)
        for index, number in enumerate(numbers)
    ]
    found, delivered = Aggregate(ID), 0
    for back, length in [*ranges, (len(records), len(records))]:
        start = max(0, delivered - back)
        found = deliver(records[start : start + length], start=found)
        delivered = max(delivered, min(start + length, len(records)))
    expected = deliver(records[delivered:], start=found).cells.get("n", Cell()).count
    assert expected == sum(numbers)


@pytest.mark.parametrize(
    ("again", "count"),
    [
        ([plus(1), plus(2)], None),
        ([plus(2)], None),
        ([plus(2), plus(3)], 3),
        ([plus(3)], 3),
    ],
)
def test_what_is_in_stays_in_once(again: list[Entry], count: int | None) -> None:
    first = deliver([plus(1), plus(2)])
    absorbed = first.absorb("a", again, NOW)
    assert (absorbed and absorbed.aggregate.cells["n"].count) == count


def test_a_batch_that_cancels_itself_moves_the_mark() -> None:
    """Else its second half, delivered again alone, would be taken from nothing."""
    found = deliver([plus(1), minus(2)])
    assert (found.version, found.marks, found.cells) == (NOW, {"a": Mark(2, 0)}, {})
    assert found.absorb("a", [minus(2)], NOW) is None


def test_sequence_numbers_are_numbers() -> None:
    """As text `100000000000000000000` comes before `99999999999999999999`."""
    short, long = int("9" * 20), int("1" + "0" * 20)
    found = deliver([plus(short)], [plus(long)])
    assert found.cells["n"].count == 2
    assert found.absorb("a", [plus(short)], NOW) is None


def test_lanes_know_nothing_of_each_other() -> None:
    found = deliver([plus(1)], lane="b", start=deliver([plus(9)], lane="a"))
    assert found.cells["n"].count == 2
    assert found.marks == {"a": Mark(9, 0), "b": Mark(1, 0)}


@pytest.mark.parametrize(("silence", "kept"), [(36 * HOUR, {"old", "new"}), (36 * HOUR + 1, {"new"})])
def test_marks_are_kept_as_long_as_the_stream_can_repeat_their_records(silence: int, kept: set[str]) -> None:
    old = deliver([entry(1, {"n": Observation()}, at=1000)], lane="old")
    found = deliver([entry(1, {"n": Observation()}, at=1000 + silence)], lane="new", start=old)
    assert found.marks.keys() == kept


def test_the_version_grows_with_each_batch_taken_in() -> None:
    assert deliver([plus(1)], [plus(1)], [plus(2), plus(3)]).version == NOW + 1


def test_a_stale_cell_without_sources_is_recounted_at_the_next_change() -> None:
    """What comes next must not be joined with the extremes of what is being removed."""

    def reading(sequence: int, value: int, *, gone: bool = False) -> Entry:
        seen = {"t": Observation(1, Decimal(value), value)}
        return entry(sequence, {} if gone else seen, seen if gone else {})

    before = deliver([reading(1, 1), reading(2, 5)])
    absorbed = before.absorb("a", [reading(3, 1, gone=True)], NOW)
    assert absorbed is not None
    assert absorbed.stale == {"t"}
    waiting = absorbed.aggregate.with_first_step(absorbed.stale, Step({}))
    assert waiting.due == {"t"}
    assert waiting.cells["t"].count == 1
    absorbed = waiting.absorb("a", [reading(4, 5, gone=True), reading(5, 9)], NOW)
    assert absorbed is not None
    assert absorbed.stale == {"t"}
    fresh = Cell()
    fresh.add(Observation(1, Decimal(9), 9))
    done = absorbed.aggregate.with_first_step(absorbed.stale, Step({"t": fresh.extremes}))
    assert done.cells["t"] == fresh
    assert not done.due


def test_an_emptied_cell_is_not_recounted() -> None:
    seen = {"t": Observation(1, Decimal(1), 1)}
    absorbed = deliver([entry(1, seen)]).absorb("a", [entry(2, {}, seen)], NOW)
    assert absorbed is not None
    assert (absorbed.stale, absorbed.aggregate.cells) == (frozenset(), {})


def test_the_mark_notes_what_it_passes_over() -> None:
    found = Aggregate(ID).absorb("a", [plus(1), plus(4)], NOW, {"a": {0, 3, 4, 9}, "b": {2}})
    assert found is not None
    # What comes after the mark is not passed yet, and what is among the entries is in.
    assert found.aggregate.marks == {"a": Mark(4, 0, frozenset({0, 3}))}


def test_what_was_passed_over_comes_in_once_and_the_mark_stays() -> None:
    first = Aggregate(ID).absorb("a", [plus(1), plus(4)], NOW, {"a": {3}})
    assert first is not None
    late = first.aggregate.absorb("a", [plus(3), plus(4)], NOW, {"a": {3}})
    assert late is not None
    assert late.aggregate.marks == {"a": Mark(4, 0)}
    assert late.aggregate.cells["n"].count == 3
    assert late.aggregate.absorb("a", [plus(3)], NOW, {"a": {3}}) is None


def test_what_is_in_already_is_not_noted_as_missing() -> None:
    """Another release could read it and it is in; then one that can't puts it into quarantine."""
    found = deliver([plus(1), plus(2)]).absorb("a", [plus(3)], NOW, {"a": {2}})
    assert found is not None
    assert found.aggregate.marks == {"a": Mark(3, 0)}


def test_marks_are_kept_while_their_lane_has_records_in_quarantine() -> None:
    old = deliver([plus(1)])
    years = 365 * 24 * HOUR
    for held, lanes in (({"a": {1}}, {"a", "b"}), ({}, {"b"})):
        found = old.absorb("b", [entry(5, {"n": Observation()}, at=years)], years, held)
        assert found is not None
        assert found.aggregate.marks.keys() == lanes


def test_what_comes_late_has_its_extremes_recounted() -> None:
    """What followed it may have taken it away already."""
    seen = {"n": Observation(1, Decimal(7), 0), "only counted": Observation()}
    for held, stale in (({"a": {3}}, {"n"}), ({}, set())):
        found = Aggregate(ID).absorb("a", [entry(3, seen)], NOW, held)
        assert found is not None
        assert found.stale == stale


def test_a_sum_without_a_count_is_kept() -> None:
    """What followed a record in quarantine took its 7 away; a 5 is there."""
    five, seven = Observation(1, Decimal(5), 0), Observation(1, Decimal(7), 0)
    found = deliver([entry(1, {"n": five}), entry(3, {}, {"n": seven})])
    assert (found.cells["n"].count, found.cells["n"].total) == (0, Decimal(-2))


def test_an_emptied_item_stays_long_although_its_marks_were_old_when_it_was_made() -> None:
    """Someone may stand who has read it, and must not meet its versions in the item made after it."""
    now = 100 * MARK_LIFETIME
    for made, leaves in ((now - MARK_LIFETIME, False), (now - MARK_LIFETIME - 1, True)):
        emptied = Emptied(made, {"a": Mark(1, NOW)}, "")
        assert emptied.may_leave(now, {}) == leaves
