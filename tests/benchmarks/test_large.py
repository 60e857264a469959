"""The events of benchmarks/large.py are what its table says."""

import json

import pytest

from benchmarks import large
from benchmarks.stream import window_event
from delivery.mapping import PAYLOAD
from functions.catalog import CATALOG
from functions.stream.changes import effects

EVENTS = list(large.cases())


def test_there_are_as_many_as_the_progress_bar_expects() -> None:
    assert len(EVENTS) == large.CASES


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.name)
def test_an_event_is_one_that_lambda_delivers_and_changes_as_many_aggregates(event: large.Large) -> None:
    assert len(event.records) <= large.MOST
    assert len(large.text_of(event)) <= PAYLOAD
    assert len({about for record in event.records for about in effects(CATALOG, record)}) == event.aggregates
    assert json.loads(large.text_of(event)).keys() == window_event([]).keys()
