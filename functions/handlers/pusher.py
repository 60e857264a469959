"""Sends subscribers what has changed: the queue's notices, one after the other."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import clock
from edgewise.observability import logger, metrics, spent
from functions import startup
from functions.handlers import live_routes
from functions.push import sending
from functions.push.gateway import Gateway
from functions.push.notices import Notice
from functions.push.queue import Queue
from functions.push.sending import Outcome
from functions.settings import PusherSettings
from functions.web import charges, runtime
from functions.web.leases import Rated


@cache
def settings() -> PusherSettings:
    """The function's settings."""
    return PusherSettings.from_env()


@cache
def gateway() -> Gateway:
    """The open connections."""
    return Gateway(settings().socket_endpoint)


@cache
def queue() -> Queue:
    """Where parts of a notice go."""
    return Queue(settings().push_queue_url)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Send each notice; those that fail return to the queue, and finally to the dead-letter queue.

    Of equal ones, one is sent: it reads what all of them are about.
    """
    began, table, done = time.monotonic(), runtime.table(), Outcome()
    table.usage.reset()
    # What is read now must have every change that a notice is about.
    table.consistent = True

    pushed: set[str] = set()

    def push_one(record: SQSRecord) -> None:
        nonlocal done
        if record.body not in pushed:
            done += push(Notice.of(record.body), context)
            pushed.add(record.body)

    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    answer = process_partial_response(event, push_one, processor, context)
    metrics.add_metric("PushesSent", MetricUnit.Count, done.taken)
    metrics.add_metric("PushesMissed", MetricUnit.Count, done.missed)
    logger.info("pushed", notices=len(event["Records"]), **done._asdict(), **spent(began, table.usage.figures()))
    return answer


def push(notice: Notice, context: LambdaContext) -> Outcome:
    """Send a notice to its first subscribers, and pass it on for the others if there are many."""
    table = runtime.table()
    portions = sending.parts(sending.wanted_by(table, notice, clock.now()))
    first = next(portions, {})
    if others := list(sending.later(notice, portions)):
        queue().send(others)

    def read(text: str) -> str | None:
        """None also if nobody who waits for it can pay: each of them reads it, once it can."""
        with charges.shared({Rated(each.sub, each.rate) for each in first[text]}) as payable:
            return live_routes.read(live_routes.parsed(text), context) if payable else None

    return sending.send(table, gateway(), notice.topic, sending.frames_for(notice, read), first)


startup.finish(runtime.table)
