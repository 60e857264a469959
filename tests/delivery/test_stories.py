"""After any history of any system under any delivery, its aggregates are what an independent recount says."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from functions.store.table import Table
from tests.delivery.history import steps
from tests.delivery.hostile import Delivery, FragileMemory, FragileTable, Step
from tests.delivery.stories import STORIES
from tests.delivery.stories.story import Source, Story
from tests.support.memory import key_of

Consume = Callable[[Table], Callable[[dict[str, Any]], Any]]
NewTable = Callable[[], FragileTable]
Removal = int
Happening = Source | Removal | Step

each = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
many = settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def happenings(story: Story) -> st.SearchStrategy[list[Happening]]:
    """Sources stored, one of those stored removed, deliveries, in any order."""
    return st.lists(st.one_of(story.sources, story.sources, st.integers(0, 20), steps), max_size=60)


def run(story: Story, history: list[Happening], table: FragileTable, consume: Consume) -> None:
    """Let it happen, then compare."""
    delivery, facts = Delivery(table, consume(table)), {}
    for happening in history:
        match happening:
            case Source(item, fact):
                table.put_many([item])
                facts[key_of(item)] = fact
            case int() if facts:
                key = list(facts)[happening % len(facts)]
                del facts[key]
                table.delete(key)
            case Step():
                delivery.step(happening)
    delivery.drain()
    assert story.actual(table.all_items()) == story.recount(list(facts.values()))


@each
@given(data=st.data())
@many
def test_aggregates_equal_the_recount(story: Story, data: st.DataObject, consume: Consume) -> None:
    run(story, data.draw(happenings(story)), FragileMemory(shards=4), consume)


@each
@given(data=st.data())
@settings(many, max_examples=4, phases=[Phase.generate])
def test_so_they_do_on_dynamodb_local(
    story: Story, data: st.DataObject, engine_table: NewTable, consume: Consume
) -> None:
    run(story, data.draw(happenings(story)), engine_table(), consume)
