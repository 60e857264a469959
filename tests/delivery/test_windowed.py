"""Aggregates that may wait for the end of their window: fewer writes, and as exact under any delivery."""

from collections.abc import Callable
from random import Random
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from delivery import Handler
from functions.catalog import CATALOG
from functions.dynamodb.table import Table
from functions.dynamodb.writes import Write
from functions.stream.register import register
from tests.delivery import world
from tests.delivery.redeployed import waiting
from tests.delivery.simulated import SimulatedMemory
from tests.support.http import Context
from tests.support.memory import MemoryTable, target
from tests.support.streams import window_event

Consume = Callable[[Table], Handler]
KINDS = tuple(sorted(CATALOG.waiting))


class Counted(MemoryTable):
    """Remembers which partitions were written, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, write: Write) -> None:
        self.writes.append(target(write).sk)
        super().write(write)


def reading(second: int, metrics: Any) -> dict[str, Any]:
    key = {"PK": {"S": "DEVICE#d"}, "SK": {"S": f"EVENT#2018-08-29T12:00:{second:02d}.000Z#e"}}
    item = key | {"Type": {"S": "EVENT"}, "Place": {"L": [{"S": "US"}, {"S": "NY"}]}}
    change = {
        "ApproximateCreationDateTime": 1_535_544_000 + second,
        "SequenceNumber": str(10**20 + second),
        "NewImage": item | metrics,
    }
    return {"eventID": str(second), "eventName": "INSERT", "dynamodb": change}


GOOD, BAD = {"Metrics": {"M": {"temp": {"N": "1"}}}}, {"Metrics": {"N": "1"}}


def events_of_places(table: MemoryTable) -> list[int]:
    return [int(item["Cells"]["M"]["Events"]["N"]) for item in table.items.values() if item["Type"]["S"] == "PLACE"]


def test_three_batches_of_a_window_cost_one_write_of_what_waits(consume: Consume) -> None:
    table = Counted()
    state: dict[str, Any] = {}
    consumer = consume(table)
    for second in range(3):
        event = window_event("a", [reading(second, GOOD)], ends=False) | {"state": state}
        state = consumer(event, Context())["state"]
    assert len(table.writes) == 3  # of the device
    assert events_of_places(table) == []
    answer = consumer(window_event("a", []) | {"state": state}, Context())
    assert answer["state"] == {}
    assert len(table.writes) == 5
    assert events_of_places(table) == [3, 3]


def test_what_waits_is_in_before_a_record_behind_it_is_set_aside(consume: Consume) -> None:
    """A redrive moves the checkpoint to that record: what still waited before it would be lost."""
    table = MemoryTable()
    consumer = consume(table)
    first = consumer(window_event("a", [reading(0, GOOD)], ends=False), Context())
    assert events_of_places(table) == []
    second = consumer(window_event("a", [reading(1, BAD)], ends=False) | {"state": first["state"]}, Context())
    assert second["state"] == {}
    assert register(table).count == 1
    assert len(events_of_places(table)) == 2


def test_without_a_window_nothing_waits(consume: Consume) -> None:
    """As on the local cloud: nobody would bring the state back."""
    table = MemoryTable()
    event = window_event("a", [reading(0, GOOD)], ends=False)
    del event["window"]
    assert consume(table)(event, Context())["state"] == {}
    assert len(events_of_places(table)) == 2


many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(random=st.randoms(use_true_random=False), kinds=st.sets(st.sampled_from(KINDS), min_size=1))
@many
def test_aggregates_equal_the_recount_whoever_waits(random: Random, kinds: set[str], consume: Consume) -> None:
    with patch.object(CATALOG, "waiting", frozenset(kinds)):
        outcome = world.run(random, SimulatedMemory(shards=4), consume, happenings=60)
    assert outcome.found == outcome.expected


@given(random=st.randoms(use_true_random=False))
@many
def test_they_do_while_deployments_change_who_waits(random: Random, consume: Consume) -> None:
    """A window's state may come from a release before, and after a roll-back from one behind."""

    releases = [frozenset(kind for kind in KINDS if random.random() < 0.7) for _ in range(3)]

    outcome = world.run(
        random, SimulatedMemory(shards=4), waiting(consume, lambda: random.choice(releases)), happenings=60
    )
    assert outcome.found == outcome.expected
