"""The same ADD with the protection that Powertools offers: its batch processor, and its idempotency utility per record.

A record delivered twice is mostly not counted twice: the idempotency record and the ADD are two writes, so a crash
between them still does.
"""

from collections.abc import Callable, Sequence
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)

from benchmarks.baselines.add import add
from benchmarks.engine import Context
from functions.store.table import Table


def handler(table: Table, idempotency_table: str) -> Callable[[Sequence[Any]], None]:
    """A handler of batches; its idempotency records go through the same client as its updates."""
    context: Any = Context()
    store = DynamoDBPersistenceLayer(table_name=idempotency_table, boto3_client=table.client)
    config = IdempotencyConfig(event_key_jmespath="eventID", lambda_context=context)
    processor = BatchProcessor(event_type=EventType.DynamoDBStreams)

    @idempotent_function(  # type: ignore[untyped-decorator]
        data_keyword_argument="record", config=config, persistence_store=store
    )
    def record_handler(record: DynamoDBRecord) -> None:
        add(table, record.raw_event)

    def handle(records: Sequence[Any]) -> None:
        process_partial_response({"Records": list(records)}, record_handler, processor, context)

    return handle
