"""One batch of one lane, absorbed by the aggregates of a catalog: exactly once, however often it is delivered."""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from functions import clock
from functions.aggregates.aggregate import LATEST_DELIVERY, Batch, Held
from functions.aggregates.catalog import Catalog
from functions.dynamodb.table import Table
from functions.errors import MalformedRecordError
from functions.stream import changes, windows, writer
from functions.stream.changes import Record, Unclear
from functions.stream.register import Register
from functions.stream.windows import Split, State
from functions.stream.writer import Written

Event = Mapping[str, Any]


class Consumed(NamedTuple):
    """What became of a batch. `state` is to be given to the window's next batch: what waits for its end.

    `unclear` are records that can't be understood. They must be set aside last: a record in quarantine has everything
    before it in its lane absorbed.
    """

    written: Written
    state: State
    unclear: Sequence[Unclear]


def consume(
    catalog: Catalog,
    table: Table,
    known: Register,
    lane: str,
    event: Event,
    waiting: Set[str],
    may_go_on: Callable[[], bool],
) -> Consumed:
    """Bring all aggregates up to date with an event of Lambda's, but for the kinds that wait for the window's end.

    `known` is the register, read after the event came. Raises what `writer.apply` does: deliver the batch again then,
    and what is in already stays in once.
    """
    records = _without_late(event["Records"], known.held.get(lane, frozenset()))
    batch, unclear = changes.batch(catalog, records, partial(known.slots.slot_of, lane))
    due, state = _due(catalog, event, batch, waiting, ends=bool(unclear))
    written = writer.apply(table, lane, due, _held(known, lane, unclear), may_go_on=may_go_on)
    return Consumed(written, state, unclear)


def _due(catalog: Catalog, event: Event, batch: Batch, waiting: Set[str], *, ends: bool) -> Split:
    """What is to be written now, and the state for the window's next batch; nothing waits if none will come."""
    state = event.get("state") or {}
    last = event.get("isFinalInvokeForWindow") or event.get("isWindowTerminatedEarly")
    if ends or last or "window" not in event:
        return windows.ended(catalog, state, batch)
    return windows.split(catalog, state, batch, waiting)


def _without_late(records: Sequence[Record], held: Set[int]) -> Sequence[Record]:
    """The records but for those in quarantine that come so late that only their redrive may bring them in.

    While they are held, the lane's marks are kept; once one is redriven, beside this batch, marks may be dropped.
    """
    return [record for record in records if not _only_redriven(record, held)] if held else records


def _only_redriven(record: Record, held: Set[int]) -> bool:
    with suppress(MalformedRecordError):
        place = changes.mark(record)
        return place.sequence in held and clock.now() - place.at > LATEST_DELIVERY
    return False


def _held(known: Register, lane: str, unclear: Sequence[Unclear]) -> Held:
    """What is in quarantine, or will be after this batch."""
    held = known.held
    numbers = frozenset(number for record, _ in unclear if (number := changes.number(record)) is not None)
    return {**held, lane: held.get(lane, frozenset()) | numbers} if numbers else held
