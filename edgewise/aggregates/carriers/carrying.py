"""Carriers: items that bring what one shard changed in shared aggregates to the one shard that writes these.

Many shards feed a shared aggregate, such as a place. If each of them wrote it, they would refuse each other's writes,
and it would have the checkpoints of all. So a shard writes carriers instead, one for each group of aggregates
(edgewise/aggregates/carriers/groups.py): the item has the shard's checkpoint, and the net changes of many aggregates by
the records that this very put has absorbed. All carriers of a group are in one partition, so as a rule one shard's
records bring their changes to the aggregates, each of which absorbs a record once, like any other.

What a put carries is passed on by its own record only: the next put replaces it, and its old image says nothing.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.aggregates import keys, packed_checkpoints
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint, Quarantined, moved
from edgewise.aggregates.effects import Batch, Effect, Made, Share, fold
from edgewise.aggregates.keys import CARRIER, AggregateId
from edgewise.aggregates.measures import ZERO, Observation, Observations
from edgewise.dynamodb.attributes import Item, integer, key_item, n, s
from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.aggregates.catalog import Catalog

# To how many aggregates a put carries something, as a text by which the stream can be filtered; and what, packed. An
# item without them has only moved its checkpoint: the stream need not deliver it.
CARRIES, CARRIED = "Carries", "Carried"
# An item holds at most 400 KB.
MOST_BYTES = 300_000
_LEVEL = 6
_JSON = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Carrier:
    """The carrier of one shard to one group. `version` 0: it has not been stored yet.

    `of_set`: for what items of this set change; empty if items are in no sets.
    """

    group: int
    shard: str
    version: int = 0
    checkpoint: Checkpoint | None = None
    of_set: str = ""

    def absorb(self, batch: Batch, upto: Checkpoint | None, now: Millis, quarantined: Quarantined) -> "Taken | None":
        """What the next put carries of these effects of the shard: those that the carrier has not absorbed yet.

        None if there are none, and the checkpoint has reached `upto`: the last record up to which nothing else of the
        shard is for this carrier. The put carries the first part of it if all is too large for one item,
        or if only some of the records are in quarantine.
        """
        set_aside = quarantined.get(self.shard, frozenset())
        every = self._fresh(batch)
        records = _alike(every, set_aside)
        upto = upto if len(records) == len(every) else None
        late = {each for each, at in records if now - at > LATEST_DELIVERY and each not in set_aside}
        while True:
            shares = _shares(batch, {each for each, _ in records} - late, set_aside)
            packed = _packed(shares) if shares else b""
            if len(packed) <= MOST_BYTES or len(records) == 1:
                content: Item = {CARRIES: s(str(len(shares))), CARRIED: {"B": packed}} if shares else {}
                break
            records, upto = records[: len(records) // 2], None
        reached = [Checkpoint(*record) for record in records]
        if upto and not (self.checkpoint and self.checkpoint.covers(upto.sequence)):
            reached += [upto] if not reached or reached[-1].sequence < upto.sequence else []
        if not reached:
            return None
        gone = late & {each for each, _ in records}
        too_late = {about: kept for about, effects in batch.items() if (kept := _of(effects, gone))} if gone else {}
        return Taken(self._item(reached, now, set_aside) | content, too_late, whole=len(records) == len(every))

    def _fresh(self, batch: Batch) -> list[tuple[int, Millis]]:
        """The records that it has not absorbed yet, in the shard's order."""
        known = self.checkpoint
        found = {effect.checkpoint[:2] for effects in batch.values() for effect in effects}
        return sorted(record for record in found if known is None or not known.covers(record[0]))

    def _item(self, reached: Sequence[Checkpoint], now: Millis, set_aside: Set[int]) -> Item:
        out_of_order = set_aside | (self.checkpoint.missing if self.checkpoint else frozenset())
        checkpoint = moved(self.checkpoint, reached, out_of_order)
        return key_item(keys.carrier(self.group, self.shard, self.of_set)) | {
            "Type": s(CARRIER),
            "Version": n(self.version + 1 if self.version else now),
            "Seqs": {"B": packed_checkpoints.pack({self.shard: checkpoint})},
        }


class Taken(NamedTuple):
    """The item of the next put, and the effects that came too late: whom they concern lacks them from then on.

    `whole`: nothing is left for a further put.
    """

    item: Item
    too_late: Batch
    whole: bool


def carrier(group: int, shard: str, item: Item | None, of_set: str = "") -> Carrier:
    """The carrier of a shard to a group; one without an item has absorbed nothing."""
    if item is None:
        return Carrier(group, shard, of_set=of_set)
    checkpoint = packed_checkpoints.unpack(item["Seqs"]["B"])[shard]
    return Carrier(group, shard, integer(item["Version"]), checkpoint, of_set)


def is_carrier(item: Item) -> bool:
    """Whether an item is a carrier; of any content."""
    return bool(item) and item.get("Type") == s(CARRIER)


def sent(catalog: "Catalog", item: Item) -> dict[AggregateId, Share]:
    """What the put of a carrier passes on, without kinds that the catalog does not know.

    Raises whatever decoding raises.
    """
    if CARRIED not in item:
        return {}
    packed = item[CARRIED]["B"]
    # In the events of a stream, binary values are texts.
    plain = json.loads(zlib.decompress(base64.b64decode(packed) if isinstance(packed, str) else packed))
    return {
        catalog.named(name): Share(_observations(cells), Made(first, first + lasted, bool(redriven)))
        for name, first, lasted, redriven, cells in plain
        if name[0] in catalog.kinds
    }


def withheld(batch: Batch) -> Batch:
    """The aggregates from which carriers keep these effects, each with an empty effect (handing_on.withheld)."""
    return {
        about: [Effect(Checkpoint(0, max(effect.checkpoint.at for effect in effects)), {}, {})]
        for about, effects in batch.items()
    }


def _shares(batch: Batch, wanted: set[int], set_aside: Set[int]) -> dict[AggregateId, Share]:
    """What these records change in each aggregate, folded.

    Also where they cancel each other, as by something that came and went: an aggregate that moves its checkpoint has
    been written, so a check knows that something was under way.
    """
    shares = {}
    for about, every in batch.items():
        if chosen := _of(every, wanted):
            folded = fold(chosen).items()
            changes = {name: Observation(delta.count, amount=delta.total) for name, delta in folded if delta.counts}
            times = [effect.checkpoint.at for effect in chosen]
            redriven = any(effect.checkpoint.sequence in set_aside for effect in chosen)
            shares[about] = Share(changes, Made(min(times), max(times), redriven))
    return shares


def _of(every: Sequence[Effect], records: set[int]) -> list[Effect]:
    return [effect for effect in every if effect.checkpoint.sequence in records]


def _alike(records: Sequence[tuple[int, Millis]], set_aside: Set[int]) -> list[tuple[int, Millis]]:
    """The first of the records that all are in quarantine, or all are not: a put tells which of the two it carries."""
    return list(takewhile(lambda record: (record[0] in set_aside) == (records[0][0] in set_aside), records))


def _packed(shares: Mapping[AggregateId, Share]) -> bytes:
    plain = [
        [about.plain, made.first, made.last - made.first, int(made.redriven), _plain(changes)]
        for about, (changes, made) in shares.items()
        if made
    ]
    plain.sort(key=lambda share: str(share[0]))  # alike next to alike, and always in the same order
    return zlib.compress(_JSON.encode(plain).encode(), _LEVEL)


def _plain(changes: Observations) -> dict[str, Any]:
    """By cell its count, and its sum if there is one."""
    return {name: [seen.weight, str(seen.amount)] if seen.amount else seen.weight for name, seen in changes.items()}


def _observations(plain: Mapping[str, Any]) -> Observations:
    found = {}
    for name, told in plain.items():
        weight, amount = told if isinstance(told, list) else (told, ZERO)
        found[name] = Observation(weight, amount=Decimal(amount))
    return found
