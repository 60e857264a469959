"""A table restored to an instant, or from a copy: its stream is a new one, and what was under way is lost."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple, Self

import pytest

from edgewise import Key
from edgewise.stream import repairs
from edgewise.stream.register import register
from tests.batch.histories import Snapshot, happen, settled, snapshot, world
from tests.batch.test_repairs import plan_of
from tests.delivery.world import Stored, World


@pytest.mark.histories(10)
def test_a_restored_table_is_exact_again_after_a_repair(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    with world(random) as before:
        happen(random, before, random.randint(10, 60))
        backup = Backup.of(before)
    with restored_from(backup, random) as restored:
        found, at = settled(restored, tmp_path)
        happen(random, restored, random.randint(0, 10))
        repairs.apply(restored.table, register(restored.table), at, plan_of(found), lambda: True)
        happen(random, restored, random.randint(0, 10))
        repair(restored, tmp_path, 2)
        outcome = restored.outcome()
    assert outcome.found == outcome.expected


@pytest.mark.histories(5)
def test_a_lost_region_costs_what_came_after_the_copy_until_it_is_sent_again(seed: int, tmp_path: Path) -> None:
    """The copy of another region is restored there, repaired, and exact; what comes twice counts once."""
    random = Random(seed)
    with world(random) as lost:
        happen(random, lost, random.randint(10, 60))
        copy = Backup.of(lost)
        happen(random, lost, random.randint(10, 60))
        sent = dict(lost._stored)
    with restored_from(copy, random) as elsewhere:
        repair(elsewhere, tmp_path / "copy")
        outcome = elsewhere.outcome()
        assert outcome.found == outcome.expected, "what the copy has, and nothing of what came after it"
        assert elsewhere._stored == copy.facts
        for key, each in sent.items():
            elsewhere.table.put_many([each.item])
            elsewhere._stored[key] = each
        repair(elsewhere, tmp_path / "sent")
        outcome = elsewhere.outcome()
    assert outcome.found == outcome.expected


class Backup(NamedTuple):
    """A world's table, the facts that it has absorbed or is to absorb, and the instant."""

    items: Snapshot
    facts: Mapping[Key, Stored]
    instant: float

    @classmethod
    def of(cls, lived: World) -> Self:
        return cls(snapshot(lived), dict(lived._stored), lived.table.stream.clock.now)


@contextmanager
def restored_from(backup: Backup, random: Random) -> Iterator[World]:
    """Another world, with the table of the backup, a minute after it."""
    with world(random, list(backup.items.values())) as restored:
        restored._stored |= backup.facts
        restored.table.stream.clock.advance(backup.instant - restored.table.stream.clock.now + 60)
        yield restored


def repair(restored: World, folder: Path, turns: int = 3) -> None:
    """Check and apply, as often as docs/restoring.md says: what was open is repaired once it has been passed on."""
    for turn in range(turns):
        found, at = settled(restored, folder / str(turn))
        repairs.apply(restored.table, register(restored.table), at, plan_of(found), lambda: True)
