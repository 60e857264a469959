"""Notes of delivered records beside the engine: by how much each changes the numbers that somebody watches.

Whoever recounts by these needs nothing of what the engine keeps, but how far it says that it has come.
"""

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress

from edgewise import AggregateId, Item, Millis
from edgewise.aggregates import keys, packed_checkpoints
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.carriers.groups import Groups
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Effect
from edgewise.dynamodb.attributes import key_of
from edgewise.errors import MalformedRecordError
from edgewise.stream import changes
from edgewise.stream.changes import Record
from functions.systems.proof.entity import NOTHING, Batch, Carries, Covered, Noted, Watch


def batch(
    catalog: Catalog, groups: Groups, shard: str, records: Sequence[Record], watch: Watch, at: Millis
) -> Batch | None:
    """The notes of a batch of a shard, delivered at this instant; None if no record concerns a watched number."""
    positions = {number.name: position for position, number in enumerate(watch.numbers)}
    noted = tuple(_noted(catalog, groups, records, watch, positions))
    return Batch(at, shard, noted) if noted else None


def sums(batch: Batch) -> Mapping[int, int]:
    """By how much the records of a batch change each watched number together: what a plain ADD would add."""
    found = dict[int, int]()
    for record in batch.records:
        for position, count in record.counts.items():
            found[position] = found.get(position, 0) + count
    return found


def _noted(
    catalog: Catalog, groups: Groups, records: Iterable[Record], watch: Watch, positions: Mapping[str, int]
) -> Iterator[Noted]:
    for record in records:
        with suppress(MalformedRecordError):  # nobody can tell what it changes: it enters quarantine
            place = changes.checkpoint(record)
            if carries := _carries(record):
                yield Noted(place.sequence, carries=carries)
                continue
            counts, of_groups = dict[int, int](), dict[int, int]()
            for about, effect in changes.effects(catalog, record).items():
                position = positions.get(json.dumps(about.plain))
                if position is not None and (count := _count(effect, watch.numbers[position].cell)):
                    counts[position] = count
                    of_groups |= _group(about, place, groups, position)
            if counts:
                yield Noted(place.sequence, counts, of_groups)


def _group(about: AggregateId, place: Checkpoint, groups: Groups, position: int) -> dict[int, int]:
    group = groups.group_of(about, place.at) if about.kind.shared else 0
    return {position: group} if group else {}


def _count(effect: Effect, cell: str) -> int:
    came, went = (observed.get(cell) for observed in (effect.added, effect.removed))
    return (came.weight if came else 0) - (went.weight if went else 0)


def _carries(record: Record) -> Carries | None:
    change = record["dynamodb"]
    new = change.get("NewImage") or {}
    if not (carrying.is_carrier(new) and carrying.CARRIES in new):
        return None
    pk, shard = key_of(new)
    before, after = (_covered(image, shard) for image in (change.get("OldImage"), new))
    return Carries(shard, int(*keys.entity(pk)), before, after)


def _covered(image: Item | None, shard: str) -> Covered:
    if not image:
        return NOTHING
    packed = image["Seqs"]["B"]  # in the events of a stream, binary values are texts
    checkpoint = packed_checkpoints.unpack(base64.b64decode(packed) if isinstance(packed, str) else packed)[shard]
    return Covered(checkpoint.sequence, checkpoint.missing)
