"""Shared by HTTP and the queue: validates the events of a body one by one and stores them."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import FieldError, InvalidInputError, Table, millis
from edgewise.observability import logger, metrics, spent
from functions.settings import HTTP_PATIENCE_SECONDS, STATEMENTS, TelemetrySettings
from functions.systems.telemetry import keys
from functions.systems.telemetry import store as events
from functions.systems.telemetry.entity import Reading, Sender, derived_event_id
from functions.systems.telemetry.models import CONTENT, EventIn, TelemetryIn, TelemetryOut
from functions.systems.telemetry.store import Reserve
from functions.web import bodies, runtime
from functions.web.common import Rejection
from functions.web.judging import judged

_ANOTHERS = "is that of a different reading, which only its first sender and members of the group 'import' may correct"


@cache
def settings() -> TelemetrySettings:
    """The function's settings."""
    return TelemetrySettings.from_env()


def store(table: Table, sender: Sender, body: TelemetryIn, reserve: Reserve | None = None) -> TelemetryOut:
    """Store the valid events of a body; rejects each other one with its position, field and error."""
    given, rejected = judged(body.events, lambda index, raw: (index, _event(EventIn.model_validate(raw))))
    table.statements = settings().writes == STATEMENTS
    kept = events.write(table, (event for _, event in given), sender, reserve)
    refused = [
        Rejection(index=index, field="event_id", error=_ANOTHERS)
        for index, event in given
        if kept and kept.get(keys.EVENT(event.device, event.at, event.id), event) != event
    ]
    faults = sorted([*rejected, *refused], key=lambda fault: fault.index)
    return TelemetryOut(accepted=len(given) - len(refused), rejected=faults)


@logger.inject_lambda_context
@metrics.log_metrics
def from_queue(event: dict[str, Any], context: LambdaContext) -> Any:
    """Store a batch of queued bodies; bodies with any error return to the queue, and finally to the dead-letter queue.

    Their valid events are stored all the same: storing them again changes nothing.
    """
    # Imported here because it takes 11 ms, with models of many events, and requests by HTTP do without it.
    from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response

    began, table = time.monotonic(), runtime.table()
    table.usage.reset()
    table.allow(HTTP_PATIENCE_SECONDS)
    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    answer = process_partial_response(event, _queued, processor, context)
    failed = len(answer["batchItemFailures"])
    logger.info("taken in", messages=len(event["Records"]), failed=failed, **spent(began, table.usage.figures()))
    return answer


def _queued(record: SQSRecord) -> None:
    body = TelemetryIn.model_validate(bodies.parse_json(record.body))
    # Of a role that is assumed, the id is followed by the name of the session, which the sender chooses.
    sender = Sender(record.attributes.sender_id.partition(":")[0])
    # Whoever may send to the queue has credentials of AWS; its concurrency is a limit, and so is a message's size.
    out = store(runtime.table(), sender, body)
    if out.rejected:
        raise InvalidInputError(
            [FieldError(f"events.{fault.index}.{fault.field}", fault.error) for fault in out.rejected]
        )


def _event(given: EventIn) -> Reading:
    if given.model_fields_set.isdisjoint(CONTENT):
        raise InvalidInputError.of("metrics", "give metrics, attributes or both")
    place, content = tuple(given.place or ()), (given.metrics, given.attributes)
    event_id = given.event_id or derived_event_id(given.device_id, given.at, place, *content)
    return Reading(given.device_id, millis(given.at), event_id, place, *content)
