"""No answer claims what it lacks, on three levels, whichever reader of the stream lags, dies or gets a batch again."""

from random import Random

from benchmarks.proofs import claims
from benchmarks.proofs.seeds import FIRST_SEED
from edgewise.freshness import hops
from tests.delivery.claiming import Claims
from tests.delivery.consuming import Consume
from tests.delivery.mutants.changes import Edit

SEEDS, STEPS = (0, 2), 120
NO_HOP = Edit(hops._below, "(Hop.FOLLOWED,) * feed.follow_ups", "()")


def lived(seed: int, consume: Consume, steps: int = STEPS) -> Claims:
    world = Claims(Random(seed), consume)
    world.live(steps)
    return world


def test_no_answer_claims_what_it_lacks(consume: Consume) -> None:
    worlds = [lived(seed, consume) for seed in SEEDS]
    assert [world.wrong for world in worlds] == [[], []]
    assert sum(world.claims for world in worlds) > 100  # or it would hold for nothing


def test_follow_ups_that_are_no_hop_are_caught(consume: Consume) -> None:
    hops.ways.cache_clear()
    try:
        with NO_HOP.made():
            assert any(lived(seed, consume, 150).wrong for seed in (1, 0, 2, 3))
    finally:
        hops.ways.cache_clear()


def test_the_proof_counts_the_same(consume: Consume) -> None:
    found = lived(FIRST_SEED, consume, 20)
    assert claims.history(FIRST_SEED, 20) == (found.answers, found.claims, "")
