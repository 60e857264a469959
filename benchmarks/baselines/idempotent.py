"""`ADD` with the protection that Powertools offers: its batch processor, and its idempotency utility for each record.

A record delivered twice usually counts once. But the idempotency record and the `ADD` are two writes, and after a
crash between them the record counts twice.
"""

from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.dynamo_db_stream_event import DynamoDBRecord
from aws_lambda_powertools.utilities.idempotency import (
    DynamoDBPersistenceLayer,
    IdempotencyConfig,
    idempotent_function,
)

from benchmarks import engine
from benchmarks.baselines.add import Handler, add
from benchmarks.baselines.increments import Increments
from edgewise.dynamodb.table import Table


def handler(table: Table, increments: Increments) -> Handler:
    """A batch handler; its idempotency records, in a table of their own, go through the same client."""
    context: Any = engine.Context()
    seen = f"{table.name}-seen"
    engine.create_idempotency(seen)
    store = DynamoDBPersistenceLayer(table_name=seen, boto3_client=table.client)
    config = IdempotencyConfig(event_key_jmespath="eventID", lambda_context=context)
    processor = BatchProcessor(event_type=EventType.DynamoDBStreams)

    @idempotent_function(  # type: ignore[untyped-decorator]
        data_keyword_argument="record", config=config, persistence_store=store
    )
    def record_handler(record: DynamoDBRecord) -> None:
        add(table, record.raw_event, increments)

    def handle(event: Mapping[str, Any]) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = process_partial_response(dict(event), record_handler, processor, context)
        return answer

    return handle
