"""Applies one batch of one shard to the aggregates of a catalog: exactly once, however often it is delivered."""

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from functions import clock
from functions.aggregates.catalog import Catalog
from functions.aggregates.checkpoints import LATEST_DELIVERY, Quarantined
from functions.aggregates.effects import Batch
from functions.dynamodb.table import Table
from functions.errors import MalformedRecordError
from functions.stream import changes, windows, writer
from functions.stream.changes import Record, Unclear
from functions.stream.register import Register
from functions.stream.windows import Split, State
from functions.stream.writer import Written
from functions.times import Millis

LambdaEvent = Mapping[str, Any]


class Consumed(NamedTuple):
    """The outcome of a batch. `state` holds the effects that wait for the window's end: pass it to the next batch.

    `oldest` is the time of the oldest change absorbed, in this batch or waiting until now; None: there was none.
    `unclear` are the records that can't be understood. Set them aside last: when a record is in quarantine, everything
    before it in its shard must have been absorbed.
    """

    written: Written
    state: State
    oldest: Millis | None
    unclear: Sequence[Unclear]


def consume(
    catalog: Catalog,
    table: Table,
    known: Register,
    shard: str,
    event: LambdaEvent,
    may_go_on: Callable[[], bool],
) -> Consumed:
    """Bring all aggregates up to date with a Lambda event, except those that wait for the window's end.

    `known` is the register, read after the event arrived. Raises what `writer.apply` raises: the batch must then be
    delivered again, and nothing is counted twice.
    """
    records = _without_late(event["Records"], known.quarantined.get(shard, frozenset()))
    batch, unclear = changes.batch(catalog, records, partial(known.partials.partial_of, shard))
    ready, state = _ready(catalog, event, batch, ends=bool(unclear))
    written = writer.apply(table, shard, ready, _quarantined(known, shard, unclear), may_go_on=may_go_on)
    return Consumed(written, state, _oldest(ready), unclear)


def _oldest(batch: Batch) -> Millis | None:
    return min((effect.checkpoint.at for effects in batch.values() for effect in effects), default=None)


def _ready(catalog: Catalog, event: LambdaEvent, batch: Batch, *, ends: bool) -> Split:
    """The effects to write now, and the state for the window's next batch; nothing waits if no batch will follow."""
    state = event.get("state") or {}
    last = event.get("isFinalInvokeForWindow") or event.get("isWindowTerminatedEarly")
    if ends or last or "window" not in event:
        return windows.ended(catalog, state, batch)
    return windows.split(catalog, state, batch)


def _without_late(records: Sequence[Record], quarantined: Set[int]) -> Sequence[Record]:
    """The records without quarantined ones that come so late that only their redrive may apply them.

    While they are quarantined, the shard's checkpoints are kept; but a redrive may end beside this batch, and
    checkpoints may then be dropped.
    """
    return [record for record in records if not _only_redriven(record, quarantined)] if quarantined else records


def _only_redriven(record: Record, quarantined: Set[int]) -> bool:
    with suppress(MalformedRecordError):
        place = changes.checkpoint(record)
        return place.sequence in quarantined and clock.now() - place.at > LATEST_DELIVERY
    return False


def _quarantined(known: Register, shard: str, unclear: Sequence[Unclear]) -> Quarantined:
    """The records that are in quarantine, or will be after this batch."""
    quarantined = known.quarantined
    numbers = frozenset(number for record, _ in unclear if (number := changes.number(record)) is not None)
    return {**quarantined, shard: quarantined.get(shard, frozenset()) | numbers} if numbers else quarantined
