"""Aggregates that may wait for the end of their window: fewer writes, and as exact under any delivery."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from delivery import Handler
from functions.dynamodb.table import Table
from functions.dynamodb.writes import Write
from functions.handlers import edge_aggregator
from functions.settings import ConsumerSettings
from functions.stream.register import register
from tests.delivery import world
from tests.delivery.simulated import SimulatedMemory
from tests.support.http import Context
from tests.support.memory import MemoryTable, target
from tests.support.streams import window_event

Consume = Callable[[Table], Handler]
KINDS = ("POSTED_IN", "ROOM", "USER", "DEVICE", "ROLLUP_HOUR", "PLACE", "HOSTS", "DEGREE", "PLAYED", "SCORES", "GAME")


def deferred(monkeypatch: pytest.MonkeyPatch, *kinds: str) -> None:
    settings = ConsumerSettings("Memory", "shard", "puts", ",".join(kinds))
    monkeypatch.setattr(edge_aggregator, "settings", lambda: settings)


class Counted(MemoryTable):
    """Remembers which partitions were written, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, write: Write) -> None:
        self.writes.append(target(write).sk)
        super().write(write)


# Readings of today wait in the open hour; those of yesterday feed hours and days themselves.
TODAY, YESTERDAY = "2018-08-29", "2018-08-28"


def reading(second: int, metrics: Any, day: str = TODAY) -> dict[str, Any]:
    item = {"PK": {"S": "DEVICE#d"}, "SK": {"S": f"EVENT#{day}T12:00:{second:02d}.000Z#e"}, "Type": {"S": "EVENT"}}
    change = {
        "ApproximateCreationDateTime": 1_535_544_000 + second,
        "SequenceNumber": str(10**20 + second),
        "NewImage": item | metrics,
    }
    return {"eventID": str(second), "eventName": "INSERT", "dynamodb": change}


GOOD, BAD = {"Metrics": {"M": {"temp": {"N": "1"}}}}, {"Metrics": {"N": "1"}}


def test_three_batches_of_a_window_cost_one_write_of_what_waits(
    consume: Consume, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Counted()
    state: dict[str, Any] = {}
    consumer = consume(table)
    deferred(monkeypatch, "DEVICE", "ROLLUP_DAY")
    for second in range(3):
        state = consumer(window_event("a", [reading(second, GOOD, YESTERDAY)]) | {"state": state}, Context())["state"]
    (hourly,) = {written for written in table.writes}
    assert len(table.writes) == 3
    answer = consumer(window_event("a", []) | {"state": state, "isFinalInvokeForWindow": True}, Context())
    assert answer["state"] == {}
    assert len(table.writes) == 5
    assert hourly not in table.writes[3:]
    (device,) = [item for item in table.items.values() if item["Type"]["S"] == "DEVICE"]
    assert device["Cells"]["M"]["Events"]["S"].startswith("3 ")


def test_what_waits_is_in_before_a_record_behind_it_is_set_aside(
    consume: Consume, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redrive moves the checkpoint to that record: what still waited before it would be lost."""
    table = MemoryTable()
    consumer = consume(table)
    deferred(monkeypatch, "DEVICE")
    first = consumer(window_event("a", [reading(0, GOOD)]), Context())
    assert not any(item["Type"]["S"] == "DEVICE" for item in table.items.values())
    second = consumer(window_event("a", [reading(1, BAD)]) | {"state": first["state"]}, Context())
    assert second["state"] == {}
    assert register(table).count == 1
    (device,) = [item for item in table.items.values() if item["Type"]["S"] == "DEVICE"]
    assert device["Cells"]["M"]["Events"]["S"].startswith("1 ")


def test_without_a_window_nothing_waits(consume: Consume, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the local cloud: nobody would bring the state back."""
    table = MemoryTable()
    consumer = consume(table)
    deferred(monkeypatch, "DEVICE")
    event = window_event("a", [reading(0, GOOD)])
    del event["window"]
    assert consumer(event, Context())["state"] == {}
    assert any(item["Type"]["S"] == "DEVICE" for item in table.items.values())


many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(random=st.randoms(use_true_random=False), kinds=st.sets(st.sampled_from(KINDS), min_size=1))
@many
def test_aggregates_equal_the_recount_whoever_waits(random: Random, kinds: set[str], consume: Consume) -> None:
    with pytest.MonkeyPatch.context() as patch:
        deferred(patch, *kinds)
        outcome = world.run(random, SimulatedMemory(shards=4), consume, happenings=60)
    assert outcome.found == outcome.expected


@given(random=st.randoms(use_true_random=False))
@many
def test_they_do_while_deployments_change_who_waits(random: Random, consume: Consume) -> None:
    """A window's state may come from a release before, and after a roll-back from one behind."""

    def deployed() -> ConsumerSettings:
        return ConsumerSettings("Memory", "shard", "puts", ",".join(kind for kind in KINDS if random.random() < 0.7))

    releases = [deployed() for _ in range(3)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_aggregator, "settings", lambda: random.choice(releases))
        outcome = world.run(random, SimulatedMemory(shards=4), consume, happenings=60)
    assert outcome.found == outcome.expected
