"""What a plan knew of an aggregate: the checkpoints that each of its items had at the instant of the plan's export.

An item that has others by now may have absorbed what the plan adds. A record from before the instant may have come in
a shard whose checkpoint the item lacked; or another plan may have added the same. Shards that went on after the instant
are an exception (Aggregate.is_known_to): a hub always learns of new ones. And while a kind is being
backfilled, its checkpoints do not cover all that is in front of them: the release before did not count it. So records
from before the instant may have come again in any shard, and any checkpoint that has moved makes the item unknown.
"""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from edgewise.aggregates.as_stored import AsStored
from edgewise.aggregates.backfill import is_backfilling
from edgewise.aggregates.checkpoints import REPAIRS
from edgewise.aggregates.ids import AggregateId

# Of each item, the names of its checkpoints.
Knew = Mapping[AggregateId, Set[str]]


def names(item: AsStored) -> frozenset[str]:
    """The checkpoints of an item: shards by name, and with their numbers those that must not have moved."""
    fixed = item.checkpoints.keys() if is_backfilling(item.id.kind) else {REPAIRS}
    return frozenset(f"{name} {last.sequence}" if name in fixed else name for name, last in item.checkpoints.items())


def plain(items: Sequence[AsStored]) -> list[Any]:
    """What a plan knows of these items as plain JSON values."""
    return [[item.id.path, sorted(names(item))] for item in items]


def of_plain(about: AggregateId, plain: Sequence[Any]) -> Knew:
    """What a plan knew of an aggregate's items; raises TypeError or ValueError for anything else than `plain` gives."""
    return {about._replace(path=path): frozenset(known) for path, known in plain}
