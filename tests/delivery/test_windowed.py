"""What waits for the end of its window: fewer writes, and as exact under any delivery."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from delivery import NONE, Handler, Source, make_record
from edgewise.aggregates import keys
from edgewise.dynamodb.attributes import key_of
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Write
from edgewise.stream.register import register
from functions.replay.memory import MemoryTable, target
from functions.systems.telemetry.system import DEVICE
from tests.delivery import world
from tests.delivery.growing import growing
from tests.delivery.simulated import SimulatedMemory
from tests.support.http import Context
from tests.support.streams import window_event

Consume = Callable[[Table], Handler]
_SOURCE = Source()


class Counted(MemoryTable):
    """Remembers which partitions were written, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []

    def write(self, write: Write) -> None:
        self.writes.append(target(write).pk)
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


def of_carrier(table: MemoryTable, number: int = 9) -> dict[str, Any]:
    """The record, of just now, of what the carrier has brought last."""
    item = table.items[keys.carrier(0, "a")]
    form: dict[str, Any] = make_record(_SOURCE, None, item, 10**20 + number, 1_535_544_060, False).form
    return form


def test_three_batches_of_a_window_cost_one_write_of_what_waits(consume: Consume) -> None:
    table = Counted()
    state: dict[str, Any] = {}
    consumer = consume(table)
    for second in range(3):
        event = window_event("a", [reading(second, GOOD)], ends=False) | {"state": state}
        state = consumer(event, Context())["state"]
    assert table.writes == ["DEVICE#d"] * 3
    consumer(window_event("a", []) | {"state": state}, Context())
    assert table.writes[3:] == ["CARRIER#0"]
    consumer(window_event("b", [of_carrier(table)], ends=False), Context())
    assert sorted(table.writes[4:]) == ["PLACE#US", "PLACE#US"]
    assert events_of_places(table) == [3, 3]


def test_what_waits_is_taken_on_before_a_record_behind_it_is_set_aside(consume: Consume) -> None:
    """A redrive moves the checkpoint to that record: what still waited before it would be lost."""
    table = MemoryTable()
    consumer = consume(table)
    first = consumer(window_event("a", [reading(0, GOOD)], ends=False), Context())
    assert keys.carrier(0, "a") not in table.items
    second = consumer(window_event("a", [reading(1, BAD)], ends=False) | {"state": first["state"]}, Context())
    assert not second["state"]["waiting"]
    assert register(table).count == 1
    assert table.items[keys.carrier(0, "a")]["Carries"] == {"S": "2"}


def test_without_a_window_nothing_waits(consume: Consume) -> None:
    """As on the local cloud: nobody would bring the state back."""
    table = MemoryTable()
    consumer = consume(table)
    for records in ([reading(0, GOOD)], None):
        event = window_event("a", records or [of_carrier(table)], ends=False)
        del event["window"]
        assert not consumer(event, Context())["state"].get("waiting")
    assert events_of_places(table) == [1, 1]


def test_what_carriers_bring_waits_while_something_else_comes(consume: Consume) -> None:
    table = MemoryTable()
    consumer = consume(table)
    consumer(window_event("a", [reading(0, GOOD)]), Context())
    answer = consumer(window_event("a", [of_carrier(table, 1), reading(2, GOOD)], ends=False), Context())
    assert events_of_places(table) == []
    consumer(window_event("a", []) | {"state": answer["state"]}, Context())
    assert events_of_places(table) == [1, 1]


def test_a_window_without_effects_leaves_its_position_alone_in_the_table(consume: Consume) -> None:
    """One put, whose record is not delivered; so it causes no further one."""
    table = SimulatedMemory(shards=1)
    simulator = table.delivered_to(consume(table), Random(1))
    simulator.faults = NONE
    table.put_many([{"PK": {"S": "X"}, "SK": {"S": "Y"}, "Type": {"S": "DECLARED_LATER"}}])
    simulator.drain()
    (carrier,) = (item for item in table.all_items() if item["Type"]["S"] == "CARRIER")
    assert "Carries" not in carrier
    assert [key_of(item).pk for item in table.all_items()] == ["X", "CARRIER#0"]
    assert len(table.stream.shards[0].records) == 2


many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(random=st.randoms(use_true_random=True), shards=st.sampled_from((1, 4)))
@many
def test_aggregates_equal_the_recount(random: Random, shards: int, consume: Consume) -> None:
    outcome = world.run(random, SimulatedMemory(shards), consume, happenings=60)
    assert outcome.found == outcome.expected


@given(random=st.randoms(use_true_random=True))
@many
def test_they_do_while_groups_grow(random: Random, consume: Consume) -> None:
    with growing():
        outcome = world.run(random, SimulatedMemory(shards=4), consume, happenings=60)
    assert outcome.found == outcome.expected


@pytest.mark.parametrize("seconds", [[0, 1, 2, 1], [1, 2, 0, 1]], ids=str)
def test_what_came_twice_in_a_batch_counts_once_when_it_comes_again(consume: Consume, seconds: list[int]) -> None:
    """The checkpoint is at the last of the shard's records, whichever the batch had last."""
    table = MemoryTable()
    consumer = consume(table)
    consumer(window_event("a", [reading(second, GOOD) for second in seconds]), Context())
    before = table.items[keys.of(DEVICE("d"))]
    consumer(window_event("a", [reading(second, GOOD) for second in (1, 2)]), Context())
    assert table.items[keys.of(DEVICE("d"))] == before
