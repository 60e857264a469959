"""Shared by HTTP and the queue: validates the events of a body one by one and stores them."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import FieldError, InvalidInputError, Table, millis
from edgewise.observability import logger, metrics, spent
from functions.settings import HTTP_PATIENCE_SECONDS, STATEMENTS, TelemetrySettings
from functions.systems.telemetry import keys
from functions.systems.telemetry import store as events
from functions.systems.telemetry.entity import Reading, Sender, derived_event_id
from functions.systems.telemetry.models import CONTENT, EventIn, TelemetryIn, TelemetryOut, attribute, check_fit
from functions.systems.telemetry.store import Reserve, Written
from functions.web import bodies, runtime
from functions.web.common import Rejection
from functions.web.fields import measure
from functions.web.judging import judged

T = TypeVar("T")

_ANOTHERS = "is that of a different reading, which only its first sender and members of the group 'import' may correct"

_WITHDRAWN = "was withdrawn"


@cache
def settings() -> TelemetrySettings:
    """The function's settings."""
    return TelemetrySettings.from_env()


def store(table: Table, sender: Sender, body: TelemetryIn, reserve: Reserve | None = None) -> TelemetryOut:
    """Store the valid events of a body; rejects each other one with its position, field and error."""
    given, rejected = judged(body.events, lambda index, raw: (index, _event(EventIn.model_validate(raw))))
    table.statements = settings().writes == STATEMENTS
    written = events.write(table, (read.event for _, read in given), sender, reserve)
    refused = {
        index: Rejection(index=index, field="event_id", error=why)
        for index, (event, _) in given
        if (written.kept or written.withdrawn) and (why := _refusal(written, event))
    }
    return TelemetryOut(
        accepted=len(given) - len(refused),
        rejected=sorted([*rejected, *refused.values()], key=lambda fault: fault.index),
        corrected=written.corrected or None,
        without=[
            Rejection(index=index, field=fault.field, error=fault.error)
            for index, read in given
            if index not in refused
            for fault in read.without
        ]
        or None,
    )


def _refusal(written: Written, event: Reading) -> str:
    """Why an event is not stored; empty: it is."""
    key = keys.EVENT(event.device, event.at, event.id)
    if key in written.withdrawn:
        return _WITHDRAWN
    return _ANOTHERS if written.kept.get(key, event) != event else ""


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
    # Nobody reads an answer: a body of which any value is not stored comes to the dead-letter queue.
    if faults := [*out.rejected, *(out.without or ())]:
        raise InvalidInputError([FieldError(f"events.{fault.index}.{fault.field}", fault.error) for fault in faults])


class _Read(NamedTuple):
    """An event, and the values that it is `without`, because they can't be read."""

    event: Reading
    without: Sequence[FieldError]


def _event(given: EventIn) -> _Read:
    if given.model_fields_set.isdisjoint(CONTENT):
        raise InvalidInputError.of("metrics", "give metrics, attributes or both")
    metrics, wrong_metrics = _readable("metrics", given.metrics, measure)
    attributes, wrong_attributes = _readable("attributes", given.attributes, attribute)
    wrong = {**wrong_metrics, **wrong_attributes}
    if wrong and not (metrics or attributes):
        raise InvalidInputError([fault for fault, _ in wrong.values()])
    check_fit(attributes)
    place = tuple(given.place or ())
    event_id = given.event_id or derived_event_id(
        given.device_id, given.at, place, metrics, attributes, {name: value for name, (_, value) in wrong.items()}
    )
    event = Reading(given.device_id, millis(given.at), event_id, place, metrics, attributes)
    return _Read(event, [fault for fault, _ in wrong.values()])


def _readable(
    of: str, given: Mapping[str, Any], read: Callable[[Any], T]
) -> tuple[dict[str, T], dict[str, tuple[FieldError, Any]]]:
    """The values that can be read, by name, and those that can't, by field. What is null was not measured."""
    found: dict[str, T] = {}
    wrong: dict[str, tuple[FieldError, Any]] = {}
    for name, value in given.items():
        if value is None:
            continue
        try:
            found[name] = read(value)
        except ValueError as error:
            field = f"{of}.{name}"
            wrong[field] = FieldError(field, str(error)), value
    return found, wrong
