"""What an audit contributes to aggregates, item by item."""

from typing import Any

import pytest

from edgewise.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG
from functions.systems.audits.entity import Audit

AT = 1535552130500  # 2018-08-29T14:15:30.500Z


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "AUDIT",
            Audit("Equipment_1", "engine", 12, AT, "amy", "passed"),
            {("EQUIPMENT", ("Equipment_1",)): {"Audits": Observation(), "Result.passed": Observation()}},
        )
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }
