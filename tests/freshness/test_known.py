"""What `as_of` says is true: by a model of shards whose readers come late, in two hops, with clocks that differ."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.freshness.hops import Hop
from edgewise.freshness.known import SKEW, Known
from edgewise.freshness.shards import NO_PARENT, Shards
from edgewise.freshness.watermarks import Reached, Watermark, absorbed_until, reached
from edgewise.times import SECOND, Millis

T = 1_535_544_000_000
ABSORBED = Hop.ABSORBED


@dataclass
class Shard:
    """Its records by the time at which they were stored: what people wrote, edges made of that, and heartbeats."""

    clock: Millis
    records: list[tuple[Millis, str, Millis]] = field(default_factory=list)
    done: int = 0
    mark: Watermark = field(default_factory=lambda: Watermark("x"))

    def store(self, now: Millis, what: str, of: Millis) -> None:
        self.records.append((now, what, of))


def simulated(random: Random, shards: Sequence[Shard], steps: int) -> tuple[Millis, list[Millis], list[Millis]]:
    """The time at the end, when what is not yet in an edge was written, and what is not yet in a number."""
    now = T
    for _ in range(steps):
        now += random.choice((1, 50, 900, 8_000))
        shard = random.choice(shards)
        match random.choice("wwwrrrb"):
            case "w":
                shard.store(now, "source", now)
            case "b":
                for each in shards:
                    each.store(now, "heartbeat", now + random.randint(-SKEW // 2, SKEW // 2))
            case _:
                _read(random, shard, shards, now)
    left = [record for shard in shards for record in shard.records[shard.done :]]
    sources, edges = ([of for _, what, of in left if what == wanted] for wanted in ("source", "edge"))
    return now, sources, [*sources, *edges]


def _read(random: Random, shard: Shard, shards: Sequence[Shard], now: Millis) -> None:
    """A reader takes some records: edges of sources are stored before the watermark moves, by the reader's clock."""
    batch = shard.records[shard.done : shard.done + random.randint(1, 9)]
    if not batch:
        return
    shard.done += len(batch)
    for _, what, of in batch:
        if what == "source":
            random.choice(shards).store(now, "edge", of)
    beats = [of for _, what, of in batch if what == "heartbeat"]
    if beats or random.random() < 0.2:
        last = batch[-1][0] // SECOND * SECOND  # the stream tells seconds
        moment = reached(now + shard.clock, absorbed_until(last, beats), None, None)
        shard.mark = shard.mark.moved(moment, ["x"] if beats else [])


@given(st.randoms(use_true_random=True), st.integers(1, 3), st.integers(1, 200))
def test_every_change_until_then_is_in_the_numbers(random: Random, number: int, steps: int) -> None:
    shards = [Shard(random.randint(-SKEW // 2, SKEW // 2)) for _ in range(number)]
    now, no_edge, no_number = simulated(random, shards, steps)
    marks = {str(place): shard.mark for place, shard in enumerate(shards) if shard.mark.history}
    known = Known(Shards(1, {str(place): NO_PARENT for place in range(number)}), marks)
    for way, lacking in (((ABSORBED,), no_edge), ((ABSORBED, ABSORBED), no_number)):
        as_of = known.as_of([way], now + SKEW)
        assert as_of is None or all(each > as_of - SKEW for each in lacking)


def test_the_model_says_something() -> None:
    """Or the property above would hold for nothing."""
    shards = [Shard(0), Shard(0)]
    now, _, _ = simulated(Random(3), shards, 400)
    known = Known(Shards(1, {"0": NO_PARENT, "1": NO_PARENT}), {str(i): each.mark for i, each in enumerate(shards)})
    as_of = known.as_of([(ABSORBED, ABSORBED)], now)
    assert as_of is not None
    assert as_of > T


def marks(**moments: Sequence[tuple[int, int]]) -> dict[str, Watermark]:
    """Watermarks by shard, from moments and until when all was absorbed, in seconds."""
    told = {
        shard: [Reached(*(each * SECOND for each in (at, *[until] * 3))) for at, until in found]
        for shard, found in moments.items()
    }
    return {shard: Watermark(shard, 1, tuple(found)) for shard, found in told.items()}


def test_the_shard_that_is_least_far_decides() -> None:
    known = Known(Shards(1, {"a": "", "b": ""}), marks(a=[(100, 99)], b=[(100, 40)]))
    assert known.as_of([(ABSORBED,)], 200 * SECOND) == 40 * SECOND


def test_a_hop_needs_a_moment_that_the_next_one_has_reached() -> None:
    known = Known(Shards(1, {"a": ""}), marks(a=[(50, 48), (60, 58), (70, 68)]))
    assert known.as_of([(ABSORBED, ABSORBED)], 200 * SECOND) == 58 * SECOND
    assert known.as_of([(ABSORBED, ABSORBED)], 69 * SECOND) == 48 * SECOND
    assert known.as_of([(ABSORBED, ABSORBED, ABSORBED, ABSORBED)], 200 * SECOND) is None


@pytest.mark.parametrize("parent", [NO_PARENT, "gone"])
def test_a_shard_that_does_not_tell_leaves_it_unknown(parent: str) -> None:
    known = Known(Shards(1, {"a": "", "b": parent}), marks(a=[(100, 99)]))
    assert known.as_of([(ABSORBED,)], 200 * SECOND) is None


def test_a_new_shard_is_as_far_as_its_parent_was() -> None:
    """It begins when its parent is done. Until it tells, all that is known is what its parent told."""
    told = marks(a=[(100, 99)], parent=[(80, 79), (90, 89)])
    known = Known(Shards(1, {"a": "", "b": "parent"}), told)
    assert known.as_of([(ABSORBED,)], 200 * SECOND) == 89 * SECOND
    known = Known(known.shards, told | marks(b=[(85, 84), (95, 94)]))
    assert known.as_of([(ABSORBED,)], 200 * SECOND) == 94 * SECOND
    assert known.as_of([(ABSORBED, ABSORBED)], 96 * SECOND) is None


def test_nothing_is_told_before_the_first_survey() -> None:
    assert Known().as_of([(ABSORBED,)], T) is None
    assert (Known().is_told, Known(Shards(1, {"a": ""})).is_told) == (False, True)
