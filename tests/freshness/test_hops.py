"""The ways of changes to the kinds of aggregates, as docs/api.md tells them."""

import pytest

from edgewise.freshness.hops import Hop, promised, to_all, ways
from edgewise.times import SECOND
from functions.catalog import CATALOG

ABSORBED, CARRIED, BROUGHT, FOLLOWED = Hop.ABSORBED, Hop.CARRIED, Hop.BROUGHT, Hop.FOLLOWED
WAYS = {
    # A host's state, told to a mirror that is stored late, and that of the service, told to its businesses.
    "ADJACENT": (FOLLOWED, FOLLOWED, ABSORBED, FOLLOWED, ABSORBED),
    "BILL": (ABSORBED,),
    "CUSTOMER": (ABSORBED,),
    "DEGREE": (FOLLOWED, ABSORBED),  # the other end of a deleted node's edge
    "INVOICE": (FOLLOWED, ABSORBED),  # a bill's new amount
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
    assert ways(CATALOG.kinds[name]) == {WAYS[name]}


def test_every_kind_has_one() -> None:
    assert all(ways(kind) for kind in CATALOG.kinds.values())


def test_what_takes_longest_decides_how_old_numbers_may_be() -> None:
    scores, device = CATALOG.kinds["SCORES"], CATALOG.kinds["DEVICE"]
    assert to_all([scores, device]) == {WAYS["SCORES"], WAYS["DEVICE"]}
    assert [promised(to_all(each)) // SECOND for each in ([scores, device], [device])] == [100, 40]
