"""Lets effects wait for the end of their tumbling window, in the state that Lambda passes between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Waiting effects are not folded,
because only the aggregate, when it is read, tells which of them it has absorbed already.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, NamedTuple

from functions.aggregates.catalog import Catalog
from functions.aggregates.effects import Batch, Effect
from functions.aggregates.ids import AggregateId
from functions.errors import PassingError
from functions.stream import packing

# How long a window is: what waits is a minute old at most when it is in.
SECONDS = 50
# Lambda keeps up to 1 MB of state for a shard; an event, which carries the state, has at most 6 MB.
MAX_STATE_BYTES = 500_000

# `kinds` are the kinds that wait. `waiting` has the effects of each batch, packed; they are unpacked only once, at the
# end. `format` is that of the packed effects; a change of functions/stream/packing.py needs a new one.
State = Mapping[str, Any]
_EMPTY: State = {}
FORMAT = 3


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


def split(catalog: Catalog, state: State, batch: Batch) -> Split:
    """Let effects on the kinds that wait do so, unless the state becomes too large.

    If kinds wait already that wait no longer (after a deployment), all waiting ends: no aggregate may be written past
    effects that still wait. Raises UnreadableStateError.
    """
    _must_be_readable(state)
    if not set(state.get("kinds", ())) <= catalog.waiting:
        return ended(catalog, state, batch)
    waiting = {about: effects for about, effects in batch.items() if about.kind.name in catalog.waiting}
    if not waiting:
        return Split(batch, state)
    packed = [*state.get("waiting", ()), packing.packed(waiting)]
    after = {"format": FORMAT, "kinds": sorted(catalog.waiting), "waiting": packed}
    if size(after) > MAX_STATE_BYTES:
        return ended(catalog, state, batch)
    return Split({about: effects for about, effects in batch.items() if about not in waiting}, after)


def size(state: State) -> int:
    """How many bytes of effects wait in a state."""
    return sum(map(len, state.get("waiting", ())))


def ended(catalog: Catalog, state: State, batch: Batch) -> Split:
    """All waiting effects together with the batch: each aggregate's effects in the order of the shard.

    Kinds that this release does not know (after a rollback) are passed over, as in the stream.
    Raises UnreadableStateError.
    """
    if not state:
        return Split(batch, _EMPTY)
    _must_be_readable(state)
    whole: dict[AggregateId, dict[int, Effect]] = {}
    waited = chain.from_iterable(packing.unpacked(catalog, packed) for packed in state.get("waiting", ()))
    for about, effects in chain(waited, batch.items()):
        whole.setdefault(about, {}).update((effect.checkpoint.sequence, effect) for effect in effects)
    return Split({about: [found[number] for number in sorted(found)] for about, found in whole.items()}, _EMPTY)


def _must_be_readable(state: State) -> None:
    if state and state.get("format") != FORMAT:
        raise UnreadableStateError(state.get("format"))
