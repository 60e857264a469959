"""Effects that wait for the end of their tumbling window, in the state that Lambda keeps between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Nothing is folded while it
waits: which of the effects are in already is known only when the aggregate is read.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from functions.aggregates.aggregate import Batch, Checkpoint, Effect
from functions.aggregates.catalog import Catalog
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observation, Observations

# Lambda keeps 1 MB of state for a shard, and events, which carry it, have 6 MB in all.
MAX_STATE_BYTES = 500_000
_FASTEST = 1

# `kinds` may wait, and what of each batch does is in `deferred`, packed: it is unpacked only once, at the end.
State = Mapping[str, Sequence[str]]
_EMPTY: State = {}


class Split(NamedTuple):
    """A batch in two: what is written now, and the state in which the rest waits."""

    ready: Batch
    state: State


def split(catalog: Catalog, state: State, batch: Batch, kinds: Set[str]) -> Split:
    """Defer the batch's aggregates of these kinds, and their partial ones, unless the state becomes too large.

    With a kind wait those whose extremes come from it, which must not be ahead of it.
    If other kinds wait already (there was a deployment), that ends: none may be written past effects that still wait.
    """
    kinds = catalog.with_followers(kinds)
    if not set(state.get("kinds", ())) <= kinds:
        return ended(catalog, state, batch)
    deferred = {about: effects for about, effects in batch.items() if about.kind.name in kinds}
    if not deferred:
        return Split(batch, state)
    packed = [*state.get("deferred", ()), _packed(deferred)]
    if sum(map(len, packed)) > MAX_STATE_BYTES:
        return ended(catalog, state, batch)
    ready = {about: effects for about, effects in batch.items() if about not in deferred}
    return Split(ready, {"kinds": sorted(kinds), "deferred": packed})


def ended(catalog: Catalog, state: State, batch: Batch) -> Split:
    """All that waits and the batch: each aggregate's effects in the order of the shard.

    Kinds that this release does not know (it may be an older one, rolled back to) are passed over, as in the stream.
    """
    if not state:
        return Split(batch, _EMPTY)
    whole: dict[AggregateId, dict[int, Effect]] = {}
    waited = chain.from_iterable(_unpacked(catalog, packed) for packed in state.get("deferred", ()))
    for about, effects in chain(waited, batch.items()):
        whole.setdefault(about, {}).update((effect.checkpoint.sequence, effect) for effect in effects)
    return Split({about: [found[number] for number in sorted(found)] for about, found in whole.items()}, _EMPTY)


def _packed(deferred: Batch) -> str:
    plain = [[about.plain, [_plain(effect) for effect in effects]] for about, effects in deferred.items()]
    return base64.b64encode(zlib.compress(json.dumps(plain).encode(), _FASTEST)).decode()


def _unpacked(catalog: Catalog, packed: str) -> Iterable[tuple[AggregateId, list[Effect]]]:
    for plain, effects in json.loads(zlib.decompress(base64.b64decode(packed))):
        if plain[0] in catalog.kinds:
            yield catalog.named(plain), list(map(_effect, effects))


def _plain(effect: Effect) -> list[Any]:
    return [str(effect.checkpoint.sequence), effect.checkpoint.at, _observed(effect.added), _observed(effect.removed)]


def _effect(plain: Sequence[Any]) -> Effect:
    sequence, at, added, removed = plain
    return Effect(Checkpoint(int(sequence), at), _observations(added), _observations(removed))


def _observed(observations: Observations) -> dict[str, list[Any]]:
    return {name: [_text(field) for field in seen] for name, seen in observations.items()}


def _observations(plain: Mapping[str, Sequence[Any]]) -> Observations:
    return {
        name: Observation(weight, _number(value), at, _number(amount))
        for name, (weight, value, at, amount) in plain.items()
    }


def _text(field: Decimal | int | None) -> str | int | None:
    return str(field) if isinstance(field, Decimal) else field


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)
