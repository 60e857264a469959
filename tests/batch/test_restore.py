"""A table restored to an instant, or from a copy: its stream is a new one, and what was under way is lost."""

from pathlib import Path
from random import Random

import pytest

from edgewise.stream import repairs
from edgewise.stream.register import register
from tests.batch.histories import happen, settled, snapshot, world
from tests.batch.test_repairs import plan_of
from tests.delivery.world import World


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


@pytest.mark.histories(5)
def test_a_lost_region_costs_what_came_after_the_copy_until_it_is_sent_again(seed: int, tmp_path: Path) -> None:
    """The copy of another region is restored there, repaired, and exact; what comes twice counts once."""
    random = Random(seed)
    with world(random) as lost:
        happen(random, lost, random.randint(10, 60))
        copy, facts, instant = snapshot(lost), dict(lost._stored), lost.table.stream.clock.now
        happen(random, lost, random.randint(10, 60))
        sent = dict(lost._stored)
    with world(random, list(copy.values())) as elsewhere:
        elsewhere._stored |= facts
        elsewhere.table.stream.clock.advance(instant - elsewhere.table.stream.clock.now + 60)
        repair(elsewhere, tmp_path / "copy")
        outcome = elsewhere.outcome()
        assert outcome.found == outcome.expected, "what the copy has, and nothing of what came after it"
        assert elsewhere._stored == facts
        for key, each in sent.items():
            elsewhere.table.put_many([each.item])
            elsewhere._stored[key] = each
        repair(elsewhere, tmp_path / "sent")
        outcome = elsewhere.outcome()
    assert outcome.found == outcome.expected


def repair(restored: World, folder: Path) -> None:
    """Check and apply, as often as docs/restoring.md says: what was open is repaired once it has been passed on."""
    for turn in range(3):
        found, at = settled(restored, folder / str(turn))
        repairs.apply(restored.table, register(restored.table), at, plan_of(found), lambda: True)
