"""Each fault by name: what the handler and its store see of it."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from delivery import (
    HARSH,
    Accepted,
    Batch,
    Fault,
    Faults,
    KilledError,
    Mapping,
    Reader,
    Simulator,
    Stream,
    ThrottledError,
    settle,
    through,
)
from tests.simulator.support import Remembering, drained, numbers, stream_of, write

PARTITIONS = [f"p{number}" for number in range(8)]


class Writing:
    """A handler that writes each record's number into a store; `begun` and `ended` batches tell how it went."""

    def __init__(self, stream: Stream, faults: Faults, mapping: Mapping | None = None, seed: Any = 1) -> None:
        self.written: list[int] = []
        self.begun: list[list[int]] = []
        self.ended: list[list[int]] = []
        self.simulator = Simulator(self, stream, mapping or Mapping(batch_size=4), faults, seed=seed)

    def __call__(self, event: dict[str, Any], _: Any) -> None:
        batch = numbers(event)
        self.begun.append(batch)
        for number in batch:
            self.write(number)
        self.ended.append(batch)

    def write(self, number: int) -> None:
        through(self.simulator.writes, lambda: self.written.append(number))

    def struck(self, fault: Fault) -> int:
        return sum(entry.fault is fault for entry in self.simulator.history.entries)


def run(faults: Faults, *, shards: int = 1, count: int = 60) -> Writing:
    writing = Writing(stream_of(count, PARTITIONS, shards), faults)
    drained(writing.simulator)
    return writing


def test_without_faults_everything_is_written_once() -> None:
    assert run(Faults()).written == list(range(60))


def test_a_fault_strikes_a_delivery_of_ones_choice() -> None:
    """The second batch comes again, once, and nothing else does."""
    chosen = iter([False, True])

    def settles(reader: Reader, batch: Batch, answer: Accepted) -> bool:
        if strikes := next(chosen, False):
            settle(reader, batch, answer, stream.clock.now, Fault.REPEATED, lambda: 0)
        return strikes

    stream, handler = stream_of(12), Remembering()
    Simulator(handler, stream, Mapping(batch_size=4), settles=settles).drain()
    assert handler.batches == [[0, 1, 2, 3], [4, 5, 6, 7], [4, 5, 6, 7], [8, 9, 10, 11]]


def test_nobody_chooses_for_a_delivery_that_failed_or_that_chance_has_struck() -> None:
    chosen: list[int] = []

    def settles(_reader: Reader, batch: Batch, _answer: Accepted) -> bool:
        chosen.append(batch.start)
        return False

    handler = Remembering(ValueError(), None)
    Simulator(handler, stream_of(4), Mapping(batch_size=4), settles=settles).drain()
    assert (len(handler.events), chosen) == (2, [0])
    struck = Simulator(Remembering(), stream_of(40), Mapping(batch_size=4), Faults(repeated=0.5), settles=settles)
    chosen.clear()
    drained(struck)
    assert len(chosen) == struck.history.invocations - struck.history.faults[Fault.REPEATED]


def test_what_is_due_until_an_instant_is_delivered_and_no_more() -> None:
    stream, handler = Stream(), Remembering()
    simulator = Simulator(handler, stream, Mapping(batching_window=10))
    write(stream, [0])
    began = stream.clock.now
    assert simulator.deliver(until=began + 9.5)
    assert (handler.batches, stream.clock.now) == ([], began + 9.5)
    assert not simulator.deliver(until=began + 60)
    assert (handler.batches, stream.clock.now) == ([[0]], began + 60)


def test_the_same_batch_comes_again() -> None:
    writing = run(Faults(repeated=0.4))
    assert writing.struck(Fault.REPEATED) > 0
    assert any(before == after for before, after in pairwise(writing.begun))
    assert writing.begun == writing.ended


def test_a_lost_checkpoint_goes_back_with_other_boundaries() -> None:
    writing = run(Faults(rewound=0.4, rewind=9, short_batch=0.5))
    back = [before[-1] + 1 - after[0] for before, after in pairwise(writing.begun) if after[0] <= before[-1]]
    assert 1 <= min(back) < max(back) <= 9
    assert len({batch[0] for batch in writing.begun}) > len([batch for batch in writing.begun if batch[0] % 4 == 0])


def test_a_process_killed_before_a_write_has_not_made_it() -> None:
    writing = run(Faults(killed_before=0.4))
    assert writing.struck(Fault.KILLED_BEFORE) > 0
    assert len(writing.begun) == len(writing.ended) + writing.struck(Fault.KILLED_BEFORE)
    assert sum(map(len, writing.begun)) > len(writing.written) >= 60


def test_a_process_killed_after_a_write_has_made_it() -> None:
    writing = Writing(stream_of(1), Faults(killed_after=0.5))
    drained(writing.simulator)
    assert writing.struck(Fault.KILLED_AFTER) > 0
    assert len(writing.written) == len(writing.begun) == writing.struck(Fault.KILLED_AFTER) + 1


def test_no_handler_survives_its_own_process() -> None:
    def stubborn(event: dict[str, Any], _: Any) -> None:
        for number in numbers(event):
            try:
                writing.write(number)
            except Exception:  # noqa: BLE001  as careless handlers do
                survived.append(number)
            except KilledError:
                died.append(number)  # `finally` would run too, and what it writes must fail like everything else

    survived: list[int] = []
    died: list[int] = []
    writing = Writing(stream_of(4), Faults(killed_before=0.9), seed=3)
    simulator = Simulator(stubborn, stream_of(4), Mapping(), Faults(killed_before=0.9), seed=3)
    writing.simulator = simulator
    simulator.step()
    assert survived == []
    assert died == [0, 1, 2, 3]
    assert writing.written == []


def test_an_answer_is_lost_after_success() -> None:
    writing = run(Faults(answer_lost=0.4))
    assert writing.struck(Fault.ANSWER_LOST) > 0
    assert len(writing.ended) == 15 + writing.struck(Fault.ANSWER_LOST)


def test_a_write_answered_500_is_sent_again() -> None:
    writing = run(Faults(write_repeated=0.5))
    assert writing.struck(Fault.WRITE_REPEATED) > 0
    assert len(writing.begun) == 15
    assert len(writing.written) == 60 + writing.struck(Fault.WRITE_REPEATED)
    assert max(Counter(writing.written).values()) == 2


def test_from_one_write_on_all_are_throttled() -> None:
    def trying(event: dict[str, Any], _: Any) -> None:
        refused = []
        for _record in event["Records"]:
            try:
                through(simulator.writes, lambda: None)
                refused.append(False)
            except ThrottledError:
                refused.append(True)
        outcomes.append(refused)

    outcomes: list[list[bool]] = []
    simulator = Simulator(trying, stream_of(60), Mapping(batch_size=4), Faults(throttled=0.5))
    drained(simulator)
    assert any(True in refused for refused in outcomes)
    assert any(refused[0] is False and refused[-1] for refused in outcomes)
    assert all(refused == sorted(refused) for refused in outcomes)


def test_a_zombie_writes_on_beside_its_retry() -> None:
    writing = run(Faults(zombie_beside=0.4))
    batch, again = next(pair for pair in pairwise(writing.begun) if pair[0] == pair[1])
    assert writing.struck(Fault.ZOMBIE_BESIDE) > 0
    assert batch == again
    # The zombie began first and ends last: after its shard has gone on.
    assert any(ended < before for before, ended in pairwise(writing.ended))


def test_a_zombie_wakes_long_after_its_shard_has_gone_on() -> None:
    writing = run(Faults(zombie_after=0.4))
    late = [before[0] - after[0] for before, after in pairwise(writing.begun) if after[0] < before[0]]
    assert max(late) > 4


def test_other_shards_run_between_two_writes() -> None:
    writing = Writing(stream_of(60, PARTITIONS, 4), Faults(raced=0.5))
    drained(writing.simulator)
    assert writing.struck(Fault.RACED) > 0
    assert writing.begun != writing.ended
    assert sorted(writing.written) == list(range(60))


def test_batches_are_short() -> None:
    assert len(run(Faults(short_batch=0.5)).begun) > 15


@pytest.mark.parametrize("seed", range(20))
def test_whatever_happens_every_record_is_delivered_and_the_first_time_in_order(seed: int) -> None:
    stream = Stream(shards=2, whole_collections=True)
    writing = Writing(stream, HARSH, Mapping(batch_size=5, tumbling_window=0), seed)
    for number in range(150):
        write(stream, [number], PARTITIONS)
        if number % 3 == 0:
            writing.simulator.step()
    drained(writing.simulator)
    assert set(writing.written) == set(range(150))
    for partition in range(8):
        seen = dict.fromkeys(number for batch in writing.begun for number in batch if number % 8 == partition)
        assert list(seen) == sorted(seen)


@pytest.mark.parametrize("fault", list(Fault), ids=lambda fault: fault.name.lower())
def test_harsh_delivery_has_every_fault(fault: Fault) -> None:
    writing = Writing(stream_of(2000, PARTITIONS, 2), HARSH)
    drained(writing.simulator)
    assert writing.struck(fault) > 0


def test_a_run_repeats_itself_from_its_seed() -> None:
    def history(seed: int) -> str:
        writing = Writing(stream_of(200, PARTITIONS, 2), HARSH, seed=seed)
        return str(drained(writing.simulator).history)

    assert history(7) == history(7)
    assert len({history(seed) for seed in range(5)}) == 5


def test_the_history_says_what_happened() -> None:
    writing = Writing(stream_of(2), Faults(answer_lost=0.9), seed=1)
    writing.simulator.step()
    assert str(writing.simulator.history) == (
        "      1 1535544000.000 shardId-00000001535544000000-00000000 "
        "2 records 999999999999999999981..999999999999999999982: succeeded "
        "[the function succeeds, but Lambda does not learn of it]"
    )


@settings(max_examples=20)
@given(random=st.randoms(use_true_random=True))
def test_hypothesis_may_choose_the_faults(random: Any) -> None:
    writing = Writing(stream_of(12), replace(HARSH, split=0, roll_over=0), seed=random)
    assert set(drained(writing.simulator).stream.shards[0].records)
    assert set(writing.written) == set(range(12))


@pytest.mark.parametrize("rates", [{"repeated": 1}, {"split": -0.1}, {"repeated": 0.5, "killed_after": 0.5}])
def test_rates_that_never_let_anything_through_are_refused(rates: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="rates"):
        Faults(**rates)


def test_outside_of_invocations_writes_are_left_alone() -> None:
    writing = Writing(stream_of(0), Faults(killed_before=0.9))
    for number in range(20):
        writing.write(number)
    assert writing.written == list(range(20))


def test_a_zombie_lives_no_longer_than_lambda_lets_a_function_run() -> None:
    def late(seconds: float) -> bool:
        stream = stream_of(4)
        writing = Writing(stream, Faults(zombie_after=0.99))
        writing.simulator.step()
        stream.clock.advance(seconds)
        write(stream, [4])
        drained(writing.simulator)
        return writing.begun.count([0, 1, 2, 3]) == 2

    assert late(899)
    assert not late(901)


def test_what_a_stream_forgets_while_it_is_replayed_is_not_lost() -> None:
    stream = stream_of(4)
    writing = Writing(stream, Faults(rewound=0.99))
    writing.simulator.step()
    stream.clock.advance(25 * 3600)
    drained(writing.simulator)
    assert writing.begun == [[0, 1, 2, 3]]
    assert writing.simulator.forgotten == []
