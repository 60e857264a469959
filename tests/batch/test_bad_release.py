"""A bad release of the consumer in memory: its rehearsal finds it, and the runbook's steps mend what it has counted.

With the commands themselves, on a local cloud: `tests/local/test_commands.py`.
"""

from pathlib import Path
from random import Random

from delivery import NONE
from edgewise.stream import repairs
from edgewise.stream.register import register
from functions.systems.chat.entity import of_posted_in
from tests.batch.histories import settled
from tests.batch.test_repairs import plan_of
from tests.delivery.consuming import consuming, released
from tests.delivery.mutants.changes import Edit
from tests.delivery.simulated import SimulatedMemory
from tests.delivery.stories.chat import STORY
from tests.delivery.world import World
from tests.support.keeping import keeping, otherwise

TWICE = Edit(of_posted_in, "Observation(at=message.sent_at)", "Observation(2, at=message.sent_at)")


def store(of: World, number: int) -> None:
    for _ in range(number):
        of.store()


def test_a_release_that_counts_twice_is_found_and_if_it_was_deployed_mended(tmp_path: Path) -> None:
    with consuming() as consume, released() as releases, keeping() as objects:
        table = SimulatedMemory(shards=2)
        table.faults = NONE
        of = World(Random(5), table, consume, releases, (STORY,))
        store(of, 20)
        of.drain()
        before = objects.batches
        with TWICE.made():
            assert any(map(otherwise, before)), "its rehearsal stops it"
            store(of, 10)  # and somebody deploys it all the same
            of.drain()
        store(of, 5)  # the stream is paused

        # The older release is deployed again, by what was kept before the bad one.
        assert not any(map(otherwise, before))
        assert any(map(otherwise, objects.batches[len(before) :])), "what is kept since is the bad one's"
        of.drain()  # resumed
        found, at = settled(of, tmp_path)
        assert found.differing != []
        repairs.apply(table, register(table), at, plan_of(found), lambda: True)
        assert settled(of, tmp_path)[0].differing == []
        outcome = of.outcome()
    assert outcome.found == outcome.expected
