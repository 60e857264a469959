"""Every read of places as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from functions.dynamodb.queries import Query
from functions.systems.places import patterns as places_patterns
from tests.support.queries import PREFIX, sent


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [([places_patterns.place(("US", "New York"))], [sent("PLACE#US#New$20York", PREFIX, prefix="EDGE#")])],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
