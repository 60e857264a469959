"""Alerts as items: whoever is to be told hears of a crossing when the item of its alert changes.

The item has the version of the aggregate at which the condition last began or ceased to hold, and is replaced by later
ones only. So each crossing writes it once, whatever is delivered again, and its record is what is passed on.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from edgewise import clock
from edgewise.aggregates import alerts, whose
from edgewise.aggregates.catalog import Catalog
from edgewise.dynamodb import merge
from edgewise.dynamodb.attributes import Item, integer, string
from edgewise.dynamodb.decoding import each
from edgewise.dynamodb.keys import Partitions, digest
from edgewise.dynamodb.queries import Position, Query
from edgewise.dynamodb.renewal import insist
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.writes import Condition, Put
from edgewise.failures import PoisonError, sorted_out
from edgewise.items.entries import Entry
from edgewise.items.item_type import ItemType
from edgewise.sharding import listing
from edgewise.sharding.lists import ShardedList
from edgewise.times import Millis, rfc_3339


@dataclass(frozen=True)
class Crossing:
    """The last change of an alert: whether its condition began to hold (`raised`) or ceased to, and when.

    `about` is the plain name of the aggregate as JSON, `version` the aggregate's at that change.
    """

    about: str
    name: str
    change: Literal["raised", "cleared"]
    version: int
    at: Millis

    @property
    def of(self) -> str:
        """The aggregate, in sixteen digits."""
        return digest(self.about)

    def is_raised(self) -> bool:
        """Whether the condition holds."""
        return self.change == "raised"

    @property
    def plain(self) -> dict[str, Any]:
        """What people are told. `id` is the same however often they are told it."""
        kind, dimensions = json.loads(self.about)
        return {
            "id": digest(self.about, self.name, str(self.version)),
            "alert": self.name,
            "change": self.change,
            "kind": kind,
            "dimensions": dimensions,
            "at": rfc_3339(self.at),
        }


ALL_RAISED = ShardedList(Partitions("ALERTS"), ())
RAISED = Entry(BY_VALUE, ALL_RAISED, "{at}#{of}#{name}", Crossing.is_raised, why="conditions that hold, by time")
ALERT = ItemType(Crossing, alerts.ALERT, partition="ALERT#{of}", sort="ALERT#{name}", data="Data", entries=(RAISED,))


def crossed(catalog: Catalog, item: Item) -> list[Crossing]:
    """What the last write of an aggregate has changed of its alerts; raises KeyError, TypeError or ValueError."""
    found = [*alerts.crossings(item)]
    about = json.dumps(whose.about(catalog.kinds, item).plain) if found else ""
    version, now = integer(item["Version"]), clock.now()
    return [Crossing(about, name, "raised" if holds else "cleared", version, now) for name, holds in found]


def told(record: Mapping[str, Any]) -> Crossing | None:
    """The crossing that the record of an alert's item tells of; None for all others, and for a foreign item."""
    try:
        with sorted_out():
            new = record["dynamodb"].get("NewImage")
            return ALERT.decode(new) if new and string(new["Type"]) == ALERT.name else None
    except PoisonError:
        return None


def note(table: Table, found: Sequence[Crossing]) -> None:
    """Let the items of these alerts say so, one change after the other, unless they say something later."""
    from edgewise.sharding import relief  # it logs: the catalog, which knows this module, must not need that

    def attempt(crossing: Crossing) -> None:
        item = table.get(ALERT.key_of(crossing))
        if item is None or ALERT.decode(item).version < crossing.version:
            with relief.shard(table, BY_VALUE, ALL_RAISED, crossing.of) as shard:
                table.write(Put(ALERT.encode(crossing, shard), Condition.as_read(item)))

    for crossing in sorted(found, key=lambda each: each.version):
        insist(f"the alert {crossing.name}", partial(attempt, crossing))


def listed(partitions: Sequence[str]) -> list[Query]:
    """The queries for the alerts whose conditions hold, the newest first: one for each shard of their list."""
    return [replace(each, forward=False) for each in RAISED.in_shards(partitions)]


def raised(table: Table, limit: int, after: Position | None) -> tuple[list[Crossing], Position | None]:
    """Some of the alerts whose conditions hold, the newest first, and where to go on. Eventually consistent."""
    found = merge.page(table, listed(listing.partitions(table, ALL_RAISED)), limit, after)
    return each(table, ALERT.decode, found.items), found.next
