"""A record that has left quarantine is not set aside once more, however often its shard comes again."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.stream import dispatch
from edgewise.stream.quarantine import page
from edgewise.stream.redrive import discard, redrive
from edgewise.stream.register import register
from functions.catalog import FOLLOW_UPS
from functions.replay.memory import MemoryTable
from tests.delivery.consuming import READS_ALL, Consume, Release, Releases, released
from tests.delivery.test_lost_states import FIRST, deliver, foreign, shard
from tests.delivery.test_windowed import GOOD, reading

READS_NO_READINGS = Release(frozenset({"EVENT"}))


def of_no_place(second: int) -> dict[str, Any]:
    """It feeds nothing shared: its redrive puts no carrier for that."""
    found = reading(second, GOOD)
    del found["dynamodb"]["NewImage"]["Place"]
    return found


# A record that this release reads, between two that it can't.
BATCH = [of_no_place(0), foreign(1, {"Type": {"S": "ROOM"}}), of_no_place(2)]
LATER = [*BATCH, foreign(3, {"Type": {"S": "ROOM"}})]
Ended = Callable[[MemoryTable, Releases], None]


def redriven(table: MemoryTable, releases: Releases) -> None:
    """By a release that reads them; the consumer's still can't."""
    releases.current = READS_ALL
    for each in page(table, 10, None)[0]:
        redrive(table, FOLLOW_UPS, each.shard, each.sequence)
    releases.current = READS_NO_READINGS


def discarded(table: MemoryTable, _: Releases) -> None:
    for each in page(table, 10, None)[0]:
        discard(table, FOLLOW_UPS, each.shard, each.sequence)


@pytest.mark.parametrize("ended", [redriven, discarded])
@pytest.mark.parametrize(
    "again", [LATER[3:], BATCH, BATCH[2:], LATER], ids=["the next window", "all", "a part", "more"]
)
def test_what_left_before_the_position_passed_it_stays_away(consume: Consume, ended: Ended, again: list[Any]) -> None:
    table = MemoryTable()
    with released() as releases:
        releases.current = READS_NO_READINGS
        deliver(table, consume, BATCH, shard(BATCH), isFinalInvokeForWindow=True)
        assert register(table).count == 2
        ended(table, releases)
        deliver(table, consume, again, shard(LATER), isFinalInvokeForWindow=True)
    assert register(table).count == 0
    assert not page(table, 10, None)[0]


def test_the_position_misses_what_is_still_in_quarantine(consume: Consume) -> None:
    """So that carriers take it on when it is redriven."""
    table = MemoryTable()
    with released() as releases:
        releases.current = READS_NO_READINGS
        deliver(table, consume, BATCH, shard(BATCH), isFinalInvokeForWindow=True)
        discard(table, FOLLOW_UPS, "a", f"{FIRST + 2:040}")
    assert dispatch.position(table, "a") == Checkpoint(FIRST + 2, 1_535_544_002_000, frozenset({FIRST}))
