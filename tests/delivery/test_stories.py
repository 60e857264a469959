"""After any history of any system under any delivery, its aggregates are what an independent recount says."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, Phase, given, note, settings
from hypothesis import strategies as st

from delivery import Handler
from functions.store.table import Table
from tests.delivery.history import Pass, passes
from tests.delivery.simulated import SimulatedMemory, SimulatedTable
from tests.delivery.stories import STORIES
from tests.delivery.stories.story import Source, Story
from tests.support.memory import key_of

Consume = Callable[[Table], Handler]
NewTable = Callable[[], SimulatedTable]
Removal = int
Happening = Source | Removal | Pass

randoms = st.randoms(use_true_random=False)
each = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
many = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def happenings(story: Story) -> st.SearchStrategy[list[Happening]]:
    """Sources stored, one of those stored removed, deliveries, in any order."""
    return st.lists(st.one_of(story.sources, story.sources, st.integers(0, 20), passes), max_size=60)


def run(story: Story, data: st.DataObject, table: SimulatedTable, consume: Consume) -> None:
    """Let it happen, then compare."""
    history, random = data.draw(happenings(story)), data.draw(randoms)
    simulator, facts = table.delivered_to(consume(table), random), {}
    for happening in history:
        match happening:
            case Source(item, fact):
                table.put_many([item])
                facts[key_of(item)] = fact
            case int() if facts:
                key = list(facts)[happening % len(facts)]
                del facts[key]
                table.delete(key)
            case Pass(seconds):
                table.stream.clock.advance(seconds)
                simulator.step()
    simulator.drain()
    note(str(simulator.history))
    assert story.actual(table.all_items()) == story.recount(list(facts.values()))


@each
@given(data=st.data())
@many
def test_aggregates_equal_the_recount(story: Story, data: st.DataObject, consume: Consume) -> None:
    run(story, data, SimulatedMemory(shards=4), consume)


@each
@given(data=st.data())
@settings(many, max_examples=4, phases=[Phase.generate])
def test_so_they_do_on_dynamodb_local(
    story: Story, data: st.DataObject, engine_table: NewTable, consume: Consume
) -> None:
    run(story, data, engine_table(), consume)
