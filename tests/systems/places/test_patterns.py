"""Every read of places as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.dynamodb.queries import Query
from functions.systems.places import patterns as places_patterns
from tests.support.queries import BY_TIME, PREFIX, sent


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([places_patterns.place(("US", "New York"))], [sent("PLACE#US#New$20York", PREFIX, prefix="EDGE#")]),
        (
            places_patterns.residents(("US", "New York"), ["AT#ROOM#US#1", "AT#ROOM#US#2"]),
            [sent(f"AT#ROOM#US#{shard}", PREFIX, BY_TIME, prefix="US#New$20York#") for shard in (1, 2)],
        ),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
