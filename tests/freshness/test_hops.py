"""The ways of changes to the kinds of aggregates, as docs/api.md tells them."""

import pytest

from edgewise.freshness.hops import Hop, hops, longest, promised
from edgewise.times import SECOND
from functions.catalog import CATALOG

ABSORBED, CARRIED, BROUGHT = Hop.ABSORBED, Hop.CARRIED, Hop.BROUGHT
WAYS = {
    "CUSTOMER": (ABSORBED,),
    "DEGREE": (ABSORBED,),
    "SCORES": (ABSORBED, CARRIED, BROUGHT),
    "DEVICE": (ABSORBED, ABSORBED, ABSORBED),  # its number of places comes by a closing, and an edge
    "GAME": (ABSORBED, CARRIED, BROUGHT),
    "PLACE": (ABSORBED, ABSORBED, ABSORBED, CARRIED, BROUGHT),  # its devices
    "POSTED_IN": (ABSORBED,),
    "REPORTED_FROM": (ABSORBED, ABSORBED),
    "ROLLUP_HOUR": (ABSORBED, ABSORBED),
    "ROOM": (ABSORBED, CARRIED, BROUGHT),
    "USER": (ABSORBED, ABSORBED),
}


@pytest.mark.parametrize("name", WAYS)
def test_the_way_to_a_kind(name: str) -> None:
    assert hops(CATALOG.kinds[name]) == WAYS[name]


def test_every_kind_has_one() -> None:
    assert all(hops(kind) for kind in CATALOG.kinds.values())


def test_the_longest_way_counts_by_what_it_may_take() -> None:
    scores, device = CATALOG.kinds["SCORES"], CATALOG.kinds["DEVICE"]
    assert longest([scores, device]) == longest([device, scores]) == WAYS["SCORES"]
    assert [promised(hops(each)) // SECOND for each in (scores, device)] == [100, 40]
