"""What may be asked to go wrong with the local stream: it goes wrong in one shard, once, as Lambda would have it."""

import re
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delivery import Clock, Items, Stream
from functions.replay.memory import MemoryTable
from functions.systems.proof.entity import MISDELIVERED, Misdelivered
from local.stream.course import Course
from local.stream.lane import Outside
from local.stream.misdeliveries import Misdeliveries
from ops.processes import wait_until
from tests.local.streaming import NAME, WINDOW, Local, counting, deployed, eight_delivered
from tests.simulator.support import item

# How many records came once more, in the words of the log.
AGAIN = re.compile(r"(?:batch of|of|from) (\d+)")


@pytest.fixture
def local() -> Local:
    return eight_delivered()


def test_a_batch_comes_again_as_it_is(local: Local) -> None:
    local.ask("repeat")
    local.drain()
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 7], [8, 9], []]
    assert local.log == [(NAME, "batch of 4 again, all of it")]
    first, again = local.handler.events[f"shardId-{NAME}"][1:3]
    assert first == again


def test_half_a_batch_comes_again_and_the_rest_with_other_boundaries(local: Local) -> None:
    local.ask("repeat half")
    local.drain()
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5], [6, 7, 8, 9], []]
    assert local.log == [(NAME, "first 2 of 4 records came again, then the rest")]
    (events,) = local.handler.events.values()
    assert [event["state"].get("seen") for event in events] == [None, 4, 4, 6, 10]


def test_half_a_batch_waits_for_one_that_has_halves() -> None:
    local = Local(replace(WINDOW, batch_size=1), counting, shards=1)
    local.put(item("p", 0))
    local.ask("repeat half")
    local.step()
    local.course.map([deployed(replace(WINDOW, batch_size=3))])
    for number in range(1, 4):
        local.put(item("p", number))
    local.drain()
    assert local.batches() == [[0], [1, 2, 3], [1], [2, 3], []]
    assert local.log == [(NAME, "first 1 of 3 records came again, then the rest")]


def test_a_shard_is_read_again_from_the_beginning_of_a_window(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is kept when a window ends: it goes back by some records, and then to the beginning of theirs."""
    monkeypatch.setattr("functions.faults.misdelivering.BACK", 1)
    local.drain()
    for number in range(10, 13):
        local.put(item("p", number))
    before = len(local.batches())
    local.ask("rewind")
    local.drain()
    ten = [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    assert local.batches()[before:] == [[10, 11, 12], *ten, [10, 11, 12], []]
    assert local.log == [(NAME, "read again from 13 records earlier on")]


def test_what_is_read_again_is_told_as_far_as_it_is(local: Local) -> None:
    local.ask("rewind")
    local.drain()
    assert local.batches() == [*([0, 1, 2, 3], [4, 5, 6, 7]) * 2, [8, 9], []]
    assert local.log == [(NAME, "read again from 8 records earlier on")]


def test_a_shard_that_is_read_again_does_not_go_back_before_that_is_done(local: Local) -> None:
    for _ in range(2):
        local.ask("rewind")
    local.drain()
    assert local.batches() == [*([0, 1, 2, 3], [4, 5, 6, 7]) * 2, [8, 9], *([0, 1, 2, 3], [4, 5, 6, 7]), [8, 9], []]
    assert [what for _, what in local.log] == [
        "read again from 8 records earlier on",
        "read again from 10 records earlier on",
    ]


def test_a_window_loses_its_state_and_keeps_its_place(local: Local) -> None:
    local.ask("lose state")
    local.drain()
    assert local.batches() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    (events,) = local.handler.events.values()
    assert [event["state"] for event in events] == [{}, {"seen": 4}, {}, {"seen": 2}]
    assert local.log == [(NAME, "the window's state was lost: 11 bytes")]


def test_a_state_that_is_empty_is_not_lost() -> None:
    local = Local(WINDOW, lambda _: {"state": {}}, shards=1)
    local.put(item("p"))
    local.ask("lose state")
    local.drain()
    assert (local.log, len(local.asked.faults)) == ([], 1)


def test_a_shard_splits_and_its_children_wait_for_its_end(local: Local) -> None:
    local.ask("split")
    local.step()
    parent, left, right = local.stream.shards
    for number in range(10, 30):
        local.put(item(f"p{number}", number))
    local.drain()
    order = list(local.handler.events)
    assert (order[0], set(order[1:])) == (parent.id, {left.id, right.id})
    assert local.batches(parent) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    names = [shard.id.removeprefix("shardId-") for shard in local.stream.shards]
    assert local.log == [(NAME, "shard {} split into {} and {}".format(*names))]


def test_no_more_shards_are_split_than_the_machine_has_room_for(local: Local, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("functions.faults.misdelivering.MOST_SHARDS", 1)
    local.ask("split")
    local.drain()
    assert len(local.stream.shards) == 1
    assert local.log == [(NAME, "not split: 1 shards are open, and there is room for no more")]


def test_what_was_asked_of_a_shard_is_still_asked_of_those_that_it_split_into(local: Local) -> None:
    local.drain()
    local.ask("repeat", NAME)
    left, right = local.stream.split(local.stream.shards[0])
    local.put(item("p", 20))
    local.drain()
    (child,) = (shard for shard in (left, right) if shard.records and local.batches(shard))
    assert local.batches(child) == [[20], [20], []]
    assert local.log == [(child.id.removeprefix("shardId-"), "batch of 1 again, all of it")]


def test_a_shard_that_is_closed_does_not_split_but_its_child_does(local: Local) -> None:
    local.stream.split(local.stream.shards[0])
    local.ask("split", NAME)
    local.drain()
    assert local.log == []
    for number in range(20, 24):
        local.put(item(f"p{number}", number))
    local.drain()
    ((shard, _),) = local.log
    assert shard in {each.id.removeprefix("shardId-") for each in local.stream.shards[1:3]}
    assert len(local.stream.shards) == 5


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 9), st.lists(st.sampled_from(MISDELIVERED), max_size=6), st.lists(st.integers(1, 12), max_size=5))
def test_the_log_tells_what_the_function_received(size: int, kinds: list[Misdelivered], written: list[int]) -> None:
    """Each record came once, and once more for each time that the log says so; and a state was lost when it says so."""
    local, number = Local(replace(WINDOW, batch_size=size), counting, shards=2), 0
    for kind in kinds:
        local.ask(kind)
    for count in written:
        for _ in range(count):
            local.put(item(f"p{number}", number))
            number += 1
        local.step()
        local.clock.advance(1)
    local.drain()
    came = Counter(each for shard in local.stream.shards for batch in local.batches(shard) for each in batch)
    assert came.keys() == set(range(number))
    again = [int(found[1]) for _, what in local.log if (found := AGAIN.search(what))]
    assert came.total() == number + sum(again)
    splits = sum(" split into " in what for _, what in local.log)
    assert len(local.stream.open_shards) == 2 + splits


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
        course = Course(lane.source, outside, lambda form: form, clock, Misdeliveries(MemoryTable(), clock, print))
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
