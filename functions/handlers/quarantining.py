"""What the stream's readers do with a record that can't be understood: store it, count it, log it, go on."""

from aws_lambda_powertools.metrics import MetricUnit

from edgewise.dynamodb.table import Table
from edgewise.observability import logger, metrics
from edgewise.stream.changes import Record
from edgewise.stream.quarantine import quarantine


def set_aside(table: Table, shard: str, record: Record, error: str) -> None:
    """Put a record of a shard into quarantine."""
    quarantine(table, shard, record, error)
    metrics.add_metric("QuarantinedRecords", MetricUnit.Count, 1)
    logger.warning("quarantined", shard=shard, event_id=record.get("eventID"), error=error)
