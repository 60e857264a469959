"""Entries that wait for the end of their tumbling window, in the state that Lambda keeps between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Nothing is folded while it
waits: which of the entries are in already is known only when the aggregate is read.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from itertools import chain
from typing import Any, NamedTuple

from functions.aggregates.aggregate import Batch, Entry, Mark
from functions.aggregates.catalog import Catalog
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Observation, Observations

# Lambda keeps 1 MB of state for a shard, and events, which carry it, have 6 MB in all.
MAX_STATE_BYTES = 500_000
_FASTEST = 1

# `kinds` may wait, and what of each batch does is in `waiting`, packed: it is unpacked only once, at the end.
State = Mapping[str, Sequence[str]]
_EMPTY: State = {}


class Split(NamedTuple):
    """A batch in two: what is written now, and the state in which the rest waits."""

    due: Batch
    state: State


def split(catalog: Catalog, state: State, batch: Batch, kinds: Set[str]) -> Split:
    """Let the batch's aggregates of these kinds, and their slots, wait with the state, unless that becomes too much.

    With a kind wait those whose extremes come from it, which must not be ahead of it.
    If other kinds wait already (there was a deployment), that ends: none may be written past entries that still wait.
    """
    kinds = catalog.with_followers(kinds)
    if not set(state.get("kinds", ())) <= kinds:
        return ended(catalog, state, batch)
    waiting = {about: entries for about, entries in batch.items() if about.kind.name in kinds}
    if not waiting:
        return Split(batch, state)
    packed = [*state.get("waiting", ()), _packed(waiting)]
    if sum(map(len, packed)) > MAX_STATE_BYTES:
        return ended(catalog, state, batch)
    due = {about: entries for about, entries in batch.items() if about not in waiting}
    return Split(due, {"kinds": sorted(kinds), "waiting": packed})


def ended(catalog: Catalog, state: State, batch: Batch) -> Split:
    """All that waits and the batch: each aggregate's entries in the order of the lane.

    Kinds that this release does not know (it may be an older one, rolled back to) are passed over, as in the stream.
    """
    if not state:
        return Split(batch, _EMPTY)
    whole: dict[AggregateId, dict[int, Entry]] = {}
    waited = chain.from_iterable(_unpacked(catalog, packed) for packed in state.get("waiting", ()))
    for about, entries in chain(waited, batch.items()):
        whole.setdefault(about, {}).update((entry.mark.sequence, entry) for entry in entries)
    return Split({about: [found[number] for number in sorted(found)] for about, found in whole.items()}, _EMPTY)


def _packed(waiting: Batch) -> str:
    plain = [[about.plain, [_plain(entry) for entry in entries]] for about, entries in waiting.items()]
    return base64.b64encode(zlib.compress(json.dumps(plain).encode(), _FASTEST)).decode()


def _unpacked(catalog: Catalog, packed: str) -> Iterable[tuple[AggregateId, list[Entry]]]:
    for plain, entries in json.loads(zlib.decompress(base64.b64decode(packed))):
        if plain[0] in catalog.kinds:
            yield catalog.named(plain), list(map(_entry, entries))


def _plain(entry: Entry) -> list[Any]:
    return [str(entry.mark.sequence), entry.mark.at, _observed(entry.added), _observed(entry.removed)]


def _entry(plain: Sequence[Any]) -> Entry:
    sequence, at, added, removed = plain
    return Entry(Mark(int(sequence), at), _observations(added), _observations(removed))


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
