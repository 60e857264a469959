"""The scenarios: small enough for every order, and each with what it takes to go wrong."""

from dataclasses import replace
from decimal import Decimal

from edgewise.dynamodb.attributes import key_of
from functions.systems.billing import items as billing_items
from functions.systems.billing import system as billing_system
from functions.systems.billing.entity import Billed
from tests.delivery.interleavings.carried import BROUGHT, BROUGHT_AGAIN, BROUGHT_LATE, GROUP
from tests.delivery.interleavings.opened import AT_A_PLACE, CLOSED, OVERTAKEN, TAKEN_OUT
from tests.delivery.interleavings.ranked import ENTERED, RAISED, REFILLED
from tests.delivery.interleavings.residents import COME_AND_GONE, FR, ONE_EACH, TWO_EACH, at, gone
from tests.delivery.interleavings.scenario import Budget, Change, Scenario
from tests.delivery.stories import billing, places
from tests.delivery.stories.story import Source


def billed(invoice: str) -> Change:
    """A bill is on an invoice: bills are fed by the partitions of several invoices."""
    item = billing_items.BILLED.encode(Billed(invoice, "b1", Decimal(1), 1))
    return Change(key_of(item), Source(item, (invoice, "b1", Decimal(1))))


def taken_off(invoice: str) -> Change:
    """It is on that invoice no more."""
    return Change(billed(invoice).key, None)


TWO_SHARDS = Scenario(
    "two shards",
    places.STORY,
    COME_AND_GONE,
    Budget(overlapped=1, lost=1, repeated=1),
    outstanding=True,
)
TWO_AGGREGATES = Scenario(
    "two aggregates",
    places.STORY,
    {"a": [at("a1"), at("a1", FR)], "b": [at("b1", FR), at("b1")]},
    Budget(killed=1, lost=1),
    outstanding=True,
)
QUARANTINED = Scenario(
    "a record quarantined",
    places.STORY,
    COME_AND_GONE,
    Budget(killed=1, lost=1, misread=1),
    outstanding=True,
)
TWO_REDRIVES = Scenario(
    "two redrives beside each other",
    places.STORY,
    ONE_EACH,
    Budget(overlapped=1, misread=1),
    outstanding=True,
)
EMPTIED = Scenario(
    "emptied while a record is quarantined",
    places.STORY,
    {"a": COME_AND_GONE["a"]},
    Budget(killed=1, expired=1, misread=1, jumps=1, sweeps=1),
)
MADE_ANEW = Scenario(
    "made anew",
    places.STORY,
    {"a": [at("a2")], "b": [at("b1"), gone("b1")]},
    Budget(killed=1, lost=1, expired=1, sweeps=1),
    before={"a": [at("a1"), gone("a1")]},
)
REPAIRED = Scenario(
    "a repair while the consumer is behind",
    billing.STORY,
    {"a": [billed("i1")], "b": [billed("i2")]},
    Budget(misread=1, repairs=1, jumps=1),
    hours=1,
    lacking=True,
    lagging=True,
    repaired=billing_system.BILL("b1"),
)
AFTER_26_HOURS = Scenario(
    "delivered again after 26 hours",
    places.STORY,
    ONE_EACH,
    Budget(killed=1, repeated=1, misread=1, jumps=1, sweeps=1),
    hours=26,
    kept=30,
)
AFTER_60_HOURS = Scenario(
    "delivered again after 60 hours",
    places.STORY,
    ONE_EACH,
    Budget(killed=1, repeated=1, misread=1, jumps=1, sweeps=1),
    kept=100,
    lacking=True,
)

FAST = (
    TWO_SHARDS,
    TWO_AGGREGATES,
    QUARANTINED,
    TWO_REDRIVES,
    EMPTIED,
    MADE_ANEW,
    REPAIRED,
    AFTER_26_HOURS,
    AFTER_60_HOURS,
    ENTERED,
    REFILLED,
    CLOSED,
    TAKEN_OUT,
    AT_A_PLACE,
    OVERTAKEN,
    BROUGHT,
    BROUGHT_AGAIN,
    BROUGHT_LATE,
)
# The same, and more may go wrong in one history.
LARGE = (
    *FAST,
    replace(TWO_REDRIVES, name="come and gone, two redrives", shards=COME_AND_GONE),
    replace(
        TWO_SHARDS,
        name="two shards, all faults",
        shards=TWO_EACH,
        budget=Budget(killed=1, overlapped=1, lost=1, repeated=1),
    ),
    replace(
        QUARANTINED, name="a record quarantined, all faults", budget=Budget(killed=1, lost=1, repeated=1, misread=1)
    ),
    replace(TWO_AGGREGATES, name="two aggregates, given up and repeated", budget=Budget(overlapped=1, repeated=1)),
    replace(EMPTIED, name="emptied, and another shard", shards=COME_AND_GONE),
    replace(EMPTIED, name="emptied, long times twice", budget=Budget(killed=1, misread=1, jumps=2, sweeps=1)),
    replace(
        REPAIRED,
        name="come and gone, a repair while the consumer is behind",
        shards={"a": [billed("i1"), taken_off("i1")], "b": [billed("i2")]},
        budget=Budget(repairs=1, jumps=1),
    ),
    replace(
        AFTER_60_HOURS,
        name="come and gone, delivered again after 60 hours",
        shards=COME_AND_GONE,
        budget=Budget(repeated=1, misread=1, jumps=1, sweeps=1),
    ),
    replace(RAISED, name="a ranking refilled, answers lost", budget=Budget(killed=1, lost=1)),
    RAISED,
    replace(CLOSED, name="an open hour closes, given up and repeated", budget=Budget(overlapped=1, lost=1, repeated=1)),
    replace(TAKEN_OUT, name="a reading leaves its open hour, given up", budget=Budget(overlapped=1), outstanding=True),
    replace(
        TAKEN_OUT,
        name="a reading leaves its open hour, answers lost",
        budget=Budget(killed=1, lost=1),
        outstanding=True,
    ),
    replace(TAKEN_OUT, name="a reading or a closing is quarantined", budget=Budget(misread=1), outstanding=True),
    replace(AT_A_PLACE, name="an open hour at a place, given up", budget=Budget(overlapped=1, lost=1)),
    replace(BROUGHT, name="carriers of two shards, come and gone", shards={**COME_AND_GONE, GROUP: []}),
    replace(BROUGHT_AGAIN, name="a carrier comes again, given up", budget=Budget(overlapped=1, lost=1, repeated=1)),
    replace(BROUGHT_LATE, name="carriers of two shards, quarantined", shards={**ONE_EACH, GROUP: []}),
    replace(
        BROUGHT_LATE,
        name="what a carrier takes or brings is quarantined, given up",
        budget=Budget(killed=1, overlapped=1, misread=1),
    ),
)
