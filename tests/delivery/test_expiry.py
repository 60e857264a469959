"""Sources that expire stay counted; what can't be recounted any more is unknown, and nothing goes on for ever."""

from random import Random

import pytest

from tests.batch.histories import HAPPENINGS, world
from tests.delivery.stories import telemetry
from tests.delivery.world import World


@pytest.mark.histories(16)
def test_recounts_come_to_an_end_although_sources_have_expired(seed: int) -> None:
    random = Random(seed)
    with world(random) as each:
        each._stories = (telemetry.STORY,)
        for _ in range(random.randint(20, 40)):
            random.choice((*HAPPENINGS, World.expire, World.expire, World.wait))(each)
        outcome = each.outcome()
    assert outcome.found == outcome.expected
