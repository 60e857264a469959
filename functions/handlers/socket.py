"""The socket: clients connect, subscribe to addresses of the API, and disconnect. What changes, `pusher` sends them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from edgewise import ConcurrentChangeError, InvalidInputError, clock
from edgewise.observability import logger, metrics, spent
from functions import revocations, startup
from functions.errors import RateExceededError
from functions.handlers import live_routes
from functions.push import addresses, frames, requests, store
from functions.push.entity import LONGEST, Connection, Subscription, TooManyError
from functions.push.gateway import Gateway
from functions.push.requests import MOST_CHARACTERS, Action, Request
from functions.settings import SubscribingSettings
from functions.web import charges
from functions.web.leases import Rated
from functions.web.runtime import table

# What a frame takes of the gateway and the function, in units; what it uses of the table comes to that.
FRAME = 1
OK, TOO_MANY = {"statusCode": HTTPStatus.OK}, {"statusCode": HTTPStatus.TOO_MANY_REQUESTS}


@cache
def settings() -> SubscribingSettings:
    """The function's settings."""
    return SubscribingSettings.from_env()


@cache
def gateway() -> Gateway:
    """The open connections."""
    return Gateway(settings().socket_endpoint)


@logger.inject_lambda_context
@metrics.log_metrics
def handler(event: dict[str, Any], lambda_context: LambdaContext) -> dict[str, Any]:
    """Answer one event of a connection. What a client gets to see is sent to it; the status is the gateway's.

    A socket is refused (429) if its user has as many as one may have, or uses the table faster than the user's rate.
    """
    began, context, answer = time.monotonic(), event["requestContext"], OK
    table().usage.reset()
    match context["eventType"]:
        case "CONNECT":
            answer = _connect(context)
        case "DISCONNECT":
            if closed := store.disconnect(table(), context["connectionId"]):
                charges.settle(_rated(closed))
        case _:
            _answer(context["connectionId"], event.get("body") or "", lambda_context)
    logger.info("answered", event=context["eventType"], **spent(began, table().usage.figures()))
    return answer


def _connect(context: dict[str, Any]) -> dict[str, HTTPStatus]:
    known, now = context["authorizer"], clock.now()
    issued, ends, rate = (int(known[name]) for name in ("issued", "ends", "rate"))
    connection = Connection(context["connectionId"], known["user"], issued, min(ends, now + LONGEST), rate)
    try:
        with _charged(connection):
            store.connect(table(), connection, now)
    except (TooManyError, RateExceededError):
        return TOO_MANY
    return OK


def _answer(connection_id: str, text: str, context: LambdaContext) -> None:
    # No client of ours sends so much, so nothing is read for it.
    connection = store.find(table(), connection_id) if len(text) <= MOST_CHARACTERS else None
    if connection is None or connection.ends <= clock.now() or _is_revoked(connection):
        gateway().close(connection_id)
        return
    address = None
    try:
        with _charged(connection):
            request = requests.parsed(text)
            address = request.address
            frame = _done(connection, request, context)
    except RateExceededError as error:
        # Each further frame would take as much again; a ticket is refused before anything is done.
        gateway().send(connection_id, frames.problem(error, None))
        gateway().close(connection_id)
        return
    except (InvalidInputError, ConcurrentChangeError) as error:
        frame = frames.problem(error, address)
    gateway().send(connection_id, frame)


@contextmanager
def _charged(connection: Connection) -> Iterator[None]:
    """Charge the connection's user with what the block uses, and with the frame; raises RateExceededError before it."""
    table().usage.caused += FRAME
    with charges.charged(_rated(connection)):
        yield


def _rated(connection: Connection) -> Rated:
    return Rated(connection.sub, connection.rate)


def _is_revoked(connection: Connection) -> bool:
    return revocations.known().refuse(table(), connection.sub, connection.issued)


def _done(connection: Connection, request: Request, context: LambdaContext) -> str:
    """Do what is asked; returns the frame that says so."""
    if request.action is Action.PING:
        return frames.pong()
    address = live_routes.parsed(request.address)
    live_routes.check(address, context)
    topic = addresses.topic(address)
    if request.action is Action.UNSUBSCRIBE:
        store.unsubscribe(table(), connection, topic, request.address)
        return frames.unsubscribed(request.address)
    who, rate, ends = connection.sub, connection.rate, connection.ends
    subscription = Subscription(topic, connection.id, who, request.address, since=clock.now(), ends=ends, rate=rate)
    store.subscribe(table(), connection, subscription)
    return frames.subscribed(request.address)


startup.finish(table)
