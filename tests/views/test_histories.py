"""Views that are drawn at random equal a plain GROUP BY, however the stream is delivered."""

from collections.abc import Mapping, Sequence
from decimal import Context
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest

from edgewise import OwnTable
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.named import Named
from edgewise.dynamodb.existing import MAP, others
from edgewise.dynamodb.queries import Query
from edgewise.testing import comparing
from edgewise.views import cells, keeping, valuing, windows
from edgewise.views import view as reader
from edgewise.views.groupings import By, ByLevels
from edgewise.views.keeping import Kept
from edgewise.views.places import Places
from tests.support.own_tables import TOLD
from tests.views.drawing import Drawn, Key, Measure
from tests.views.world import World, drawn
from tests.views.writing import TABLES

# How many declarations are drawn for a history, and how many histories there are.
DECLARATIONS, SEEDS = 5, 10


class Wrong(NamedTuple):
    """What is wrong by the count of these tests, and by the one that everybody has for tests of their own."""

    here: list[str]
    there: list[str]


def history(views: Sequence[Drawn], own: OwnTable, seed: int) -> Wrong:
    """What is wrong after a history of these views."""
    world = World(views, own, seed)
    here, shop = world.live(), world.shop
    items = shop.all(lambda item: MAP not in item)
    there = [why for _, view in world.kept for why in comparing.disagreements(view.declared, shop.table, items, TOLD)]
    return Wrong(here, there)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_each_row_equals_a_plain_count(seed: int) -> None:
    own = TABLES[seed % len(TABLES)]
    assert history(drawn(Random(seed), own, DECLARATIONS), own, seed) == ([], [])


def _declared(name: str, measures: Mapping[str, Measure], **keys: Key) -> Drawn:
    return Drawn(name, None, None, keys, measures, recountable=False)


SPREAD: Measure = ("stddev", "net", None)
LEAST, MOST = ("min", "net", None), ("max", "net", None)
BY_CUSTOMER, BY_TAG = ("by", "customer", ""), ("each", "tags", "")
FIXED = (
    _declared("Near", {"least": LEAST, "most": MOST, "spread": SPREAD}, customer=BY_CUSTOMER),
    _declared("Levels", {"orders": ("count", "", None)}, region=("levels", "region", "")),
    _declared("Days", {"net": ("sum", "net", None), "most": MOST}, customer=BY_CUSTOMER, day=("day", "placed", "UTC")),
    _declared("Entries", {"least": LEAST, "most": MOST}, tag=BY_TAG),
    _declared(
        "Values", {"few": ("few_by", "status", None), "each": ("count_by", "product", None)}, customer=BY_CUSTOMER
    ),
    _declared(
        "Edges",
        {"a": ("distinct", "buyer", None), "b": ("distinct", "status", None), "total": ("sum", "net", None)},
        tag=BY_TAG,
    ),
)


def _known(cells: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: cell for name, cell in cells.items() if not name.endswith("=")}


FITTING, WHOLE, TOGETHER = Named.fitting, windows.whole, valuing.together
MUTANTS: Mapping[str, tuple[Any, str, Any]] = {
    "the last record counts as often as it comes": (Checkpoint, "covers", lambda at, number: number < at.sequence),
    "all items of a group have one entry": (Places, "identity", lambda *_: ("", "")),
    "extremes are looked for where they are not": (Places, "near", lambda *_: Query(others("nobody"))),
    "entries are looked for where they are not": (Places, "beside", lambda *_: Query(others("nobody"))),
    "squares are rounded": (cells, "EXACT", Context(prec=2)),
    "a path is one level": (ByLevels, "values", By.values),
    "of several rows, a total has the last one": (reader, "together", lambda rows: TOGETHER([*rows][-1:])),
    "no edges bring what is counted": (Kept, "_bearer", ""),
    "all of a row's items have one value": (keeping, "marked", lambda _: "same"),
    "values without a number are forgotten": (Named, "fitting", lambda *of: _known(FITTING(*of))),
    "a window has what comes after it": (windows, "whole", lambda *of: WHOLE(*of)._replace(last="~")),
}
# A count that reads items as the declaration does, and adds up no rows, can't see these.
UNSEEN = ("a path is one level", "of several rows, a total has the last one", "a window has what comes after it")


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name: str) -> None:
    own = TABLES[0]
    with patch.object(*MUTANTS[name]):
        wrong = history(FIXED, own, 1)
    assert wrong.here
    assert bool(wrong.there) is (name not in UNSEEN)
