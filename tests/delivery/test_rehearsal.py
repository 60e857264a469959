"""What the consumer keeps of a history, a release computes again: the same, unless it is another one."""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from edgewise.stream.kept import KeptBatch
from tests.delivery.consuming import consuming, released
from tests.delivery.mutants import MUTANTS
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.world import World
from tests.support.keeping import keeping, otherwise

# Of those that decide wrongly; the others do it only by faults that strike no kept batch.
FOUND = (
    "records are told apart within a batch only",
    "the old image is ignored",
    "distinct users are counted by message",
    "extremes are never recounted",
    "a closing that is kept for readers is passed on again",
    "what closes is dropped",
    "first versions are 1",
)


def history(seed: int, steps: int) -> Sequence[KeptBatch]:
    """What is kept of a history of all systems, under all faults."""
    random = Random(seed)
    with released() as releases, consuming() as consume, keeping(2) as objects:
        table = SimulatedMemory(shards=4)
        table.statements = bool(seed % 2)
        world = World(random, table, consume, releases)
        for _ in range(steps):
            random.choice((world.store, world.store, world.remove, world.deliver, world.deliver))()
        world.drain()
    return objects.batches


@pytest.fixture(scope="module")
def released_consumer() -> Iterator[None]:
    """The consumer as histories have it, also while it computes again."""
    with released(), consuming():
        yield


@pytest.fixture(scope="module")
def batches(released_consumer: None) -> Sequence[KeptBatch]:
    """The largest batches of a history: what few have is in one of them."""
    return sorted(history(3, 240), key=lambda kept: -len(kept.event["Records"]))[:80]


@pytest.mark.histories(12)
def test_the_same_release_computes_each_batch_as_it_is_kept(seed: int, released_consumer: None) -> None:
    """Though others wrote the same items meanwhile, processes died and batches came again."""
    kept = history(seed, 60)
    assert len(kept) > 20
    assert [found for each in kept if (found := otherwise(each))] == []


@pytest.mark.parametrize("name", FOUND)
def test_a_release_that_decides_wrongly_is_found(name: str, batches: Sequence[KeptBatch]) -> None:
    (mutant,) = (each for each in MUTANTS if each.name == name)
    with mutant.lives():
        assert any(otherwise(each) for each in batches)
