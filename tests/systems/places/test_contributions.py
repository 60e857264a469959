"""What a device or a resident at a place contributes to aggregates, item by item."""

from typing import Any

import pytest

from edgewise.aggregates.edges import Edge
from edgewise.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG
from functions.systems.places.entity import Resident

JFK = ("US", "New York", "JFK")


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "REPORTED_FROM",
            Edge(("123",), JFK, 7),
            {
                ("DEVICE", ("123",)): {"Places": Observation()},
                ("HOSTS", (("US",), "123")): {"Count": Observation()},
                ("HOSTS", (("US", "New York"), "123")): {"Count": Observation()},
                ("HOSTS", (JFK, "123")): {"Count": Observation()},
            },
        ),
        (
            "HOSTS",
            Edge(("US", "New York"), ("123",), 2),
            {("PLACE", (("US", "New York"),)): {"Devices": Observation()}},
        ),
        ("HOSTS", Edge(("US",), ("123",), 1), {("PLACE", (("US",),)): {"Devices": Observation()}}),
        (
            "RESIDENT",
            Resident("ROOM", "seattle", JFK),
            {
                ("PLACE", (("US",),)): {"ROOM": Observation()},
                ("PLACE", (("US", "New York"),)): {"ROOM": Observation()},
                ("PLACE", (JFK,)): {"ROOM": Observation()},
            },
        ),
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }
