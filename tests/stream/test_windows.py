"""What waits for the end of a window comes back out of its state as it was."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.aggregates.catalog import Catalog
from functions.aggregates.checkpoints import Checkpoint
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observation
from functions.catalog import CATALOG
from functions.stream import windows
from functions.stream.windows import MAX_STATE_BYTES, UnreadableStateError
from functions.systems.games import system as games_system
from functions.systems.graph import system as graph_system

NONE: frozenset[int] = frozenset()
values = st.decimals(-(10**12), 10**12, places=6)
counted = st.tuples(st.integers(-9, 9), st.none() | values)
observations = st.dictionaries(st.text(max_size=8), counted.map(lambda both: Observation(both[0], amount=both[1])))
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


@contextmanager
def waiting(*kinds: str) -> Iterator[None]:
    with patch.object(CATALOG, "waiting", frozenset(kinds)):
        yield


def one(sequence: int) -> Effect:
    return Effect(Checkpoint(sequence, 7), {"n": Observation(sequence)}, {})


@given(batches)
def test_what_waits_comes_back_from_json(batch: dict[AggregateId, list[Effect]]) -> None:
    ready, state = windows.split(CATALOG, {}, batch)
    assert ready == {}
    assert windows.ended(CATALOG, json.loads(json.dumps(state)), {}) == (batch, {})


def test_only_the_named_kinds_wait() -> None:
    with waiting("GAME"):
        ready, state = windows.split(CATALOG, {}, {GAME: [one(1)], DEGREE: [one(2)]})
    assert ready == {DEGREE: [one(2)]}
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(1)]}


def test_batches_follow_each_other_and_no_record_stands_twice() -> None:
    _, state = windows.split(CATALOG, {}, {GAME: [one(1), one(2)]})
    _, state = windows.split(CATALOG, state, {GAME: [one(2), one(9)], DEGREE: [one(3)]})
    assert windows.ended(CATALOG, state, {GAME: [one(10)]}).ready == {
        GAME: [one(1), one(2), one(9), one(10)],
        DEGREE: [one(3)],
    }


def test_a_kind_that_waits_no_longer_takes_with_it_what_waited() -> None:
    """Were only its new entries written, the checkpoint would pass those that still wait."""
    _, state = windows.split(CATALOG, {}, {GAME: [one(1)], DEGREE: [one(2)]})
    with waiting("DEGREE"):
        ready, state = windows.split(CATALOG, state, {GAME: [one(3)]})
    assert ready == {GAME: [one(1), one(3)], DEGREE: [one(2)]}
    assert state == {}


def test_a_kind_that_begins_to_wait_leaves_the_others_waiting() -> None:
    with waiting("GAME"):
        _, state = windows.split(CATALOG, {}, {GAME: [one(1)]})
    ready, state = windows.split(CATALOG, state, {GAME: [one(2)], DEGREE: [one(3)]})
    assert ready == {}
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(1), one(2)], DEGREE: [one(3)]}


def test_a_kind_of_another_release_is_passed_over() -> None:
    kind = replace(DEGREE.kind, name="DECLARED_LATER")
    later = kind("x")
    release = Catalog([*CATALOG.kinds.values(), kind])
    _, state = windows.split(release, {}, {later: [one(1)], GAME: [one(2)]})
    assert windows.ended(CATALOG, state, {}).ready == {GAME: [one(2)]}


def test_nothing_waits_in_a_window_that_has_just_begun() -> None:
    assert windows.ended(CATALOG, {}, {GAME: [one(1)]}) == ({GAME: [one(1)]}, {})
    assert windows.split(CATALOG, {}, {}) == ({}, {})


def test_what_grows_too_large_for_a_state_waits_no_longer() -> None:
    state: windows.State = {}
    chaos = Random(1)
    effects: list[Effect] = []
    ready: Batch = {}
    while not ready:
        effects.append(Effect(Checkpoint(len(effects), 7), {f"{chaos.getrandbits(64_000):x}": Observation()}, {}))
        ready, state = windows.split(CATALOG, state, {GAME: effects[-1:]})
        assert len(json.dumps(state)) < 1_000_000
    assert ready == {GAME: effects}
    assert len(effects) > MAX_STATE_BYTES / 20_000
    assert state == {}


def test_a_state_in_the_format_of_another_release_is_neither_guessed_nor_dropped() -> None:
    """The shard waits for a release that reads it; the error says so to whoever is paged."""
    _, state = windows.split(CATALOG, {}, {GAME: [one(1)]})
    foreign = {**state, "format": windows.FORMAT + 1}
    with pytest.raises(UnreadableStateError, match=rf"has the format {windows.FORMAT + 1}, .* deploy"):
        windows.split(CATALOG, foreign, {})
    with pytest.raises(UnreadableStateError):
        windows.ended(CATALOG, foreign, {})
