"""What waits for the end of a window comes back out of its state as it was."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates.catalog import Catalog
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Extremes, Moment, Observation, Passed
from functions.catalog import CATALOG
from functions.stream import windows
from functions.stream.windows import MAX_STATE_BYTES, UnreadableStateError
from functions.systems.games import system as games_system
from functions.systems.graph import system as graph_system

NONE: frozenset[int] = frozenset()
values = st.decimals(-(10**12), 10**12, places=6)
numbers = st.none() | values
moments = st.none() | st.builds(Moment, st.integers(0, 2**44), values)
extremes = st.builds(Extremes, numbers, numbers, moments, moments)
passed = st.none() | st.builds(Passed, extremes, extremes, st.integers(0, 2**44))
instants = st.none() | st.integers(0, 2**44)
observations = st.dictionaries(
    st.text(max_size=8), st.builds(Observation, st.integers(-9, 9), numbers, instants, numbers, passed)
)
effects = st.builds(
    Effect,
    st.builds(Checkpoint, st.integers(0, 10**40), st.integers(0, 2**44), st.just(NONE)),
    observations,
    observations,
)
in_order = st.lists(effects, min_size=1, max_size=5, unique_by=lambda effect: effect.checkpoint.sequence).map(
    lambda some: sorted(some, key=lambda effect: effect.checkpoint.sequence)
)
GAME, DEGREE = games_system.GAME("g"), graph_system.DEGREE("d")
parts = st.tuples(st.text(max_size=8), st.integers(), st.tuples(st.text(max_size=3), st.text(max_size=3)))
ids = st.builds(AggregateId, st.sampled_from([DEGREE.kind, GAME.kind]), parts)
batches = st.dictionaries(ids, in_order, max_size=4)
BOTH = frozenset({"DEGREE", "GAME"})


def one(sequence: int) -> Effect:
    return Effect(Checkpoint(sequence, 7), {"n": Observation(sequence)}, {})


@given(batches)
def test_what_waits_comes_back_from_json(batch: dict[AggregateId, list[Effect]]) -> None:
    ready, state = windows.split(CATALOG, {}, batch, BOTH)
    assert ready == {}
    assert windows.ended(CATALOG, json.loads(json.dumps(state)), {}) == (batch, {})


def test_only_the_named_kinds_wait() -> None:
    ready, state = windows.split(CATALOG, {}, {GAME: [one(1)], DEGREE: [one(2)]}, frozenset({"GAME"}))
    assert ready == {DEGREE: [one(2)]}
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(1)]}


def test_batches_follow_each_other_and_no_record_stands_twice() -> None:
    _, state = windows.split(CATALOG, {}, {GAME: [one(1), one(2)]}, BOTH)
    _, state = windows.split(CATALOG, state, {GAME: [one(2), one(9)], DEGREE: [one(3)]}, BOTH)
    assert windows.ended(CATALOG, state, {GAME: [one(10)]}).ready == {
        GAME: [one(1), one(2), one(9), one(10)],
        DEGREE: [one(3)],
    }


def test_a_kind_that_waits_no_longer_takes_with_it_what_waited() -> None:
    """Were only its new entries written, the checkpoint would pass those that still wait."""
    _, state = windows.split(CATALOG, {}, {GAME: [one(1)], DEGREE: [one(2)]}, BOTH)
    ready, state = windows.split(CATALOG, state, {GAME: [one(3)]}, frozenset({"DEGREE"}))
    assert ready == {GAME: [one(1), one(3)], DEGREE: [one(2)]}
    assert state == {}


def test_a_kind_that_begins_to_wait_leaves_the_others_deferred() -> None:
    _, state = windows.split(CATALOG, {}, {GAME: [one(1)]}, frozenset({"GAME"}))
    ready, state = windows.split(CATALOG, state, {GAME: [one(2)], DEGREE: [one(3)]}, BOTH)
    assert ready == {}
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(1), one(2)], DEGREE: [one(3)]}


def test_a_kind_of_another_release_is_passed_over() -> None:
    kind = replace(DEGREE.kind, name="DECLARED_LATER")
    later = kind("x")
    _, state = windows.split(
        Catalog([*CATALOG.kinds.values(), kind]),
        {},
        {later: [one(1)], GAME: [one(2)]},
        frozenset({"DECLARED_LATER", "GAME"}),
    )
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(2)]}


def test_nothing_waits_in_a_window_that_has_just_begun() -> None:
    assert windows.ended(CATALOG, {}, {GAME: [one(1)]}) == ({GAME: [one(1)]}, {})
    assert windows.split(CATALOG, {}, {}, BOTH) == ({}, {})


def test_what_grows_too_large_for_a_state_waits_no_longer() -> None:
    state: windows.State = {}
    chaos = Random(1)
    effects: list[Effect] = []
    ready: Batch = {}
    while not ready:
        effects.append(Effect(Checkpoint(len(effects), 7), {f"{chaos.getrandbits(64_000):x}": Observation()}, {}))
        ready, state = windows.split(CATALOG, state, {GAME: effects[-1:]}, BOTH)
        assert len(json.dumps(state)) < 1_000_000
    assert ready == {GAME: effects}
    assert len(effects) > MAX_STATE_BYTES / 20_000
    assert state == {}


def test_a_state_in_the_format_of_another_release_is_neither_guessed_nor_dropped() -> None:
    """The shard waits for a release that reads it; the error says so to whoever is paged."""
    _, state = windows.split(CATALOG, {}, {GAME: [one(1)]}, BOTH)
    foreign = {**state, "format": windows.FORMAT + 1}
    with pytest.raises(UnreadableStateError, match=rf"has the format {windows.FORMAT + 1}, .* deploy"):
        windows.split(CATALOG, foreign, {}, BOTH)
    with pytest.raises(UnreadableStateError):
        windows.ended(CATALOG, foreign, {})
