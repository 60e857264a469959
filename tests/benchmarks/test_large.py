"""The events of benchmarks/large.py are what its table says."""

import json

import pytest

from benchmarks import large
from benchmarks.stream import window_event
from delivery.mapping import PAYLOAD
from edgewise.stream.changes import effects
from functions.catalog import CATALOG

# One process runs them all: making the events takes seconds.
pytestmark = pytest.mark.xdist_group("large")


@pytest.fixture(scope="module")
def events() -> list[large.Large]:
    return list(large.cases())


def test_there_are_as_many_as_the_progress_bar_expects(events: list[large.Large]) -> None:
    assert len(events) == large.CASES


@pytest.mark.parametrize("number", range(large.CASES))
def test_an_event_is_one_that_lambda_delivers_and_changes_as_many_aggregates(
    events: list[large.Large], number: int
) -> None:
    event = events[number]
    assert len(event.records) <= large.MOST
    assert len(large.text_of(event)) <= PAYLOAD
    assert len({about for record in event.records for about in effects(CATALOG, record)}) == event.aggregates
    assert json.loads(large.text_of(event)).keys() == window_event([]).keys()
