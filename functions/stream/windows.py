"""Defers effects to the end of their tumbling window, in the state that Lambda passes between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Waiting effects are not folded,
because only the aggregate, when it is read, tells which of them it has absorbed already.
"""

from collections.abc import Mapping, Set
from itertools import chain
from typing import Any, NamedTuple

from functions.aggregates.catalog import Catalog
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.errors import PassingError
from functions.stream import packing

# Lambda keeps up to 1 MB of state for a shard; an event, which carries the state, has at most 6 MB.
MAX_STATE_BYTES = 500_000

# `kinds` are the kinds that may wait. `deferred` has the waiting effects of each batch, packed; they are unpacked only
# once, at the end. `format` is that of the packed effects; a change of functions/stream/packing.py needs a new one.
State = Mapping[str, Any]
_EMPTY: State = {}
FORMAT = 2


class UnreadableStateError(PassingError):
    """Another release wrote the window's state, and this one can't read the effects in it.

    So the shard waits for that release, or for one that reads both formats. To go on would lose the effects, and nobody
    would know which aggregates lack them.
    """

    def __init__(self, found: object) -> None:
        super().__init__(
            f"the window's state has the format {found}, this release reads {FORMAT}: deploy a release that reads it"
        )
        self.found = found


class Split(NamedTuple):
    """A batch in two parts: the effects to write now, and the state in which the others wait."""

    ready: Batch
    state: State


def split(catalog: Catalog, state: State, batch: Batch, kinds: Set[str]) -> Split:
    """Defer the batch's aggregates of these kinds, and their partial ones, unless the state becomes too large.

    Kinds that take their extremes from a deferred kind wait too, because they must not be ahead of it.
    If kinds wait already that are not to wait any more (after a deployment), all waiting ends: no aggregate may be
    written past effects that still wait. Raises UnreadableStateError.
    """
    _must_be_readable(state)
    kinds = catalog.with_followers(kinds)
    if not set(state.get("kinds", ())) <= kinds:
        return ended(catalog, state, batch)
    deferred = {about: effects for about, effects in batch.items() if about.kind.name in kinds}
    if not deferred:
        return Split(batch, state)
    packed = [*state.get("deferred", ()), packing.packed(deferred)]
    after = {"format": FORMAT, "kinds": sorted(kinds), "deferred": packed}
    if size(after) > MAX_STATE_BYTES:
        return ended(catalog, state, batch)
    return Split({about: effects for about, effects in batch.items() if about not in deferred}, after)


def size(state: State) -> int:
    """How many bytes of effects wait in a state."""
    return sum(map(len, state.get("deferred", ())))


def ended(catalog: Catalog, state: State, batch: Batch) -> Split:
    """All waiting effects together with the batch: each aggregate's effects in the order of the shard.

    Kinds that this release does not know (after a rollback) are passed over, as in the stream.
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
