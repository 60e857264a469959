"""What readers of the stream tell of an invocation: what Lambda handed to them, and which records they set aside.

`make verify` reads these lines: they show what AWS does where nothing else does. They hold nothing of the items.
"""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit

from edgewise import clock
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.observability import logger, metrics
from edgewise.stream import changes, windows
from edgewise.stream.changes import Record
from edgewise.stream.quarantine import Entry, quarantine


def set_aside(table: Table, shard: str, *entries: Entry) -> None:
    """Put records of a shard into quarantine, in their order."""
    for record, error, _ in quarantine(table, shard, *entries):
        metrics.add_metric("QuarantinedRecords", MetricUnit.Count, 1)
        logger.warning("quarantined", shard=shard, event_id=record.get("eventID"), error=error)


def untold(error: Exception) -> None:
    """Log that the table did not take how far a shard has come: a later heartbeat tells as much."""
    logger.warning("untold", error=str(error))


def delivered(event: Mapping[str, Any]) -> dict[str, Any]:
    """The event's window, how many records it has, their places in the shard, their age, and what waits in its state.

    `first` and `last` are sequence numbers as texts: JSON numbers would lose digits. `age_ms` is that of the first
    record, to the second. Null: there is none, or it can't be understood. `state_came`: bytes of effects.
    """
    records, window = event["Records"], event.get("window") or {}
    return {
        "records": len(records),
        "first": _sequence(records[:1]),
        "last": _sequence(records[-1:]),
        "age_ms": _age(records[:1]),
        "window_start": window.get("start"),
        "window_end": window.get("end"),
        "final": bool(event.get("isFinalInvokeForWindow")),
        "terminated_early": bool(event.get("isWindowTerminatedEarly")),
        "state_came": windows.size(event.get("state") or {}),
    }


def _sequence(records: list[Record]) -> str | None:
    numbers = map(changes.number, records)
    return next((str(number) for number in numbers if number is not None), None)


def _age(records: list[Record]) -> int | None:
    try:
        return next((clock.now() - changes.checkpoint(record).at for record in records), None)
    except MalformedRecordError:
        return None
