"""What may be asked to go wrong with the local stream: it goes wrong in one shard, once, as Lambda would have it."""

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from delivery import Clock, Fault, Items, Mapping, Stream
from local.processes import wait_until
from local.stream.course import Course
from local.stream.lane import Asked, Outside
from tests.local.streaming import Local, deployed
from tests.simulator.support import item, numbers

WINDOW = Mapping(batch_size=4, tumbling_window=60)


def counting(event: dict[str, Any]) -> Any:
    return {"state": {"seen": event["state"].get("seen", 0) + len(event["Records"])}}


@pytest.fixture
def local() -> Local:
    """One shard with ten records, of which none has been delivered."""
    found = Local(WINDOW, counting, shards=1)
    for number in range(10):
        found.put(item("p", number))
    return found


def asked(local: Local, **what: Any) -> list[list[int]]:
    """The batches, if that was asked once the first one had been delivered."""
    (mapped,) = local.course.lanes.values()
    (shard,) = local.stream.shards
    local.course.step()
    mapped.ask(shard.id, Asked(**what))
    local.drain()
    return [numbers(event) for event in local.handler.events[shard.id]]


def test_a_batch_comes_again_as_it_is(local: Local) -> None:
    again = asked(local, fault=Fault.REPEATED)
    assert again == [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 7], [8, 9], []]


def test_half_a_batch_comes_again_with_what_is_behind_it(local: Local) -> None:
    """A place is kept when a window ends: that of the present one goes back to its first record."""
    assert asked(local, fault=Fault.REWOUND, back=2) == [
        *([0, 1, 2, 3], [4, 5, 6, 7]),
        *([0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []),
    ]


def test_records_come_again_with_other_boundaries(local: Local) -> None:
    local.course.lanes["one"].ask(local.stream.shards[0].id, Asked(limit=3, fault=Fault.REWOUND, back=3))
    local.drain()
    (events,) = local.handler.events.values()
    assert [numbers(event) for event in events] == [[0, 1, 2], [0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]


def test_an_answer_that_is_lost_counts_as_a_failure(local: Local) -> None:
    assert asked(local, fault=Fault.ANSWER_LOST)[1:3] == [[4, 5, 6, 7]] * 2


def test_a_window_loses_its_state_and_keeps_its_place(local: Local) -> None:
    assert asked(local, state_lost=True) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    (events,) = local.handler.events.values()
    assert [event["state"] for event in events] == [{}, {"seen": 4}, {}, {"seen": 2}]


def test_a_shard_splits_and_its_children_wait_for_its_end(local: Local) -> None:
    (parent,) = local.stream.shards
    local.course.split(parent.id)
    for number in range(10, 30):
        local.put(item(f"p{number}", number))
    local.drain()
    order = list(local.handler.events)
    assert order[0] == parent.id
    assert set(order[1:]) == {child.id for child in local.stream.shards[1:]}
    assert {child.parent for child in local.stream.shards[1:]} == {parent.id}
    with pytest.raises(KeyError):
        local.course.split(parent.id)


def test_nothing_was_asked_and_nothing_is_said(local: Local) -> None:
    local.drain()
    assert local.told == []


class Slow:
    """Functions of which one hangs in one shard until it may go on."""

    def __init__(self) -> None:
        self.may_go_on = threading.Event()
        self.hangs_in = ("", "")
        self.delivered: list[tuple[str, str, int]] = []
        self._lock = threading.Lock()

    def __call__(self, function: str, event: str) -> Any:
        (shard,) = {shard for shard in SHARDS_OF if f'"shardId": "{shard}"' in event}
        if (function, shard) == self.hangs_in:
            self.may_go_on.wait(60)
        with self._lock:
            self.delivered.append((function, shard, event.count('"eventID"')))
        return {"state": {"seen": 1}}


SHARDS_OF: list[str] = []


def test_a_function_that_hangs_holds_up_its_own_shard_and_no_other_reader() -> None:
    slow, lane, clock = Slow(), Stream(), Clock()
    with ThreadPoolExecutor(8) as calls:
        outside = Outside(slow, calls, lambda *_: None, print)
        course = Course(lane.source, outside, lambda form: form, clock, shards=2)
        course.map([deployed(WINDOW, name, name) for name in ("aggregator", "cascade")])
        SHARDS_OF[:] = [shard.id for shard in course.stream.shards]
        slow.hangs_in = ("aggregator", SHARDS_OF[0])
        items = Items(lane)
        for number in range(40):
            items.put(item(f"p{number}", number))
        for record in lane.shards[0].records:
            course.add(record.form)
        there = {shard.id: len(shard.records) for shard in course.stream.shards}
        assert min(there.values()) > 8

        def delivered() -> dict[tuple[str, str], int]:
            course.step()
            found = dict.fromkeys(((function, shard) for function in ("aggregator", "cascade") for shard in there), 0)
            for function, shard, count in list(slow.delivered):
                found[function, shard] += count
            return found

        others = {
            (function, shard): count
            for function in ("aggregator", "cascade")
            for shard, count in there.items()
            if (function, shard) != slow.hangs_in
        }
        wait_until(lambda: delivered() == {**others, slow.hangs_in: 0}, 60, "the other shard and reader")
        upto = max(shard.records[-1].sequence for shard in course.stream.shards)
        assert (course.is_done(upto), course.left) == (False, there[SHARDS_OF[0]])
        slow.may_go_on.set()
        wait_until(lambda: delivered() == {**others, slow.hangs_in: there[SHARDS_OF[0]]}, 60, "the slow shard")
