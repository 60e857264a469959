"""What revisions and permissions contribute to aggregates, item by item."""

from typing import Any

import pytest

from edgewise.aggregates.measures import Observation, Observations
from functions.catalog import CATALOG
from functions.systems.documents.entity import Permissions, Revision

AT = 1535552130500  # 2018-08-29T14:15:30.500Z


@pytest.mark.parametrize(
    ("kind", "item", "expected"),
    [
        (
            "DOCUMENT_REVISION",
            Revision("d", 3, AT, "amy", "text"),
            {("DOCUMENT", ("d",)): {"Revisions": Observation(), "Author.amy": Observation()}},
        ),
        (
            "DOCUMENT_PERMISSIONS",
            Permissions("d", "olga", {"A": "a", "B": "b", "O": "o"}, {"B": "b", "C": "c", "C2": "c", "Olga": "olga"}),
            {
                ("MAY_READ", ("olga", "d")): {"OWN": Observation()},
                ("MAY_READ", ("a", "d")): {"READ": Observation()},
                ("MAY_READ", ("b", "d")): {"WRITE": Observation()},
                ("MAY_READ", ("c", "d")): {"WRITE": Observation()},
                ("MAY_READ", ("o", "d")): {"READ": Observation()},
            },
        ),
    ],
)
def test_an_item_contributes(kind: str, item: Any, expected: dict[tuple[str, tuple[str, ...]], Observations]) -> None:
    assert CATALOG.contributions(kind, item) == {
        CATALOG.kinds[name](*parts): cells for (name, parts), cells in expected.items()
    }
