"""Who learns of what without a closing: what an aggregate hands on directly, and what nobody will learn."""

from collections.abc import Sequence

from edgewise.aggregates import keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint, direct
from edgewise.aggregates.effects import Batch, Delivery, Effect, fold
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Observations
from edgewise.aggregates.open_hours.attributes import open_item
from edgewise.aggregates.open_hours.declaration import closes, fed_by, fed_by_closing, opened_in
from edgewise.aggregates.open_hours.hours import Closing, OpenPart, directly_until, is_open
from edgewise.dynamodb.attributes import Item, key_item, n, s


def ahead(of: Aggregate, effects: Sequence[Effect], of_batch: Delivery) -> Sequence[Delivery]:
    """What must be written, in this order, before an aggregate absorbs these effects of a batch.

    It is what the aggregate would leave open of them, but hands on directly. What the batch has for those whom that
    concerns comes first: no removal may overtake what it removes.
    """
    shard, batch, quarantined = of_batch
    left = _to_hand_on(of, effects, of_batch)
    if not left:
        return ()
    told = {each: batch[each] for each in batch if opened_in(each) == of.id}
    also = {**quarantined, direct(shard): quarantined.get(shard, frozenset())}
    return Delivery(shard, told, quarantined), Delivery(direct(shard), _handed_on(of.id, left), also)


def withheld(about: AggregateId, effects: Sequence[Effect]) -> Batch:
    """Those who would have learned of these effects by closings of an aggregate, each with an effect that is empty.

    None of the shard's records has the number 0, which these effects have, so no checkpoint moves: what these
    aggregates are still to absorb from the same batch they do absorb.
    """
    if not closes(about.kind):
        return {}
    cells, at = dict[str, Cell](), 0
    for effect in effects:
        at = max(at, effect.checkpoint.at)
        for observations in (effect.added, effect.removed):
            _add(cells, observations)
    nothing, item = [Effect(Checkpoint(0, at), {}, {})], _opened(about, cells) if cells else None
    fed = ((kind, dimensions) for kind in closes(about.kind) if item for dimensions in fed_by(kind, item))
    return {AggregateId(kind, dimensions): nothing for kind, dimensions in fed}


def _to_hand_on(of: Aggregate, effects: Sequence[Effect], of_batch: Delivery) -> list[Effect]:
    """What an aggregate has not absorbed yet of these effects, and would leave open, but hands on directly."""
    until = directly_until(of.checkpoints)
    late = [effect for effect in effects if effect.checkpoint.at <= until]
    fresh = of.fresh(of_batch.shard, late, of_batch.quarantined) if late else []
    return [effect.only(is_open) for effect in fresh]


def _handed_on(about: AggregateId, effects: Sequence[Effect]) -> Batch:
    """The aggregates that these effects would have reached by closings, each with what these would have said."""
    batch: dict[AggregateId, list[Effect]] = {}
    for effect in effects:
        item = _closed(about, Closing(0, effect.checkpoint.at, fold([effect])))
        for kind in closes(about.kind):
            for dimensions, fed in fed_by_closing(kind, item):
                batch.setdefault(kind(*dimensions), []).append(Effect(effect.checkpoint, fed, {}))
    return batch


def _add(cells: dict[str, Cell], observations: Observations) -> None:
    """What is removed counts as well, so that nothing cancels."""
    for name, observation in observations.items():
        if is_open(name):
            cells.setdefault(name, Cell()).add(observation)


def _opened(about: AggregateId, cells: dict[str, Cell]) -> Item:
    """The item in which all of this would be open."""
    return _named(about) | open_item(OpenPart(cells), 0, about.bucket_start)


def _closed(about: AggregateId, closing: Closing) -> Item:
    """The item of the put that would close this."""
    return _named(about) | open_item(OpenPart({}, (closing,)), closing.number, about.bucket_start)


def _named(about: AggregateId) -> Item:
    return key_item(keys.of(about)) | {"Type": s(about.type), "Version": n(0)}
