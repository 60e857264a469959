"""The rule by which an aggregate takes in each record exactly once."""

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.emptied import Emptied
from edgewise.aggregates.measures import Cell, Observation, Observations
from edgewise.aggregates.recounts.progress import Progress
from edgewise.aggregates.recounts.unknown import Unknown
from functions.systems.chat.system import POSTED_IN
from tests.delivery.mutants.changes import Edit

ID = POSTED_IN("amy", "seattle")
HOUR = 3_600_000
NOW = 1_000_000


def effect(
    sequence: int, added: Observations | None = None, removed: Observations | None = None, at: int = 0
) -> Effect:
    return Effect(Checkpoint(sequence, at), added or {}, removed or {})


def plus(sequence: int, number: int = 1) -> Effect:
    return effect(sequence, {"n": Observation(number)})


def minus(sequence: int, number: int = 1) -> Effect:
    return effect(sequence, {}, {"n": Observation(number)})


def deliver(*batches: Sequence[Effect], start: Aggregate | None = None, shard: str = "a") -> Aggregate:
    found = start or Aggregate(ID)
    for batch in batches:
        absorbed = found.absorb(shard, batch, max([NOW, *(each.checkpoint.at for each in batch)]))
        found = absorbed.aggregate if absorbed else found
    return found


@given(
    numbers=st.lists(st.integers(-3, 3), min_size=1, max_size=8),
    ranges=st.lists(st.tuples(st.integers(0, 8), st.integers(1, 8)), max_size=8),
)
def test_overlapping_batches_count_each_record_once(numbers: list[int], ranges: list[tuple[int, int]]) -> None:
    """A shard delivers no record before those in front of it; whatever it repeats, it repeats from further back."""
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
def test_what_is_in_stays_in_once(again: list[Effect], count: int | None) -> None:
    first = deliver([plus(1), plus(2)])
    absorbed = first.absorb("a", again, NOW)
    assert (absorbed and absorbed.aggregate.cells["n"].count) == count


def test_a_batch_that_cancels_itself_moves_the_checkpoint() -> None:
    """Else its second half, delivered again alone, would be taken from nothing."""
    found = deliver([plus(1), minus(2)])
    assert (found.version, found.checkpoints, found.cells) == (NOW, {"a": Checkpoint(2, 0)}, {})
    assert found.absorb("a", [minus(2)], NOW) is None


def test_sequence_numbers_are_numbers() -> None:
    """As text `100000000000000000000` comes before `99999999999999999999`."""
    short, long = int("9" * 20), int("1" + "0" * 20)
    found = deliver([plus(short)], [plus(long)])
    assert found.cells["n"].count == 2
    assert found.absorb("a", [plus(short)], NOW) is None


def test_shards_know_nothing_of_each_other() -> None:
    found = deliver([plus(1)], shard="b", start=deliver([plus(9)], shard="a"))
    assert found.cells["n"].count == 2
    assert found.checkpoints == {"a": Checkpoint(9, 0), "b": Checkpoint(1, 0)}


@pytest.mark.parametrize(("silence", "kept"), [(36 * HOUR, {"old", "new"}), (36 * HOUR + 1, {"new"})])
def test_checkpoints_are_kept_as_long_as_the_stream_can_repeat_their_records(silence: int, kept: set[str]) -> None:
    old = deliver([effect(1, {"n": Observation()}, at=1000)], shard="old")
    found = deliver([effect(1, {"n": Observation()}, at=1000 + silence)], shard="new", start=old)
    assert found.checkpoints.keys() == kept


def test_the_version_grows_with_each_batch_taken_in() -> None:
    assert deliver([plus(1)], [plus(1)], [plus(2), plus(3)]).version == NOW + 1


def test_a_stale_cell_without_sources_is_recounted_at_the_next_change() -> None:
    """What comes next must not be joined with the extremes of what is being removed."""

    def reading(sequence: int, value: int, *, gone: bool = False) -> Effect:
        seen = {"t": Observation(1, Decimal(value), value)}
        return effect(sequence, {} if gone else seen, seen if gone else {})

    before = deliver([reading(1, 1), reading(2, 5)])
    absorbed = before.absorb("a", [reading(3, 1, gone=True)], NOW)
    assert absorbed is not None
    assert absorbed.stale == {"t"}
    deferred = absorbed.aggregate.with_first_step(absorbed.stale, Progress({}))
    assert deferred.unknown.due == {"t"}
    assert deferred.cells["t"].count == 1
    added = deferred.absorb("a", [reading(4, 9)], NOW)
    assert added is not None
    assert added.stale == {"t"}
    absorbed = deferred.absorb("a", [reading(4, 5, gone=True), reading(5, 9)], NOW)
    assert absorbed is not None
    assert absorbed.stale == {"t"}
    fresh = Cell()
    fresh.add(Observation(1, Decimal(9), 9))
    done = absorbed.aggregate.with_first_step(absorbed.stale, Progress({"t": fresh.extremes}))
    assert done.cells["t"] == fresh
    assert not done.unknown.due


def test_but_for_one_line_it_would_stay_unknown() -> None:
    every = "now.due if now.recount else now.due | now.queued"
    with Edit(Unknown.absorbing, every, "frozenset(stale - told.keys())").made(), pytest.raises(AssertionError):
        test_a_stale_cell_without_sources_is_recounted_at_the_next_change()


def test_an_emptied_cell_is_not_recounted() -> None:
    seen = {"t": Observation(1, Decimal(1), 1)}
    absorbed = deliver([effect(1, seen)]).absorb("a", [effect(2, {}, seen)], NOW)
    assert absorbed is not None
    assert (absorbed.stale, absorbed.aggregate.cells) == (frozenset(), {})


def test_the_checkpoint_notes_what_it_passes_over() -> None:
    found = Aggregate(ID).absorb("a", [plus(1), plus(4)], NOW, {"a": {0, 3, 4, 9}, "b": {2}})
    assert found is not None
    # What comes after the checkpoint is not passed yet, and what is among the entries is in.
    assert found.aggregate.checkpoints == {"a": Checkpoint(4, 0, frozenset({0, 3}))}


def test_what_was_passed_over_comes_in_once_and_the_checkpoint_stays() -> None:
    first = Aggregate(ID).absorb("a", [plus(1), plus(4)], NOW, {"a": {3}})
    assert first is not None
    late = first.aggregate.absorb("a", [plus(3), plus(4)], NOW, {"a": {3}})
    assert late is not None
    assert late.aggregate.checkpoints == {"a": Checkpoint(4, 0)}
    assert late.aggregate.cells["n"].count == 3
    assert late.aggregate.absorb("a", [plus(3)], NOW, {"a": {3}}) is None


def test_what_is_in_already_is_not_noted_as_missing() -> None:
    """Another release could read it and it is in; then one that can't puts it into quarantine."""
    found = deliver([plus(1), plus(2)]).absorb("a", [plus(3)], NOW, {"a": {2}})
    assert found is not None
    assert found.aggregate.checkpoints == {"a": Checkpoint(3, 0)}


def test_checkpoints_are_kept_while_their_shard_has_records_in_quarantine() -> None:
    old = deliver([plus(1)])
    years = 365 * 24 * HOUR
    for quarantined, shards in (({"a": {1}}, {"a", "b"}), ({}, {"b"})):
        found = old.absorb("b", [effect(5, {"n": Observation()}, at=years)], years, quarantined)
        assert found is not None
        assert found.aggregate.checkpoints.keys() == shards


def test_what_comes_late_has_its_extremes_recounted() -> None:
    """What followed it may have taken it away already."""
    seen = {"n": Observation(1, Decimal(7), 0), "only counted": Observation()}
    for quarantined, stale in (({"a": {3}}, {"n"}), ({}, set())):
        found = Aggregate(ID).absorb("a", [effect(3, seen)], NOW, quarantined)
        assert found is not None
        assert found.stale == stale


def test_a_sum_without_a_count_is_kept() -> None:
    """What followed a record in quarantine took its 7 away; a 5 is there."""
    five, seven = Observation(1, Decimal(5), 0), Observation(1, Decimal(7), 0)
    found = deliver([effect(1, {"n": five}), effect(3, {}, {"n": seven})])
    assert (found.cells["n"].count, found.cells["n"].total) == (0, Decimal(-2))


def test_an_emptied_item_stays_long_although_its_checkpoints_were_old_when_it_was_made() -> None:
    """Someone may stand who has read it, and must not meet its versions in the item made after it."""
    now = 100 * CHECKPOINT_LIFETIME
    for made, leaves in ((now - CHECKPOINT_LIFETIME, False), (now - CHECKPOINT_LIFETIME - 1, True)):
        emptied = Emptied(made, {"a": Checkpoint(1, NOW)}, "")
        assert emptied.may_leave(now, {}) == leaves
