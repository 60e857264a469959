"""The socket: clients connect, subscribe to addresses of the API, and disconnect. What changes, `pusher` sends them."""

import time
from functools import cache
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from functions import clock, startup
from functions.catalog import TOPICS
from functions.dynamodb.table import IMPATIENT, Table
from functions.errors import ConcurrentChangeError, InvalidInputError
from functions.observability import logger, metrics, spent
from functions.push import addresses, frames, requests, store
from functions.push.entity import LONGEST, Connection, Subscription
from functions.push.gateway import Gateway
from functions.push.requests import Action, Request
from functions.settings import SocketSettings

OK = {"statusCode": 200}


@cache
def settings() -> SocketSettings:
    """The function's settings."""
    return SocketSettings.from_env()


@cache
def table() -> Table:
    """The table, with its connections."""
    return Table(settings().table_name, config=IMPATIENT)


@cache
def gateway() -> Gateway:
    """The open connections."""
    return Gateway(settings().socket_endpoint)


@logger.inject_lambda_context
@metrics.log_metrics(capture_cold_start_metric=True)
def handler(event: dict[str, Any], _context: LambdaContext) -> dict[str, Any]:
    """Answer one event of a connection. What a client gets to see is sent to it; the status is the gateway's."""
    began, context = time.monotonic(), event["requestContext"]
    table().usage.reset()
    match context["eventType"]:
        case "CONNECT":
            _connect(context)
        case "DISCONNECT":
            store.disconnect(table(), context["connectionId"])
        case _:
            _answer(context["connectionId"], event.get("body") or "")
    logger.info("answered", event=context["eventType"], **spent(began, table().usage.figures()))
    return OK


def _connect(context: dict[str, Any]) -> None:
    known = context["authorizer"]
    ends = min(int(known["ends"]), clock.now() + LONGEST)
    store.connect(table(), Connection(context["connectionId"], known["user"], ends))


def _answer(connection_id: str, text: str) -> None:
    connection = store.find(table(), connection_id)
    if connection is None or connection.ends <= clock.now():
        gateway().close(connection_id)
        return
    address = None
    try:
        request = requests.parsed(text)
        address = request.address
        frame = _done(connection, request)
    except (InvalidInputError, ConcurrentChangeError) as error:
        frame = frames.problem(error, address)
    gateway().send(connection_id, frame)


def _done(connection: Connection, request: Request) -> str:
    """Do what is asked; returns the frame that says so."""
    if request.action is Action.PING:
        return frames.pong()
    topic = addresses.parsed(TOPICS, request.address).topic
    if request.action is Action.UNSUBSCRIBE:
        store.unsubscribe(table(), connection, topic, request.address)
        return frames.unsubscribed(request.address)
    subscription = Subscription(topic, connection.id, request.address, since=clock.now(), ends=connection.ends)
    store.subscribe(table(), connection, subscription)
    return frames.subscribed(request.address)


startup.finish(table)
