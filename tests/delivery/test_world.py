"""After any history of all systems, under any delivery, their aggregates are what an independent recount says."""

from collections.abc import Callable
from contextlib import ExitStack
from random import Random

import pytest
from hypothesis import HealthCheck, Phase, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from tests.delivery.consuming import Consume, consuming, in_steps_of, released
from tests.delivery.simulated import SimulatedMemory, SimulatedTable
from tests.delivery.world import STEPS, World, run
from tests.support.histories import share

NewTable = Callable[[], SimulatedTable]
randoms = st.randoms(use_true_random=True)


class Machine(RuleBasedStateMachine):
    """The world's happenings in the order that fails first; after some, and in the end, it must have settled well."""

    new_table: NewTable = staticmethod(lambda: SimulatedMemory(shards=4))

    def __init__(self) -> None:
        super().__init__()
        self.stack, self.expiring = ExitStack(), False

    @initialize(random=randoms, expiring=st.booleans(), statements=st.booleans(), items=st.sampled_from(STEPS))
    def begin(self, random: Random, expiring: bool, statements: bool, items: int) -> None:
        self.stack.enter_context(in_steps_of(items))
        consume, releases = self.stack.enter_context(consuming()), self.stack.enter_context(released())
        table = self.new_table()
        table.statements = statements
        self.world, self.expiring = World(random, table, consume, releases), expiring

    @rule(times=st.integers(1, 5))
    def store(self, times: int) -> None:
        for _ in range(times):
            self.world.store()

    @rule(times=st.integers(1, 3))
    def deliver(self, times: int) -> None:
        for _ in range(times):
            self.world.deliver()

    @rule()
    def rewrite(self) -> None:
        self.world.rewrite()

    @rule()
    def remove(self) -> None:
        self.world.remove()

    @precondition(lambda self: self.expiring)
    @rule()
    def expire(self) -> None:
        self.world.expire()

    @rule()
    def wait(self) -> None:
        self.world.wait()

    @rule()
    def renew_mapping(self) -> None:
        self.world.renew_mapping()

    @rule()
    def lapse(self) -> None:
        self.world.lapse()

    @rule()
    def sweep(self) -> None:
        self.world.sweep()

    @rule()
    def count_on(self) -> None:
        self.world.count_on()

    @rule()
    def release(self) -> None:
        self.world.release()

    @rule()
    def redrive(self) -> None:
        self.world.redrive()

    @rule()
    def compare(self) -> None:
        outcome = self.world.outcome()
        note(str(outcome.history))
        assert outcome.found == outcome.expected

    def teardown(self) -> None:
        try:
            if hasattr(self, "world"):
                self.compare()
        finally:
            self.stack.close()


many = settings(
    max_examples=share(80),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_aggregates_and_rankings_equal_the_recount() -> None:
    run_state_machine_as_test(Machine, settings=many)


def test_so_they_do_on_dynamodb_local(engine_table: NewTable) -> None:
    class OnEngine(Machine):
        new_table = staticmethod(engine_table)

    few = settings(many, max_examples=6, stateful_step_count=30, phases=[Phase.generate])
    run_state_machine_as_test(OnEngine, settings=few)


@pytest.mark.histories(3)
def test_so_they_do_in_long_histories(seed: int, consume: Consume) -> None:
    outcome = run(Random(seed), SimulatedMemory(shards=4), consume, 400)
    assert outcome.found == outcome.expected
