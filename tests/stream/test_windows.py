"""What waits for the end of a window comes back out of its state as it was."""

import json
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect, Made
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Observation
from edgewise.stream import windows
from edgewise.stream.windows import MOST_BROUGHT, PATIENCE, UnreadableStateError, Waiting
from functions.catalog import CATALOG
from functions.systems.games import system as games_system

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
GAME, SCORES = games_system.GAME("g"), games_system.SCORES("d")
parts = st.tuples(st.text(max_size=8), st.integers(), st.tuples(st.text(max_size=3), st.text(max_size=3)))
ids = st.builds(AggregateId, st.sampled_from([SCORES.kind, GAME.kind]), parts)
batches = st.dictionaries(ids, in_order, max_size=4)
made = st.none() | st.builds(Made, st.integers(0, 2**44), st.integers(0, 2**44), st.booleans())
by_carriers = st.tuples(in_order, made).map(lambda both: [replace(effect, made=both[1]) for effect in both[0]])
came = st.dictionaries(ids, by_carriers, max_size=4)


def one(sequence: int) -> Effect:
    return Effect(Checkpoint(sequence, 7), {"n": Observation(sequence)}, {})


def large(sequence: int, at: int, size: int) -> dict[AggregateId, list[Effect]]:
    """What a carrier has brought: so many digits, which can't be packed well."""
    name = f"{Random(sequence).getrandbits(4 * size):x}" if size else "n"
    return {GAME: [Effect(Checkpoint(sequence, at), {name: Observation()}, {})]}


def through_json(waiting: Waiting) -> Waiting:
    return Waiting.of(json.loads(json.dumps(waiting.state)))


@given(batches, came, st.none() | st.builds(Checkpoint, st.integers(0, 10**40), st.integers(0, 2**44)))
def test_what_waits_comes_back_from_json(
    batch: dict[AggregateId, list[Effect]], brought: dict[AggregateId, list[Effect]], last: Checkpoint | None
) -> None:
    waiting = Waiting().with_batch(batch, brought, last)
    again = through_json(waiting)
    assert windows.unpacked(CATALOG, again.packed) == batch
    assert windows.unpacked(CATALOG, again.brought) == brought
    assert again.reached == (last and last[:2])
    for since, of in ((again.since, batch), (again.brings, brought)):
        assert since == min((effects[0].checkpoint.at for effects in of.values()), default=None)
    assert windows.size(waiting.state) == waiting.size + waiting.size_brought


def test_no_number_of_a_record_is_a_json_number() -> None:
    """Whoever passes the state on may read these as floating point."""
    state = Waiting().with_batch({GAME: [one(10**21)]}, {GAME: [one(10**22)]}, Checkpoint(10**23, 7)).state
    assert (
        max(json.loads(f"[{','.join(text for text in json.dumps(state).split() if text.isdecimal())}]") or [0]) < 2**53
    )
    assert str(10**23) in json.dumps(state)


def test_batches_follow_each_other_and_no_record_stands_twice() -> None:
    waiting = Waiting().with_batch({GAME: [one(1), one(2)]}, {}, Checkpoint(2, 7))
    waiting = through_json(waiting).with_batch({GAME: [one(2), one(9)], SCORES: [one(3)]}, {}, Checkpoint(9, 8))
    assert windows.unpacked(CATALOG, waiting.packed) == {GAME: [one(1), one(2), one(9)], SCORES: [one(3)]}
    assert waiting.reached == (9, 8)


def test_a_batch_that_comes_again_does_not_take_back_how_far_the_window_has_come() -> None:
    waiting = Waiting().with_batch({}, {}, Checkpoint(9, 8)).with_batch({}, {}, Checkpoint(5, 7))
    assert waiting.reached == (9, 8)


def test_a_kind_of_another_release_is_passed_over() -> None:
    kind = replace(SCORES.kind, name="DECLARED_LATER")
    release = Catalog([*CATALOG.kinds.values(), kind])
    waiting = Waiting().with_batch({kind("x"): [one(1)], GAME: [one(2)]}, {}, None)
    assert windows.unpacked(CATALOG, waiting.packed) == {GAME: [one(2)]}
    assert windows.unpacked(release, waiting.packed) == {kind("x"): [one(1)], GAME: [one(2)]}


def test_a_window_that_has_had_a_record_has_a_state() -> None:
    """So a later call without one tells that it was lost."""
    assert Waiting().state == {}
    assert Waiting().with_batch({}, {}, Checkpoint(1, 7)).state


@pytest.mark.parametrize(
    ("age", "alone", "size", "due"),
    [
        (0, False, 1, False),
        (PATIENCE - 1, False, 1, False),
        (PATIENCE, False, 1, True),
        (0, True, 1, True),
        (0, False, MOST_BROUGHT + 1, True),
    ],
)
def test_what_carriers_brought_waits_for_others_while_something_else_comes(
    age: int, alone: bool, size: int, due: bool
) -> None:
    waiting = Waiting().with_batch({}, large(1, 5_000, 0), None).with_batch({}, large(2, 6_000, 2 * size), None)
    assert waiting.is_due(5_000 + age, alone=alone) == due


def test_where_nothing_was_brought_nothing_is_due() -> None:
    assert not Waiting().is_due(10**15, alone=True)


def test_as_much_as_may_wait_fits_into_a_state() -> None:
    chaos, waiting = Random(1), Waiting()
    while waiting.size <= windows.MOST_PACKED - 40_000:
        effect = Effect(Checkpoint(1, 7), {f"{chaos.getrandbits(64_000):x}": Observation()}, {})
        waiting = waiting.with_batch({GAME: [effect]}, {}, None)
    while waiting.size_brought <= MOST_BROUGHT - 40_000:
        waiting = waiting.with_batch({}, large(len(waiting.brought), 7, 16_000), None)
    assert len(json.dumps(waiting.state)) < 2**20


@pytest.mark.parametrize("state", [{"format": 5, "waiting": [], "brought": []}, {"kinds": []}, {"format": 7}])
def test_a_state_of_another_format_is_refused(state: windows.State) -> None:
    with pytest.raises(UnreadableStateError, match="this release reads 6"):
        Waiting.of(state)
    assert windows.size(state) == 0
