"""What waits for the end of a window comes back out of its state as it was."""

import json

from hypothesis import given
from hypothesis import strategies as st

from functions.domain import windows
from functions.domain.aggregates import AggregateId, Entry, Mark
from functions.domain.measures import Observation
from functions.domain.windows import MAX_STATE_BYTES

NONE: frozenset[int] = frozenset()
numbers = st.none() | st.decimals(-(10**12), 10**12, places=6)
observations = st.dictionaries(
    st.text(max_size=8), st.builds(Observation, st.integers(-9, 9), numbers, st.none() | st.integers(0, 2**44), numbers)
)
entries = st.builds(
    Entry, st.builds(Mark, st.integers(0, 10**40), st.integers(0, 2**44), st.just(NONE)), observations, observations
)
in_order = st.lists(entries, min_size=1, max_size=5, unique_by=lambda entry: entry.mark.sequence).map(
    lambda some: sorted(some, key=lambda entry: entry.mark.sequence)
)
parts = st.tuples(st.text(max_size=8), st.integers(), st.tuples(st.text(max_size=3), st.text(max_size=3)))
ids = st.builds(AggregateId, st.sampled_from(["DEGREE", "GAME"]), parts)
batches = st.dictionaries(ids, in_order, max_size=4)
BOTH = frozenset({"DEGREE", "GAME"})


def one(sequence: int) -> Entry:
    return Entry(Mark(sequence, 7), {"n": Observation(sequence)}, {})


@given(batches)
def test_what_waits_comes_back_from_json(batch: dict[AggregateId, list[Entry]]) -> None:
    due, state = windows.split(batch, BOTH)
    assert due == {}
    assert windows.joined(json.loads(json.dumps(state)), {}) == batch


def test_only_the_named_kinds_wait() -> None:
    game, degree = AggregateId("GAME", ("g",)), AggregateId("DEGREE", ("d",))
    due, state = windows.split({game: [one(1)], degree: [one(2)]}, frozenset({"GAME"}))
    assert due == {degree: [one(2)]}
    assert windows.joined(state, {}) == {game: [one(1)]}


def test_the_next_batch_follows_what_waits_and_repeats_none_of_it() -> None:
    game = AggregateId("GAME", ("g",))
    _, state = windows.split({game: [one(1), one(2)]}, BOTH)
    assert windows.joined(state, {game: [one(2), one(10)]}) == {game: [one(1), one(2), one(10)]}


def test_nothing_waits_in_a_window_that_has_just_begun() -> None:
    game = AggregateId("GAME", ("g",))
    assert windows.joined({}, {game: [one(1)]}) == {game: [one(1)]}
    assert windows.split({}, BOTH) == ({}, {})


def test_what_grows_too_large_for_a_state_waits_no_longer() -> None:
    game = AggregateId("GAME", ("g",))
    many = {game: [one(sequence) for sequence in range(MAX_STATE_BYTES // 20)]}
    assert windows.split(many, BOTH) == (many, {})
