"""What is taken back leaves every number, however its tombstone is delivered; and a check of the table agrees."""

from pathlib import Path
from random import Random

import pytest

from batch.folders import Folder
from batch.reconcile import Declared, reconciled
from functions.owned import is_withdrawn
from tests.batch.exporting import exported
from tests.batch.histories import world
from tests.delivery.stories import STORIES
from tests.delivery.world import HAPPENINGS, OWNED, World

# What people may take back, and the system whose story has it.
SYSTEM_OF = {"EVENT": "telemetry", "MESSAGE": "chat"}
# Sources are stored where a tombstone is, too: as if nobody were refused.
WITHDRAWING = (*HAPPENINGS, *[World.store] * 4, *[World.withdraw] * 6)


@pytest.mark.histories(16)
def test_what_is_withdrawn_leaves_every_number(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    with world(random) as each:
        each._stories = tuple(story for story in STORIES if story.name in SYSTEM_OF.values())
        for _ in range(random.randint(30, 90)):
            random.choice(WITHDRAWING)(each)
        each.store()
        each.withdraw()
        outcome = each.outcome()
        items = each.table.all_items()
    assert outcome.found == outcome.expected
    assert any(map(is_withdrawn, items))
    found = reconciled(Declared(), exported(Folder(tmp_path), items), None, lambda _: None)
    assert (found.differing, found.astray) == ([], [])


def test_every_type_that_people_may_take_back_is_tried_here() -> None:
    assert SYSTEM_OF.keys() == OWNED
