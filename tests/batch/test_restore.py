"""A table restored to an instant: its stream is a new one, and what was under way in the old one is lost."""

from pathlib import Path
from random import Random

import pytest

from edgewise.stream import repairs
from edgewise.stream.register import register
from tests.batch.histories import happen, settled, snapshot, world
from tests.batch.test_repairs import plan_of


@pytest.mark.histories(10)
def test_a_restored_table_is_exact_again_after_a_repair(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    with world(random) as before:
        happen(random, before, random.randint(10, 60))
        backup, facts, instant = snapshot(before), dict(before._stored), before.table.stream.clock.now
    with world(random, list(backup.values())) as restored:
        restored._stored |= facts
        restored.table.stream.clock.advance(instant - restored.table.stream.clock.now + 60)
        found, at = settled(restored, tmp_path)
        happen(random, restored, random.randint(0, 10))
        repairs.apply(restored.table, register(restored.table), at, plan_of(found), lambda: True)
        happen(random, restored, random.randint(0, 10))
        for _ in range(2):  # what was open is repaired once it has been passed on
            found, at = settled(restored, tmp_path)
            repairs.apply(restored.table, register(restored.table), at, plan_of(found), lambda: True)
        outcome = restored.outcome()
    assert outcome.found == outcome.expected
