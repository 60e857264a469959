"""Every read of orders as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from functions.dynamodb.queries import Query
from functions.systems.orders import patterns as orders_patterns
from tests.support.queries import BETWEEN, BY_NUMBER, BY_TARGET, BY_TIME, sent

NOON = 1535544000000


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([orders_patterns.customer("Padma")], [sent("CUSTOMER#Padma", BETWEEN, low="EDGE#", high="ORDER$")]),
        ([orders_patterns.open_of("Padma", forward=False)], [sent("OPEN#Padma", "#pk = :pk", BY_NUMBER, False)]),
        (
            [orders_patterns.dated("Padma", NOON, None)],
            [sent("CUSTOMER#Padma", BETWEEN, BY_TARGET, low="ORDER#2018-08-29T12:00:00.000Z", high="ORDER$")],
        ),
        (
            orders_patterns.opened_between(["OPEN_ORDERS#1", "OPEN_ORDERS#2"], NOON, None),
            [
                sent(f"OPEN_ORDERS#{shard}", BETWEEN, BY_TIME, low="2018-08-29T12:00:00.000Z", high=":")
                for shard in (1, 2)
            ],
        ),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
