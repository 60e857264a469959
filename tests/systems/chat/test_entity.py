"""Shards of rooms that follow from their history."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from edgewise.times import EARLIEST, LATEST
from functions.systems.chat.entity import MAX_SHARDS, Room


class TestRoom:
    @given(
        sent=st.lists(st.tuples(st.integers(0, 1000), st.text(min_size=1)), min_size=1),
        steps=st.lists(st.tuples(st.integers(1, 500), st.integers(1, 5)), max_size=4),
    )
    def test_a_message_keeps_its_shard_after_any_later_widening(
        self, sent: list[tuple[int, str]], steps: list[tuple[int, int]]
    ) -> None:
        room, now = Room.starting_with("seattle", 1), 0
        for wait, more in steps:
            earlier = {one: room.shard_of(*one) for one in sent if one[0] < now + wait}
            now += wait
            room = room.widened(room.shards + more, since=now)
            assert {one: room.shard_of(*one) for one in earlier} == earlier
            assert all(1 <= room.shard_of(*one) <= room.shards for one in sent)

    @given(
        sent=st.lists(st.tuples(st.integers(0, 10_000_000), st.text(min_size=1)), min_size=1),
        throttled=st.lists(st.integers(0, 100_000), max_size=60),
        shards=st.integers(1, MAX_SHARDS),
    )
    def test_a_room_throttled_at_any_times_grows_slowly_within_bounds_and_moves_no_message(
        self, sent: list[tuple[int, str]], throttled: list[int], shards: int
    ) -> None:
        """`throttled`: how long after the one before, in milliseconds."""
        room, now = Room.starting_with("seattle", shards), 0
        for wait in throttled:
            now += wait
            earlier = {one: room.shard_of(*one) for one in sent if one[0] <= now}
            room = room.doubled(now, since=now + 10_000) or room
            assert {one: room.shard_of(*one) for one in earlier} == earlier
        first, *steps = room.history
        assert first.shards == shards
        assert [step.shards for step in steps] == [min(64, shards << nth) for nth in range(1, len(steps) + 1)]
        assert all(one.shards < 64 for one in room.history[:-1])
        gaps = [later.since - step.since for step, later in pairwise(steps)]
        assert all(gap >= 70_000 for gap in gaps)  # a minute from one in force to the next, which is then made
        assert room.version == len(room.history)

    def test_a_step_counts_from_its_instant_on(self) -> None:
        room = Room.starting_with("seattle", 1).widened(64, since=1000)
        ids = [f"m{number}" for number in range(200)]
        assert {room.shard_of(999, one) for one in ids} == {1}
        assert len({room.shard_of(1000, one) for one in ids}) > 50

    def test_the_shard_of_a_message_stays_the_same_over_releases(self) -> None:
        room = Room.starting_with("seattle", 4)
        assert [room.shard_of(at, "m1") for at in (EARLIEST, 0, LATEST)] == [2, 2, 2]
        assert [room.shard_of(0, f"m{number}") for number in range(2, 8)] == [2, 4, 3, 3, 2, 3]

    def test_each_widening_is_a_new_version(self) -> None:
        room = Room.starting_with("seattle", 1).widened(2, since=5).widened(3, since=9)
        assert (room.version, room.shards, [(s.since, s.shards) for s in room.history]) == (
            3,
            3,
            [(EARLIEST, 1), (5, 2), (9, 3)],
        )
