"""Which delivery is meant by what somebody asks to go wrong with the local stream, and how it is written down."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.dynamodb.writes import Action
from edgewise.freshness.shards import Heartbeat, heartbeat_item
from edgewise.times import SECOND
from functions.replay.memory import MemoryTable
from functions.systems.proof import codec
from functions.systems.proof.entity import PATIENCE, Asked, Fault, Watch
from tests.local.streaming import NAME, WINDOW, Local, counting, deployed, eight_delivered
from tests.simulator.support import item, numbers


@pytest.fixture
def local() -> Local:
    return eight_delivered()


def two_shards() -> Local:
    """Ten records in each of two shards, of which none is delivered."""
    local = Local(WINDOW, counting, shards=2)
    for number in range(40):
        if len(local.stream.shard_of(key := item(f"p{number}", number)).records) < 10:
            local.put(key)
    assert [len(shard.records) for shard in local.stream.shards] == [10, 10]
    return local


def test_a_shard_that_is_named_is_meant_and_no_other() -> None:
    local = two_shards()
    other, named = local.stream.shards
    local.ask("repeat", named.id.removeprefix("shardId-"))
    local.drain()
    assert [len(batch) for batch in local.batches(other)] == [4, 4, 2, 0]
    assert [len(batch) for batch in local.batches(named)] == [4, 4, 4, 2, 0]
    assert local.log == [(named.id.removeprefix("shardId-"), "batch of 4 again, all of it")]


def test_where_no_shard_is_named_it_happens_in_one_of_them() -> None:
    local = two_shards()
    local.ask("repeat")
    local.drain()
    assert sorted(len(local.batches(shard)) for shard in local.stream.shards) == [4, 5]
    ((shard, _),) = local.log
    assert len(local.handler.events[f"shardId-{shard}"]) == 5


def test_heartbeats_alone_are_not_meant() -> None:
    local = Local(replace(WINDOW, batch_size=1), counting, shards=1)
    local.ask("repeat")
    local.put(heartbeat_item(Heartbeat("00", 1)))
    local.put(item("p", 7))
    local.drain()
    (events,) = local.handler.events.values()
    assert [[each["dynamodb"]["Keys"]["PK"]["S"] for each in event["Records"]] for event in events][1:] == [
        *(["p"], ["p"]),
        [],
    ]


def test_a_batch_that_fails_is_not_meant() -> None:
    local = Local(WINDOW, slow_to_learn(), shards=1)
    local.put(item("p", 0))
    local.ask("repeat")
    local.drain()
    assert local.batches() == [[0], [0], [0], []]
    assert local.log == [(NAME, "batch of 1 again, all of it")]


def slow_to_learn() -> Callable[[dict[str, Any]], Any]:
    """Fails once."""
    left = [ValueError("not yet")]

    def answer(event: dict[str, Any]) -> Any:
        if left:
            raise left.pop()
        return counting(event)

    return answer


def test_a_reader_without_windows_is_not_meant() -> None:
    cascade = deployed(replace(WINDOW, tumbling_window=0), "cascade", "cascade")
    local = Local(WINDOW, counting, shards=1)
    local.course.map([cascade])
    local.put(item("p"))
    local.ask("repeat")
    local.drain()
    assert ([numbers(event) for event in local.handler.events[""]], local.log) == ([[0]], [])
    local.course.map([cascade, deployed(WINDOW)])
    local.drain()
    assert (local.batches(), local.log) == ([[0], [0], []], [(NAME, "batch of 1 again, all of it")])


def test_a_mapping_that_was_stopped_meanwhile_is_left_alone(local: Local) -> None:
    local.ask("repeat")
    local.course.map([replace(deployed(WINDOW), enabled=False)])
    local.step()
    local.course.map([deployed(WINDOW)])
    local.drain()
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], [8, 9], []]


def test_what_nobody_could_do_in_time_is_not_done(local: Local) -> None:
    local.ask("repeat", ago=PATIENCE)
    local.ask("lose state", ago=PATIENCE - 1)
    local.drain()
    assert [what for _, what in local.log] == ["the window's state was lost: 11 bytes"]
    assert [fault.kind for fault in local.asked.faults] == ["repeat"]


def test_what_somebody_else_asks_for_meanwhile_stays_and_what_happened_is_written_once(local: Local) -> None:
    local.ask("repeat")
    watch = Watch("w", 1, 2, (), plain=True)
    local.change(replace(local.asked, watch=watch))
    for _ in range(2):
        local.course.step()
        local.course.write()
    assert (local.log, len(local.asked.faults)) == ([], 1)
    local.hear()
    local.drain()
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 7], [8, 9], []]
    assert local.log == [(NAME, "batch of 4 again, all of it")]
    assert (local.asked.faults, local.asked.watch) == ((), watch)


def test_what_was_written_is_known_before_its_record_comes(local: Local) -> None:
    """Two happen at once, and the record of the first does not bring the second again."""
    for _ in range(2):
        local.ask("repeat")
    local.course.step()
    local.course.step()
    local.course.write()
    assert local.asked.faults == ()
    first = replace(local.asked, version=2, faults=(Fault("f001", "repeat", int(local.clock.now * SECOND)),))
    local.put(codec.asked_item(first))
    local.drain()
    assert len(local.log) == 2
    assert local.batches() == [[0, 1, 2, 3], *[[4, 5, 6, 7]] * 3, [8, 9], []]


class Busy(MemoryTable):
    """Takes some transactions, and then fails."""

    def __init__(self, *takes: bool) -> None:
        super().__init__()
        self.takes = list(takes)

    def transact(self, actions: Sequence[Action]) -> None:
        if not self.takes.pop(0):
            raise UnprocessedError("it is a test")
        super().transact(actions)


def test_nothing_was_asked_and_nothing_is_said_or_written() -> None:
    local = Local(WINDOW, counting, 1, Busy())
    local.put(item("p"))
    local.drain()
    assert (local.batches(), local.told) == ([[0], []], [])


def test_what_could_not_be_written_is_written_later_and_does_not_happen_again() -> None:
    local = Local(WINDOW, counting, 1, Busy(False, True))
    local.put(item("p"))
    local.ask("repeat")
    local.step()
    with pytest.raises(UnprocessedError):
        local.step()
    local.drain()
    assert local.batches() == [[0], [0], []]
    assert (local.log, local.asked.faults) == ([(NAME, "batch of 1 again, all of it")], ())


def test_what_another_release_asks_for_is_told_of_and_stops_nobody(local: Local) -> None:
    local.put({**codec.asked_item(Asked()), "Asked": {"S": "{}"}})
    local.drain()
    assert local.told == ["not understood what is asked for: the item under PROOF / ASKED can't be understood"]
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
