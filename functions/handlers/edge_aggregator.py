"""The stream consumer: changes in, aggregates brought up to date, exactly once however often they are delivered."""

import gc
from collections.abc import Mapping, Set
from contextlib import suppress
from functools import cache, partial
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.domain import windows
from functions.domain.aggregates import LATEST_DELIVERY, AggregateId, Batch, Held
from functions.domain.errors import MalformedRecordError
from functions.domain.slots import number_of_slots
from functions.handlers.quarantining import set_aside
from functions.observability import logger, metrics, tracer
from functions.settings import SLOTS_AS_THEY_ARE, ConsumerSettings, on_lambda
from functions.store import aggregate_writer, clock, stream
from functions.store.held import Register, ask_for_slots, register
from functions.store.table import Table

SINGLE_LANE = "single"
# Of the function's time, what must be left to begin with a write: as long as one may take, with all its repetitions.
RESERVE_MS = 40_000


class UnknownLaneError(Exception):
    """The event does not say which stream shard it comes from, so nothing can be told apart; nothing was done."""

    def __init__(self) -> None:
        super().__init__("the event has no shardId: the event source mapping needs a tumbling window")


@cache
def settings() -> ConsumerSettings:
    """The function's settings."""
    return ConsumerSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name)


@logger.inject_lambda_context
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Absorb one batch of one lane.

    Transient faults are raised, and so is the end of the function's time when it comes into sight: Lambda delivers the
    batch again, and what is in already stays in once.
    What can't be understood is set aside last: a record in quarantine has everything before it in its lane absorbed.
    The answer carries the window's state: what waits for its end.
    """
    metrics.add_metric("RecordsDelivered", MetricUnit.Count, len(event["Records"]))
    lane, known = _lane(event), register(table())
    _ask_for_slots(known)
    records = _without_late(event["Records"], known.held.get(lane, frozenset()))
    batch, unclear = stream.batch(records, partial(known.slots.slot_of, lane))
    due, state = _due(event, batch, ends=bool(unclear))
    held = _held(known, lane, unclear)
    written = aggregate_writer.apply(table(), lane, due, held, may_go_on=lambda: _may_go_on(context))
    for record, error in unclear:
        set_aside(table(), lane, record, str(error))
    _tell_of(written.lacking)
    logger.info(
        "absorbed",
        lane=lane,
        records=len(event["Records"]),
        written=written.written,
        current=written.current,
        conflicts=written.conflicts,
    )
    metrics.add_metric("AggregatesWritten", MetricUnit.Count, written.written)
    return {"state": state, "batchItemFailures": []}


def _may_go_on(context: LambdaContext) -> bool:
    return context.get_remaining_time_in_millis() > RESERVE_MS


def _due(event: dict[str, Any], batch: Batch, *, ends: bool) -> windows.Split:
    """What is to be written now, and the state for the window's next batch; nothing waits if none will come."""
    state = event.get("state") or {}
    last = event.get("isFinalInvokeForWindow") or event.get("isWindowTerminatedEarly")
    if ends or last or "window" not in event:
        return windows.ended(state, batch)
    return windows.split(state, batch, frozenset(settings().waiting.split(",")))


def _ask_for_slots(known: Register) -> None:
    """Extend the history of slots by what the deployment wants; a setting that says nothing sensible is not obeyed."""
    wanted = settings().slots
    if wanted == SLOTS_AS_THEY_ARE:
        return
    try:
        ask_for_slots(table(), known, number_of_slots(wanted))
    except ValueError as error:
        metrics.add_metric("SettingsNotObeyed", MetricUnit.Count, 1)
        logger.error("setting not obeyed", setting="SLOTS", error=str(error))


def _tell_of(lacking: Mapping[AggregateId, str]) -> None:
    if lacking:
        metrics.add_metric("IncompleteAggregates", MetricUnit.Count, len(lacking))
    for aggregate_id, reason in lacking.items():
        logger.warning("incomplete", aggregate=aggregate_id, error=reason)


def _lane(event: dict[str, Any]) -> str:
    if settings().lane_source == SINGLE_LANE:
        return SINGLE_LANE
    shard = event.get("shardId")
    if not shard:
        raise UnknownLaneError
    return str(shard).removeprefix("shardId-")


def _without_late(records: list[stream.Record], held: Set[int]) -> list[stream.Record]:
    """The records but for those in quarantine that come so late that only their redrive may bring them in.

    While they are held, the lane's marks are kept; once one is redriven, beside this batch, marks may be dropped.
    """
    return [record for record in records if not _only_redriven(record, held)] if held else records


def _only_redriven(record: stream.Record, held: Set[int]) -> bool:
    with suppress(MalformedRecordError):
        place = stream.mark(record)
        return place.sequence in held and clock.now() - place.at > LATEST_DELIVERY
    return False


def _held(known: Register, lane: str, unclear: list[stream.Unclear]) -> Held:
    """What is in quarantine, or will be after this batch."""
    held = known.held
    numbers = frozenset(number for record, _ in unclear if (number := stream.number(record)) is not None)
    return {**held, lane: held.get(lane, frozenset()) | numbers} if numbers else held


if on_lambda():
    table()  # Lambda lends the start-up more CPU than the invocations, and clients are slow to make
    gc.freeze()  # a batch makes so many objects that all modules would be searched for garbage again and again
