"""What the functions of push really ask of the table is allowed, from a ticket to the end of a socket."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from edgewise.times import HOUR, SECOND
from functions.handlers import cascade, live_routes, pusher, socket, socket_authorizer, socket_sweeper
from functions.push import addresses
from tests.infra import iam
from tests.infra.asking import Asked, AskedTable
from tests.infra.conftest import Deployment
from tests.push.listening import Listeners, Passing
from tests.push.reading import LIVE, address_of
from tests.support.clocks import Clock
from tests.support.http import Client, Context, send
from tests.support.streams import PRESENT

ARN = "arn:aws:execute-api:us-east-1:123456789012:abcde12345/live/$connect"


class Live:
    """The functions of push on one table, each known by its name to whoever remembers what it asked for."""

    def __init__(self, asked: Asked, patch: pytest.MonkeyPatch) -> None:
        self.asked, self.table, self.listeners, self.passing = asked, AskedTable(asked), Listeners(), Passing()
        patch.setattr("functions.web.runtime.table", lambda: self.table)
        for each in (cascade, socket, socket_authorizer, socket_sweeper):
            patch.setattr(each, "table", lambda: self.table)
        for each in (socket, socket_sweeper, pusher):
            patch.setattr(each, "gateway", lambda: self.listeners)
        for each in (cascade, pusher):
            patch.setattr(each, "queue", lambda: self.passing)
        for cached in (cascade.interest, cascade.pace):
            cached.cache_clear()

    def call(self, function: Any, event: dict[str, Any]) -> Any:
        """Call a function."""
        with self.asked.by(function.__name__.rpartition(".")[2]):
            return function.handler(event, Context())

    def ticket(self, ends: int) -> str:
        """Fetch a ticket over HTTP."""
        event = Client().event("POST /push/tickets")
        event["requestContext"]["authorizer"]["jwt"]["claims"]["exp"] = str(ends // SECOND)
        with self.asked.by("push"):
            return str(send(event).body["ticket"])

    def say(self, kind: str, **other: Any) -> None:
        """One event of the only socket."""
        known = {"user": "amy", "issued": "0", "ends": str(PRESENT + HOUR), "rate": "50"}
        self.call(socket, {"requestContext": {"eventType": kind, "connectionId": "c", "authorizer": known}, **other})

    def ask(self, action: str, address: str) -> None:
        """One request of the only socket."""
        self.say("MESSAGE", body=json.dumps({"action": action, "address": address}))


def test_from_a_ticket_to_the_end_of_a_socket(
    handlers: None,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
    deployment: Callable[..., Deployment],
) -> None:
    clock.now = PRESENT
    asked = Asked()
    live = Live(asked, monkeypatch)
    for example in LIVE:
        example.given(live.table)
    ticket = {"methodArn": ARN, "queryStringParameters": {"ticket": live.ticket(PRESENT + HOUR)}}
    for _ in range(2):
        live.call(socket_authorizer, ticket)
    live.say("CONNECT")
    for address in map(address_of, LIVE):
        live.ask("subscribe", address)
    records = [record.form for shard in live.table.stream.shards for record in shard.records]
    live.call(cascade, {"Records": records})
    assert {each.notice.topic for each in live.passing.taken} == {
        addresses.topic(live_routes.parsed(address_of(example))) for example in LIVE
    }
    notices = [each.notice for each in live.passing.taken]
    for gone in (False, True):
        live.listeners.gone = {"c"} if gone else set()
        bodies = [{"messageId": "m", "eventSource": "aws:sqs", "body": each.text()} for each in notices]
        assert live.call(pusher, {"Records": bodies}) == {"batchItemFailures": []}
    live.ask("unsubscribe", address_of(LIVE[0]))
    clock.now += HOUR
    live.call(socket_sweeper, {})
    live.say("CONNECT")
    live.say("DISCONNECT")
    assert {"push", "cascade", "pusher", "socket", "socket_authorizer", "socket_sweeper"} <= set(asked.requests)
    stage = deployment("dev", push=True)
    assert not {
        (name, request)
        for name, requests in asked.requests.items()
        for request in requests
        if not iam.allows(iam.statements(stage, name), request)
    }
