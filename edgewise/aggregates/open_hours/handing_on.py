"""Who learns of what without a closing: what an aggregate hands on directly, and what nobody will learn."""

from collections.abc import Sequence
from itertools import chain

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.checkpoints import Checkpoint, direct
from edgewise.aggregates.effects import Batch, Delivery, Effect, fold
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Delta
from edgewise.aggregates.open_hours.declaration import addressed, observations, opened_in
from edgewise.aggregates.open_hours.hours import directly_until, is_open


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
    # What is removed counts as well, so that nothing cancels.
    names = {name for effect in effects for name in chain(effect.added, effect.removed) if is_open(name)}
    nothing = [Effect(Checkpoint(0, max((effect.checkpoint.at for effect in effects), default=0)), {}, {})]
    return dict.fromkeys(addressed(about, {name: Delta(1) for name in names}), nothing)


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
        for fed, changes in addressed(about, fold([effect])).items():
            batch.setdefault(fed, []).append(Effect(effect.checkpoint, observations(changes, 0), {}))
    return batch
