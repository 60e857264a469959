"""The stream's second reader: finishes the follow-ups of changes (see functions.stream.follow_ups)."""

import time
from collections.abc import Sequence
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import startup
from functions.catalog import FOLLOW_UPS
from functions.dynamodb.table import Table
from functions.errors import MalformedRecordError
from functions.failures import PoisonError, sorted_out
from functions.handlers.delivered import delivered
from functions.handlers.quarantining import set_aside
from functions.observability import logger, metrics, spent
from functions.settings import CascadeSettings
from functions.stream import follow_ups
from functions.stream.changes import Record
from functions.stream.follow_ups import Pending


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(CascadeSettings.from_env().table_name)


@logger.inject_lambda_context
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], _context: LambdaContext) -> None:
    """Finish the follow-ups of one batch of changes.

    Transient errors are raised: Lambda delivers the batch again, and finished work is only checked, not repeated.
    """
    began = time.monotonic()
    table().usage.reset()
    metrics.add_metric("RecordsDelivered", MetricUnit.Count, len(event["Records"]))
    finished = finish(event["Records"])
    metrics.add_metric("FollowUps", MetricUnit.Count, finished)
    logger.info("followed up", **delivered(event), finished=finished, **spent(began, table().usage.figures()))


def finish(records: Sequence[Record]) -> int:
    """Finish the follow-ups of these changes, and set aside records whose follow-up fails; returns how many had one."""
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
    """Finish one follow-up after the other, and set aside records whose follow-up fails."""
    for record, pending in entailed:
        try:
            with sorted_out():
                FOLLOW_UPS.finish(table(), [pending])
        except PoisonError as poison:
            set_aside(table(), follow_ups.SHARD, record, poison.reason)


startup.finish(table)
