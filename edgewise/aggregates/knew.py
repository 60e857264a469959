"""What a plan knew of an aggregate: the checkpoints that each of its items had at the instant of the plan's export.

An item that has others by now may have absorbed what the plan adds. A record from before the instant may have come in
a shard whose checkpoint the item lacked; or another plan may have added the same. Shards that went on after the instant
are an exception (Aggregate.is_known_to): a hub always learns of new ones. And while a kind is being
backfilled, its checkpoints do not cover all that is in front of them: the release before did not count it. So records
from before the instant may have come again in any shard, and any checkpoint that has moved makes the item unknown.
"""

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

from edgewise.aggregates.checkpoints import REPAIRS, Checkpoint
from edgewise.aggregates.keys import AggregateId

if TYPE_CHECKING:
    from edgewise.aggregates.aggregate import Aggregate
    from edgewise.aggregates.kinds import Kind

# Of each item, the names of its checkpoints.
Knew = Mapping[AggregateId, Set[str]]


def names(kind: "Kind", checkpoints: Mapping[str, Checkpoint]) -> frozenset[str]:
    """The checkpoints of an item: shards by name, and with their numbers those that must not have moved."""
    fixed = {REPAIRS} if not kind.backfilling else checkpoints.keys()
    return frozenset(f"{name} {last.sequence}" if name in fixed else name for name, last in checkpoints.items())


def plain(items: Sequence["Aggregate"]) -> list[Any]:
    """What a plan knows of these items as plain JSON values."""
    return [[item.id.path, sorted(names(item.id.kind, item.checkpoints))] for item in items]


def of_plain(about: AggregateId, plain: Sequence[Any]) -> Knew:
    """What a plan knew of an aggregate's items; raises TypeError or ValueError for anything else than `plain` gives."""
    return {about._replace(path=path): frozenset(known) for path, known in plain}
