"""Every read of readings and rollups as it is sent, literally."""

from collections.abc import Sequence
from typing import Any

import pytest

from edgewise.dynamodb.queries import Query
from functions.systems.telemetry import patterns as telemetry_patterns
from tests.support.queries import BETWEEN, PREFIX, sent

NOON = 1535544000000


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ([telemetry_patterns.device("123")], [sent("DEVICE#123", PREFIX, prefix="EDGE#")]),
        ([telemetry_patterns.device_events("1", None, None)], [sent("DEVICE#1", BETWEEN, low="EVENT#", high="EVENT$")]),
        (
            [telemetry_patterns.device_events("1", NOON, None)],
            [sent("DEVICE#1", BETWEEN, low="EVENT#2018-08-29T12:00:00.000Z", high="EVENT$")],
        ),
        (
            [telemetry_patterns.device_events("1", None, NOON, forward=False)],
            [sent("DEVICE#1", BETWEEN, forward=False, low="EVENT#", high="EVENT#2018-08-29T12:00:00.000Z")],
        ),
        (
            [telemetry_patterns.rollups("1", "HOUR", NOON, NOON + 4 * 3_600_000)],
            [
                sent(
                    "DEVICE#1",
                    BETWEEN,
                    low="ROLLUP#HOUR#2018-08-29T12:00:00.000Z",
                    high="ROLLUP#HOUR#2018-08-29T16:00:00.000Z",
                )
            ],
        ),
    ],
)
def test_a_pattern_is_sent_as(pattern: Sequence[Query], expected: list[dict[str, Any]]) -> None:
    assert [query.request() for query in pattern] == expected
