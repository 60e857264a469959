"""What a reading contributes to aggregates, item by item."""

from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG
from functions.systems.telemetry.entity import Reading

AT = 1535552130500  # 2018-08-29T14:15:30.500Z: the third hour of the block that begins at 12:00
NOON, DAY = 1535544000000, 1535500800000
SEEN = Observation(at=AT)
TEMP, WIND = Observation(1, Decimal("39.02"), AT), Observation(1, Decimal(-1), AT)
JFK = ("US", "New York", "JFK")


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "EVENT",
            Reading("123", AT, "e1", JFK, {"temp": Decimal("39.02"), "wind": Decimal(-1)}),
            {
                ("DEVICE", ("123",)): {"Events": SEEN},
                ("REPORTED_FROM", ("123", JFK)): {"Count": SEEN},
                ("PLACE", (("US",),)): {"Events": Observation()},
                ("PLACE", (("US", "New York"),)): {"Events": Observation()},
                ("PLACE", (JFK,)): {"Events": Observation()},
                ("ROLLUP_HOUR", ("123", NOON)): {"2.temp": TEMP, "2.wind": WIND},
                ("ROLLUP_DAY", ("123", DAY)): {"0.temp": TEMP, "0.wind": WIND},
            },
        ),
        ("EVENT", Reading("123", AT, "e1", (), {}), {("DEVICE", ("123",)): {"Events": SEEN}}),
        (
            "EVENT",
            Reading("123", -1, "e1", (), {"t": Decimal(0)}),
            {
                ("DEVICE", ("123",)): {"Events": Observation(at=-1)},
                ("ROLLUP_HOUR", ("123", -14_400_000)): {"3.t": Observation(1, Decimal(0), -1)},
                ("ROLLUP_DAY", ("123", -86_400_000)): {"0.t": Observation(1, Decimal(0), -1)},
            },
        ),
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }
