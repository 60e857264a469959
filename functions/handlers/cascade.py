"""The stream's second reader: finishes what a change entails (see functions.stream.follow_ups)."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions.catalog import FOLLOW_UPS
from functions.dynamodb.table import Table
from functions.errors import MalformedRecordError
from functions.failures import PoisonError, sorted_out
from functions.handlers.quarantining import set_aside
from functions.observability import logger, metrics, tracer
from functions.settings import CascadeSettings, on_lambda
from functions.stream import follow_ups
from functions.stream.changes import Record
from functions.stream.follow_ups import Pending


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(CascadeSettings.from_env().table_name)


@logger.inject_lambda_context
@tracer.capture_lambda_handler(capture_response=False)
@metrics.log_metrics
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Finish what one batch of changes entails.

    Transient faults are raised: Lambda delivers the batch again, and what is finished already is only looked at.
    """
    metrics.add_metric("RecordsDelivered", MetricUnit.Count, len(event["Records"]))
    finished = finish(event["Records"])
    metrics.add_metric("FollowUps", MetricUnit.Count, finished)
    logger.info("followed up", records=len(event["Records"]), finished=finished)


def finish(records: Sequence[Record]) -> int:
    """Finish what these changes entail, and set aside what can't be finished; how many entailed something."""
    entailed = [(record, pending) for record in records if (pending := _pending(record))]
    try:
        with sorted_out():
            FOLLOW_UPS.finish(table(), [pending for _, pending in entailed])
    except PoisonError:
        _finish_apart(entailed)
    return len(entailed)


def _pending(record: Record) -> Pending | None:
    try:
        return FOLLOW_UPS.pending(record)
    except MalformedRecordError as error:
        set_aside(table(), follow_ups.SHARD, record, str(error))
        return None


def _finish_apart(entailed: Sequence[tuple[Record, Pending]]) -> None:
    """Finish one after the other; what can't be finished is set aside."""
    for record, pending in entailed:
        try:
            with sorted_out():
                FOLLOW_UPS.finish(table(), [pending])
        except PoisonError as poison:
            set_aside(table(), follow_ups.SHARD, record, poison.reason)


if on_lambda():
    table()  # Lambda lends the start-up more CPU than the invocations, and clients are slow to make
