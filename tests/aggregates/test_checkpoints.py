"""Checkpoints as one binary value: nothing is lost, no two are alike, and they stay small for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from delivery import Stream
from functions.aggregates import packed_checkpoints
from functions.aggregates.aggregate import Aggregate
from functions.aggregates.checkpoints import CHECKPOINT_LIFETIME, Checkpoint
from functions.aggregates.effects import Effect
from functions.aggregates.measures import Observation
from functions.systems.chat.system import ROOM

SHARD = st.builds("{:020d}-{:08x}".format, st.integers(0, 10**20 - 1), st.integers(0, 2**32 - 1))
NEARLY_A_SHARD = st.builds(
    "{}{:020d}-{:08X}{}".format, st.sampled_from("0 x"), st.integers(0), st.integers(0), st.just("\n")
)
SHARD = st.one_of(SHARD, SHARD.map(str.upper), NEARLY_A_SHARD, st.text(), st.just("١" * 20 + "-00000000"))


@st.composite
def some_checkpoint(draw: st.DrawFn) -> Checkpoint:
    sequence = draw(st.integers(0, 10**40))
    missing = draw(st.frozensets(st.integers(0, sequence - 1), max_size=5)) if sequence else frozenset()
    return Checkpoint(sequence, draw(st.integers(0, 10**13)), missing)


CHECKPOINTS = st.dictionaries(SHARD, some_checkpoint(), max_size=5)


@given(CHECKPOINTS)
def test_checkpoints_come_back(given: dict[str, Checkpoint]) -> None:
    assert packed_checkpoints.unpack(packed_checkpoints.pack(given)) == given


@given(CHECKPOINTS)
def test_that_there_are_several_is_told_without_unpacking_them(given: dict[str, Checkpoint]) -> None:
    assert packed_checkpoints.are_several(packed_checkpoints.pack(given)) == (len(given) > 1)


@given(CHECKPOINTS, CHECKPOINTS)
def test_no_two_are_alike(one: dict[str, Checkpoint], other: dict[str, Checkpoint]) -> None:
    assert (packed_checkpoints.pack(one) == packed_checkpoints.pack(other)) <= (one == other)


def test_the_form() -> None:
    newest = 0x0166CC000000
    given = {
        f"{0x0166CBFF0000:020d}-1a2b3c4d": Checkpoint(
            0x0102030405060708090A0B0C, newest, frozenset({0x0102030405060708090A0B07, 0x0102030405060708090A0A0C})
        ),
        "single": Checkpoint(7, newest - 0x0102),
    }
    assert packed_checkpoints.pack(given).hex(" ", -1) == (
        "06 01 66 cc 00 00 00 "
        "06 2c 01 66 cb ff 00 00 1a 2b 3c 4d 01 02 03 04 05 06 07 08 09 0a 0b 0c 00 02 02 01 00 01 05 "
        "2f 01 00 06 73 69 6e 67 6c 65 07 01 02"
    )


@given(
    shard=st.builds("{:020d}-{:08x}".format, st.integers(10**12, 10**14), st.integers(0, 2**32 - 1)),
    checkpoint=st.builds(
        Checkpoint, st.integers(10**20, 10**28 - 1), st.integers(10**12, 10**13), st.just(frozenset())
    ),
    age=st.integers(0, CHECKPOINT_LIFETIME),
)
def test_a_checkpoint_of_a_shard_has_at_most_28_bytes(shard: str, checkpoint: Checkpoint, age: int) -> None:
    newest = {"newest": Checkpoint(0, checkpoint.at + age)}
    assert len(packed_checkpoints.pack({**newest, shard: checkpoint})) - len(packed_checkpoints.pack(newest)) <= 28


def effect(sequence: int, at: float) -> Effect:
    return Effect(Checkpoint(sequence, int(at * 1000)), {"Users": Observation()}, {})


@pytest.mark.parametrize(("shards", "most"), [(1, 300), (4, 1_200), (32, 9_000)])
def test_what_checkpoints_cost_in_thirty_days_of_roll_overs(shards: int, most: int) -> None:
    """Every shard writes to one hot room every 20 minutes, and ends after four hours."""
    stream = Stream(shards=shards, first_sequence=10**27)
    room, sequence, greatest, seen = Aggregate(ROOM("hot")), 10**27, 0, set[str]()
    for _ in range(30 * 24 * 3):
        stream.clock.advance(20 * 60)
        for shard in stream.open_shards:
            current = stream.roll_over(shard) if stream.clock.now - shard.opened_at >= 4 * 3600 else shard
            sequence += 10**9
            absorbed = room.absorb(
                current.id.removeprefix("shardId-"), [effect(sequence, stream.clock.now)], int(stream.clock.now * 1000)
            )
            assert absorbed is not None
            room = absorbed.aggregate
            seen.add(current.id)
        greatest = max(greatest, len(packed_checkpoints.pack(room.checkpoints)))
    assert len(seen) == shards * (1 + 30 * 6)
    assert most * 0.9 < greatest < most
