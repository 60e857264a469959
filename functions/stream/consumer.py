"""One batch of one shard, absorbed by the aggregates of a catalog: exactly once, however often it is delivered."""

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

LambdaEvent = Mapping[str, Any]


class Consumed(NamedTuple):
    """What became of a batch. `state` is to be given to the window's next batch: what waits for its end.

    `unclear` are records that can't be understood. They must be set aside last: a record in quarantine has everything
    before it in its shard absorbed.
    """

    written: Written
    state: State
    unclear: Sequence[Unclear]


def consume(
    catalog: Catalog,
    table: Table,
    known: Register,
    shard: str,
    event: LambdaEvent,
    deferred: Set[str],
    may_go_on: Callable[[], bool],
) -> Consumed:
    """Bring all aggregates up to date with an event of Lambda's, but for the kinds that wait for the window's end.

    `known` is the register, read after the event came. Raises what `writer.apply` does: deliver the batch again then,
    and what is in already stays in once.
    """
    records = _without_late(event["Records"], known.quarantined.get(shard, frozenset()))
    batch, unclear = changes.batch(catalog, records, partial(known.partials.partial_of, shard))
    ready, state = _ready(catalog, event, batch, deferred, ends=bool(unclear))
    written = writer.apply(table, shard, ready, _quarantined(known, shard, unclear), may_go_on=may_go_on)
    return Consumed(written, state, unclear)


def _ready(catalog: Catalog, event: LambdaEvent, batch: Batch, deferred: Set[str], *, ends: bool) -> Split:
    """What is to be written now, and the state for the window's next batch; nothing waits if none will come."""
    state = event.get("state") or {}
    last = event.get("isFinalInvokeForWindow") or event.get("isWindowTerminatedEarly")
    if ends or last or "window" not in event:
        return windows.ended(catalog, state, batch)
    return windows.split(catalog, state, batch, deferred)


def _without_late(records: Sequence[Record], quarantined: Set[int]) -> Sequence[Record]:
    """The records but for those in quarantine that come so late that only their redrive may bring them in.

    While they are quarantined, the shard's checkpoints are kept; once one is redriven, beside this batch, checkpoints
    may be dropped.
    """
    return [record for record in records if not _only_redriven(record, quarantined)] if quarantined else records


def _only_redriven(record: Record, quarantined: Set[int]) -> bool:
    with suppress(MalformedRecordError):
        place = changes.checkpoint(record)
        return place.sequence in quarantined and clock.now() - place.at > LATEST_DELIVERY
    return False


def _quarantined(known: Register, shard: str, unclear: Sequence[Unclear]) -> Quarantined:
    """What is in quarantine, or will be after this batch."""
    quarantined = known.quarantined
    numbers = frozenset(number for record, _ in unclear if (number := changes.number(record)) is not None)
    return {**quarantined, shard: quarantined.get(shard, frozenset()) | numbers} if numbers else quarantined
