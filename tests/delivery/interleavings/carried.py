"""Scenarios of carriers: what shards change in a place, and the one that brings it there."""

from edgewise.aggregates.keys import CARRIERS
from tests.delivery.interleavings.residents import COME_AND_GONE, ONE_EACH, at, gone
from tests.delivery.interleavings.scenario import Budget, Scenario
from tests.delivery.stories import places

GROUP = CARRIERS("0")

BROUGHT = Scenario(
    "carriers of two shards",
    places.STORY,
    {**ONE_EACH, GROUP: []},
    Budget(killed=1, overlapped=1, lost=1),
    outstanding=True,
    chained=True,
    carried=True,
)
BROUGHT_AGAIN = Scenario(
    "a carrier comes again",
    places.STORY,
    {"a": [at("a1"), gone("a1"), at("a2")], GROUP: []},
    Budget(killed=1, lost=1, repeated=1),
    chained=True,
    carried=True,
)
BROUGHT_LATE = Scenario(
    "what a carrier takes or brings is quarantined",
    places.STORY,
    {"a": COME_AND_GONE["a"], GROUP: []},
    Budget(killed=1, misread=1),
    outstanding=True,
    chained=True,
    carried=True,
)
