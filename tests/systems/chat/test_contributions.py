"""What a message contributes to aggregates, and what an edge from its user to its room does, item by item."""

from typing import Any

import pytest

from edgewise.aggregates.edges import Edge
from edgewise.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG
from functions.systems.chat.entity import Message

AT = 1535552130500  # 2018-08-29T14:15:30.500Z
SEEN = Observation(at=AT)


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "MESSAGE",
            Message("seattle", 3, "amy", AT, "m1", "hi"),
            {("POSTED_IN", ("amy", "seattle")): {"Count": SEEN}},
        ),
        (
            "POSTED_IN",
            Edge(("amy",), ("seattle",), 7),
            {
                ("ROOM", ("seattle",)): {"Messages": Observation(7), "Users": Observation()},
                ("USER", ("amy",)): {"Messages": Observation(7), "Rooms": Observation()},
            },
        ),
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }
