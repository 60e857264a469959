"""What the examples of all access patterns store: at least one item of every kind that the systems have."""

from collections.abc import Mapping, Sequence
from functools import cache

from docs.access_patterns import READS, WRITES
from edgewise.aggregates.keys import AggregateId
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.replay.memory import MemoryTable


@cache
def stored() -> Sequence[Item]:
    """The items of every example, and what follows from them."""
    items: dict[Key, Item] = {}
    for given in dict.fromkeys([*(each.given for each in READS), *(each.given for each in WRITES)]):
        table = MemoryTable()
        given(table)
        items |= table.items
    return list(items.values())


@cache
def fed() -> Mapping[AggregateId, Sequence[str]]:
    """The aggregates that these items feed, and the names of the cells that they tell something."""
    names: dict[AggregateId, dict[str, None]] = {}
    for item in stored():
        for about, observations in CATALOG.contributions_of(item).items():
            names.setdefault(about, {}).update(dict.fromkeys(observations))
    return {about: list(told) for about, told in names.items()}
