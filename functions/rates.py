"""How fast a caller may use the table: for each caller, the table has one item, from which functions lease units.

A unit is a write unit; five read units count as one, as they cost as much. Who has taken units owes the time in which
the caller's rate brings them: the item says until when. Nobody may owe more than BURST, so a caller who has rested may
take that much at once. The item is gone when nothing is owed any more.
"""

import json
from collections.abc import Mapping
from functools import cache
from math import ceil

from edgewise import Condition, Item, Key, Millis, Partitions, Put
from edgewise.dynamodb.attributes import integer, key_item, n, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.times import SECOND

TYPE = "RATE"
RATES = Partitions("RATE")
# The key of the rate of callers who are in none of the groups that have one.
EVERYBODY = "everybody"
BURST = 60 * SECOND
# A function leases the units of so much time at once, and spends them without a request to the table.
LEASE = 2 * SECOND
NOTHING: Millis = 0


def of_groups(rates: Mapping[str, int], groups: frozenset[str]) -> int:
    """The highest rate of a caller in these groups, in units a second."""
    return max(rates[name] for name in (EVERYBODY, *groups) if name in rates)


def worth(time: Millis, rate: int) -> float:
    """The units that a rate brings in this time."""
    return rate * time / SECOND


def owed(until: Millis, now: Millis, rate: int, units: float) -> Millis:
    """Until when a caller owes, who owed until `until` and takes these units now."""
    return max(until, now) + ceil(units * SECOND / rate)


def wait(until: Millis, now: Millis) -> Millis:
    """How long to wait until nobody owes too much who would owe until `until`; 0: not at all."""
    return max(0, until - now - BURST)


def taking(sub: str, before: Millis, until: Millis) -> Put:
    """The write after which a caller owes until `until`, refused unless it was until `before`."""
    unchanged = Condition(equal={"Until": n(before)}) if before else Condition.ABSENT
    return Put(item(sub, until), unchanged)


def item(sub: str, until: Millis) -> Item:
    """The item of a caller."""
    expires = {TTL_ATTRIBUTE: n(until // SECOND + 1)}
    return key_item(Key(RATES(sub), TYPE)) | {"Type": s(TYPE), "Until": n(until)} | expires


def until(item: Item) -> Millis:
    """Until when the caller of an item owes."""
    assert string(item["Type"]) == TYPE
    return integer(item["Until"])


def to_text(rates: Mapping[str, int]) -> str:
    """The rates by group, in units a second, as a setting of a function."""
    return json.dumps(dict(rates), sort_keys=True)


@cache
def of_text(text: str) -> Mapping[str, int]:
    """The inverse of to_text."""
    rates: Mapping[str, int] = json.loads(text)
    return rates
