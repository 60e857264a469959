"""What is under way at the instant of an export is told from what is wrong, under hostile deliveries."""

from pathlib import Path
from random import Random

import pytest

from tests.batch.histories import checked, happen, snapshot, world


@pytest.mark.parametrize("seed", range(12))
def test_nothing_is_wrong_at_any_instant(seed: int, tmp_path: Path) -> None:
    """Whatever is in the stream, in quarantine, in an open hour or in a partial batch at that instant."""
    random = Random(seed)
    with world(random) as each:
        happen(random, each, random.randint(5, 60))
        before = snapshot(each)
        happen(random, each, random.randint(0, 5))
        at = snapshot(each)
        happen(random, each, random.randint(0, 5))
        each.drain()
        found = checked(each, tmp_path, at, before, snapshot(each))
    assert [each for each in found.differing if each in found.wrong] == []
    assert found.plan == []
