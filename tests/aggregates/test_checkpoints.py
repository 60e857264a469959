"""Checkpoints as one binary value: nothing is lost, no two are alike, and they stay small for ever."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from delivery import Stream
from edgewise.aggregates import packed_checkpoints
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import CHECKPOINT_LIFETIME, REPAIRS, Checkpoint, alive
from edgewise.aggregates.effects import Effect
from edgewise.aggregates.measures import Observation
from edgewise.times import HOUR
from functions.systems.chat.system import ROOM

SHARD = st.builds("{:020d}-{:08x}".format, st.integers(0, 10**20 - 1), st.integers(0, 2**32 - 1))
NEARLY_A_SHARD = st.builds(
    "{}{:020d}-{:08X}{}".format, st.sampled_from("0 x"), st.integers(0), st.integers(0), st.just("\n")
)
RECENT_SHARD = st.builds("{:020d}-{:08x}".format, st.integers(0, 10**13), st.integers(0, 2**32 - 1))
SHARD = st.one_of(SHARD, RECENT_SHARD, SHARD.map(str.upper), NEARLY_A_SHARD, st.text(), st.just("١" * 20 + "-00000000"))

SECONDS = st.integers(0, 10**10).map(lambda seconds: seconds * 1000)  # the stream tells no fractions


@st.composite
def some_checkpoint(draw: st.DrawFn) -> Checkpoint:
    sequence = draw(st.integers(0, 10**40))
    missing = draw(st.frozensets(st.integers(0, sequence - 1), max_size=5)) if sequence else frozenset()
    return Checkpoint(sequence, draw(SECONDS), missing)


CHECKPOINTS = st.dictionaries(SHARD, some_checkpoint(), max_size=5)


@given(CHECKPOINTS)
def test_checkpoints_come_back(given: dict[str, Checkpoint]) -> None:
    assert packed_checkpoints.unpack(packed_checkpoints.pack(given)) == given


@given(CHECKPOINTS, CHECKPOINTS)
def test_no_two_are_alike(one: dict[str, Checkpoint], other: dict[str, Checkpoint]) -> None:
    assert (packed_checkpoints.pack(one) == packed_checkpoints.pack(other)) <= (one == other)


def test_the_form() -> None:
    newest = 1_541_011_300_000  # 0x5BD9F764 seconds
    given = {
        f"{newest - 0x010203:020d}-1a2b3c4d": Checkpoint(
            0x01020304 * 10**20 + 0x0102030405, newest, frozenset({0x01020304 * 10**20 + 0x0102030400})
        ),
        f"{newest:020d}-1a2b3c4e": Checkpoint(10**20, newest - 1000),
        "single": Checkpoint(7, newest - 0x0102 * 1000),
    }
    assert packed_checkpoints.pack(given).hex(" ", -1) == (
        "04 5b d9 f7 64 "
        "83 45 01 02 03 1a 2b 3c 4d 01 02 03 04 01 02 03 04 05 00 01 01 05 "
        "1a 10 03 e8 1a 2b 3c 4e 01 01 "
        "2f 01 00 06 73 69 6e 67 6c 65 07 01 02"
    )


def test_a_fraction_of_a_second_is_rounded_up() -> None:
    packed = packed_checkpoints.pack({"single": Checkpoint(7, 1001)})
    assert packed_checkpoints.unpack(packed) == {"single": Checkpoint(7, 2000)}


@given(
    began=st.integers(10**12, 10**13),
    random=st.integers(0, 2**32 - 1),
    lived=st.integers(0, 4 * 3600),
    sequence=st.builds(lambda high, low: high * 10**20 + low, st.integers(1, 10**8 - 1), st.integers(0, 10**12 - 1)),
    age=st.integers(0, CHECKPOINT_LIFETIME // 1000),
)
def test_a_checkpoint_of_a_shard_has_at_most_21_bytes(
    began: int, random: int, lived: int, sequence: int, age: int
) -> None:
    at = (began // 1000 + lived) * 1000
    newest = {"newest": Checkpoint(0, at + age * 1000)}
    checkpoint = {f"{began:020d}-{random:08x}": Checkpoint(sequence, at)}
    assert len(packed_checkpoints.pack(newest | checkpoint)) - len(packed_checkpoints.pack(newest)) <= 21


def effect(sequence: int, at: float) -> Effect:
    return Effect(Checkpoint(sequence, int(at * 1000)), {"Users": Observation()}, {})


@pytest.mark.parametrize(("shards", "days", "most"), [(1, 30, 220), (4, 30, 860), (32, 4, 6_800)])
def test_what_checkpoints_cost_in_days_of_roll_overs(shards: int, days: int, most: int) -> None:
    """Every shard writes to one hot room every 20 minutes, and ends after four hours; what is kept, after 36 hours."""
    stream = Stream(shards=shards, first_sequence=10**27)
    room, sequence, greatest, seen = Aggregate(ROOM("hot")), 10**27, 0, set[str]()
    for _ in range(days * 24 * 3):
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
    assert len(seen) == shards * (1 + days * 6)
    assert most * 0.9 < greatest < most


@pytest.mark.parametrize(("hours", "kept"), [(36, {"a", REPAIRS}), (37, {REPAIRS}), (72, {REPAIRS}), (73, set())])
def test_what_a_repair_has_counted_is_known_for_two_deliveries(hours: int, kept: set[str]) -> None:
    """A carrier or an edge brings what is nearly as old: each of the two records may be as late as any."""
    old, now = Checkpoint(1, 0), Checkpoint(2, hours * HOUR)
    assert alive({"a": old, REPAIRS: old, "b": now}, {}).keys() == kept | {"b"}
