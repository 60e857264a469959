"""Entries that wait for the end of their tumbling window, in the state that Lambda keeps between its invocations.

Changes of one aggregate that come in several batches of a window then cost one write. Nothing is folded while it
waits: which of the entries are in already is known only when the aggregate is read.
"""

import json
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from typing import Any, NamedTuple

from functions.domain.aggregates import AggregateId, Entry, Mark, Observations, Part
from functions.domain.measures import Observation

# Lambda keeps 1 MB of state for a shard, and events, which carry it, have 6 MB in all.
MAX_STATE_BYTES = 500_000

Batch = Mapping[AggregateId, Sequence[Entry]]


class Split(NamedTuple):
    """A batch in two: what is written now, and the state in which the rest waits."""

    due: Batch
    state: dict[str, Any]


def split(batch: Batch, waiting_kinds: Set[str]) -> Split:
    """Let the aggregates of these kinds wait, unless together they are too much."""
    waiting = {about: entries for about, entries in batch.items() if about.kind in waiting_kinds}
    state = _state(waiting)
    if len(json.dumps(state)) > MAX_STATE_BYTES:
        return Split(batch, {})
    return Split({about: entries for about, entries in batch.items() if about not in waiting}, state)


def joined(state: Mapping[str, Any], batch: Batch) -> dict[AggregateId, Sequence[Entry]]:
    """The batch after what waits in the state, each aggregate's entries in the order of the lane."""
    whole = dict(batch)
    for kind, parts, packed in state.get("waiting", ()):
        aggregate_id = AggregateId(kind, tuple(map(_part, parts)))
        by_number = {each.mark.sequence: each for each in (*map(_entry, packed), *batch.get(aggregate_id, ()))}
        whole[aggregate_id] = [by_number[number] for number in sorted(by_number)]
    return whole


def _state(waiting: Batch) -> dict[str, Any]:
    if not waiting:
        return {}
    return {"waiting": [[*about, [_packed(entry) for entry in entries]] for about, entries in waiting.items()]}


def _packed(entry: Entry) -> list[Any]:
    return [str(entry.mark.sequence), entry.mark.at, _observed(entry.added), _observed(entry.removed)]


def _entry(packed: Sequence[Any]) -> Entry:
    sequence, at, added, removed = packed
    return Entry(Mark(int(sequence), at), _observations(added), _observations(removed))


def _observed(observations: Observations) -> dict[str, list[Any]]:
    return {name: [_text(field) for field in seen] for name, seen in observations.items()}


def _observations(packed: Mapping[str, Sequence[Any]]) -> Observations:
    return {
        name: Observation(weight, _number(value), at, _number(amount))
        for name, (weight, value, at, amount) in packed.items()
    }


def _text(field: Decimal | int | None) -> str | int | None:
    return str(field) if isinstance(field, Decimal) else field


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _part(part: str | int | Iterable[str]) -> Part:
    return part if isinstance(part, str | int) else tuple(part)
