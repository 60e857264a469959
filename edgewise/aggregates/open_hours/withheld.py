"""What others would have learned by the closings of an aggregate: what it keeps from them, or hands on directly.

And what they would have learned by carriers.
"""

from collections.abc import Sequence

from edgewise.aggregates import keys
from edgewise.aggregates.checkpoints import Checkpoint
from edgewise.aggregates.effects import Batch, Effect, fold
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.measures import Cell, Observations
from edgewise.aggregates.open_hours.attributes import open_item
from edgewise.aggregates.open_hours.declaration import closes, fed_by, fed_by_closing
from edgewise.aggregates.open_hours.hours import Closing, OpenPart, is_open
from edgewise.dynamodb.attributes import Item, key_item, n, s


def withheld(about: AggregateId, effects: Sequence[Effect]) -> Batch:
    """The aggregates from which these effects are kept, each with an empty effect that its checkpoint need not cover.

    None of the shard's records has the number 0, so no checkpoint moves: what these aggregates are still to absorb from
    the same batch they do absorb.
    """
    cells, at = dict[str, Cell](), 0
    for effect in effects:
        at = max(at, effect.checkpoint.at)
        for observations in (effect.added, effect.removed):
            _add(cells, observations)
    if not cells:
        return {}
    nothing = [Effect(Checkpoint(0, at), {}, {})]
    item = _opened(about, cells)
    return {AggregateId(kind, dimensions): nothing for kind in closes(about.kind) for dimensions in fed_by(kind, item)}


def from_carriers(batch: Batch) -> Batch:
    """The aggregates from which carriers keep these effects, each with an empty effect as in `withheld`."""
    return {
        about: [Effect(Checkpoint(0, max(effect.checkpoint.at for effect in effects)), {}, {})]
        for about, effects in batch.items()
    }


def handed_on(about: AggregateId, effects: Sequence[Effect]) -> Batch:
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
