"""Sends subscribers what has changed: the queue's notices, one after the other."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.metrics import MetricUnit
from aws_lambda_powertools.utilities.batch import BatchProcessor, EventType, process_partial_response
from aws_lambda_powertools.utilities.data_classes.sqs_event import SQSRecord
from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import clock, startup
from functions.catalog import TOPICS
from functions.observability import logger, metrics, spent
from functions.push import addresses, sending
from functions.push.gateway import Gateway
from functions.push.notices import Notice
from functions.push.queue import Queue
from functions.push.sending import Outcome
from functions.settings import PusherSettings
from functions.systems.chat.routes import app as chat
from functions.systems.graph.routes import app as graph
from functions.systems.places.routes import app as places
from functions.systems.telemetry.routes import app as telemetry
from functions.systems.walks.routes import app as walks
from functions.web import http, runtime

APPS = {route: app for app in (chat, graph, places, telemetry, walks) for route in app.served}


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
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], context: LambdaContext) -> Any:
    """Send each notice; those that fail return to the queue, and finally to the dead-letter queue."""
    began, table, done = time.monotonic(), runtime.table(), Outcome()
    table.usage.reset()
    # What is read now must have every change that a notice is about.
    table.consistent = True

    def push_one(record: SQSRecord) -> None:
        nonlocal done
        done += push(Notice.of(record.body), context)

    processor = BatchProcessor(event_type=EventType.SQS, raise_on_entire_batch_failure=False)
    answer = process_partial_response(event, push_one, processor, context)
    metrics.add_metric("PushesSent", MetricUnit.Count, done.taken)
    metrics.add_metric("PushesMissed", MetricUnit.Count, done.missed)
    logger.info("pushed", notices=len(event["Records"]), **done._asdict(), **spent(began, table.usage.figures()))
    return answer


def push(notice: Notice, context: LambdaContext) -> Outcome:
    """Send a notice to its subscribers, or pass it on in parts if there are many."""
    table = runtime.table()
    subscriptions = sending.wanted_by(table, notice, clock.now())
    if len(subscriptions) > sending.AT_ONCE:
        queue().send(list(sending.split(notice, subscriptions)))
        return Outcome()

    def read(text: str) -> str | None:
        address = addresses.parsed(TOPICS, text)
        return http.read(APPS[address.route.name], address.route, address.path, address.query, context)

    return sending.send(table, gateway(), sending.frames_for(notice, subscriptions, read), subscriptions)


startup.finish(runtime.table)
