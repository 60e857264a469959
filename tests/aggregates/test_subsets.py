"""Whatever subset of its cells an aggregate has: it can be written, put into its index, and read as a source."""

from collections.abc import Sequence
from itertools import chain, combinations, islice
from typing import Any

import pytest

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.measures import ZERO, Cell, Extremes, Moment
from edgewise.aggregates.stored import aggregate, aggregate_item
from functions.catalog import CATALOG
from functions.systems.graph.entity import NodeId
from tests.support import examples

BLOCK = 1_535_500_800_000
NODE = NodeId("person", "amy")
# With so many cells an aggregate has a few dozen subsets of them.
MOST = 5
# One aggregate of a kind, and names of cells that it may have; of a kind that is not here, the examples tell both.
NAMES: dict[str, tuple[tuple[Any, ...], tuple[str, ...]]] = {
    "REPORTED_FROM": (("d", ("US", "NY")), ("Count",)),
    "ROLLUP_HOUR": (("d", BLOCK), ("0.t", "3.t")),
    "ROLLUP_DAY": (("d", BLOCK), ("0.t", "0.u")),
    "DEVICE": (("d",), ("Events", "Places")),
    "POSTED_IN": (("amy", "r"), ("Count",)),
    "ROOM": (("r",), ("Messages", "Users")),
    "USER": (("amy",), ("Messages", "Rooms")),
    "HOSTS": ((("US",), "d"), ("Count",)),
    "PLACE": ((("US",),), ("Events", "Devices", "CUSTOMER")),
    "DEGREE": ((NODE, "out", "KNOWS"), ("Edges",)),
    "DEGREE_ON": ((NODE, "out", "BOUGHT", "2018-08-29"), ("Edges",)),
    "ADJACENT": ((NODE, "out", "KNOWS"), ("State:up", "Measure:load")),
    "INVOICE": (("i",), ("Bills",)),
    "BILL": (("b",), ("Invoices",)),
    "CUSTOMER": (("c",), ("Orders", "Open")),
    "PLAYED": (("amy", "chess"), ("Count",)),
    "PLAYER": (("amy",), ("Plays", "Games", "Awards")),
    "GAME": (("chess",), ("Plays", "Players", "Recounting")),
    "SCORES": (("chess", ""), ("80", "81")),
    "EQUIPMENT": (("e",), ("Audits", "Result.passed")),
    "DOCUMENT": (("doc",), ("Revisions",)),
}
AT_START = Moment(BLOCK, ZERO)
KNOWN = Extremes(ZERO, ZERO, AT_START, AT_START)
CELLS = (Cell(2, extremes=KNOWN), Cell(2), Cell(-1), Cell(0, ZERO + 1))


def of_kind(kind: str) -> tuple[tuple[Any, ...], Sequence[str]]:
    """One aggregate of the kind, and its cells: those named here, and some of those that the examples feed."""
    fed = {about.dimensions: names for about, names in examples.fed().items() if about.kind.name == kind}
    assert fed, f"no example feeds {kind}"
    parts, names = NAMES.get(kind, (next(iter(fed)), ()))
    further = (name for each in fed.values() for name in each if name not in names)
    return parts, [*names, *islice(dict.fromkeys(further), MOST - len(names))]


def test_what_is_named_here_is_declared() -> None:
    assert set(NAMES) <= set(CATALOG.kinds)


@pytest.mark.parametrize("kind", CATALOG.kinds)
def test_a_subset_of_the_cells_is_written_and_read(kind: str) -> None:
    parts, names = of_kind(kind)
    extra = (*names, "of another release") if kind not in ("ROLLUP_HOUR", "ROLLUP_DAY") else names
    for subset in chain.from_iterable(combinations(extra, size) for size in range(len(extra) + 1)):
        for cell in CELLS:
            given = Aggregate(
                CATALOG.kinds[kind](*parts), 1, dict.fromkeys(subset, cell), {"shard": Checkpoint(1, BLOCK)}
            )
            item = aggregate_item(given)
            assert aggregate(given.id, item).cells.keys() == set(subset)
            CATALOG.contributions_of(item)
