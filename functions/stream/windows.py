"""Effects that wait for the end of their tumbling window, in the state that Lambda keeps between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Nothing is folded while it
waits: which of the effects are in already is known only when the aggregate is read.
"""

from collections.abc import Mapping, Set
from itertools import chain
from typing import Any, NamedTuple

from functions.aggregates.catalog import Catalog
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.errors import PassingError
from functions.stream import packing

# Lambda keeps 1 MB of state for a shard, and events, which carry it, have 6 MB in all.
MAX_STATE_BYTES = 500_000

# `kinds` may wait, and what of each batch does is in `deferred`, packed: it is unpacked only once, at the end.
# `format` is that of the packed effects; a change of functions/stream/packing.py needs another one.
State = Mapping[str, Any]
_EMPTY: State = {}
FORMAT = 1


class UnreadableStateError(PassingError):
    """Another release wrote the window's state. It stands for effects that only that release can read.

    So the shard waits for that release, or for one that reads both formats. To pass on would lose the effects without
    anybody knowing of which aggregates.
    """

    def __init__(self, found: object) -> None:
        super().__init__(
            f"the window's state has the format {found}, this release reads {FORMAT}: deploy a release that reads it"
        )
        self.found = found


class Split(NamedTuple):
    """A batch in two: what is written now, and the state in which the rest waits."""

    ready: Batch
    state: State


def split(catalog: Catalog, state: State, batch: Batch, kinds: Set[str]) -> Split:
    """Defer the batch's aggregates of these kinds, and their partial ones, unless the state becomes too large.

    With a kind wait those whose extremes come from it, which must not be ahead of it.
    If other kinds wait already (there was a deployment), that ends: none may be written past effects that still wait.
    Raises UnreadableStateError.
    """
    _must_be_readable(state)
    kinds = catalog.with_followers(kinds)
    if not set(state.get("kinds", ())) <= kinds:
        return ended(catalog, state, batch)
    deferred = {about: effects for about, effects in batch.items() if about.kind.name in kinds}
    if not deferred:
        return Split(batch, state)
    packed = [*state.get("deferred", ()), packing.packed(deferred)]
    if sum(map(len, packed)) > MAX_STATE_BYTES:
        return ended(catalog, state, batch)
    ready = {about: effects for about, effects in batch.items() if about not in deferred}
    return Split(ready, {"format": FORMAT, "kinds": sorted(kinds), "deferred": packed})


def ended(catalog: Catalog, state: State, batch: Batch) -> Split:
    """All that waits and the batch: each aggregate's effects in the order of the shard.

    Kinds that this release does not know (it may be an older one, rolled back to) are passed over, as in the stream.
    Raises UnreadableStateError.
    """
    if not state:
        return Split(batch, _EMPTY)
    _must_be_readable(state)
    whole: dict[AggregateId, dict[int, Effect]] = {}
    waited = chain.from_iterable(packing.unpacked(catalog, packed) for packed in state.get("deferred", ()))
    for about, effects in chain(waited, batch.items()):
        whole.setdefault(about, {}).update((effect.checkpoint.sequence, effect) for effect in effects)
    return Split({about: [found[number] for number in sorted(found)] for about, found in whole.items()}, _EMPTY)


def _must_be_readable(state: State) -> None:
    if state and state.get("format") != FORMAT:
        raise UnreadableStateError(state.get("format"))
