"""A socket from its ticket to its end, as API Gateway calls its functions."""

import json
from pathlib import Path
from typing import Any

import pytest

from edgewise.errors import ConcurrentChangeError
from edgewise.times import HOUR, SECOND, from_rfc_3339
from functions.handlers import socket, socket_authorizer, socket_sweeper
from functions.push import store
from functions.push.entity import LONGEST, MOST_SOCKETS, Connection
from functions.push.requests import MOST_CHARACTERS
from tests.push.listening import RATE, Listeners
from tests.support.clocks import Clock
from tests.support.http import ISSUED, Client, Context, send
from tests.support.streams import StreamedTable

EVENTS = Path(__file__).parents[1] / "events"


def event(name: str) -> Any:
    return json.loads((EVENTS / f"{name}.json").read_text())


ASKED, CONNECT, MESSAGE, DISCONNECT = map(
    event, ("socket_authorizer_ticket", "socket_connect", "socket_subscribe", "socket_disconnect")
)
NAME: str = CONNECT["requestContext"]["connectionId"]


def fetched(ends: int) -> Any:
    """A ticket, over HTTP, with a token that ends then."""
    event = Client().event("POST /push/tickets")
    event["requestContext"]["authorizer"]["jwt"]["claims"]["exp"] = str(ends // SECOND)
    answer = send(event)
    assert answer.status == 201, answer
    return answer.body


def admitted(ticket: str | None) -> Any:
    query = {"queryStringParameters": {"ticket": ticket} if ticket is not None else None}
    handler: Any = socket_authorizer.handler
    return handler(ASKED | query, Context())


def connected(ends: int) -> None:
    known = {"principalId": "amy", "user": "amy", "issued": "0", "ends": str(ends), "rate": str(RATE)}
    context = CONNECT["requestContext"] | {"authorizer": known}
    assert socket.handler(CONNECT | {"requestContext": context}, Context()) == {"statusCode": 200}


def test_one_more_socket_than_a_user_may_have_is_refused(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    for number in range(MOST_SOCKETS):
        store.connect(table, Connection(f"c{number}", "amy", 0, clock.now + HOUR, RATE), clock.now)
    known = {"principalId": "amy", "user": "amy", "issued": "0", "ends": str(clock.now + HOUR), "rate": str(RATE)}
    context = CONNECT["requestContext"] | {"authorizer": known}
    assert socket.handler(CONNECT | {"requestContext": context}, Context()) == {"statusCode": 429}
    assert store.find(table, NAME) is None


def say(body: Any) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    assert socket.handler(MESSAGE | {"body": text}, Context()) == {"statusCode": 200}


def of_push(table: StreamedTable) -> list[Any]:
    return [item for item in table.all_items() if item["Type"]["S"] in {"TICKET", "CONNECTION", "SUBSCRIPTION"}]


def test_from_the_ticket_to_the_end(listeners: Listeners, clock: Clock, table: StreamedTable) -> None:
    ends = clock.now + HOUR
    given = fetched(ends)
    assert from_rfc_3339(given["expires_at"]) == clock.now + 60 * SECOND
    assert from_rfc_3339(given["socket_ends_at"]) == ends
    answer = admitted(given["ticket"])
    (statement,) = answer["policyDocument"]["Statement"]
    assert (statement["Effect"], statement["Resource"]) == ("Allow", ASKED["methodArn"])
    issued = str(int(ISSUED) * SECOND)
    assert answer["context"] == {"user": "amy", "issued": issued, "ends": str(ends), "rate": str(RATE)}
    connected(ends)
    say({"action": "subscribe", "address": "/devices/123"})
    say({"action": "ping"})
    say({"action": "unsubscribe", "address": "/devices/123"})
    assert [frame["type"] for frame in listeners.frames(NAME)] == ["subscribed", "pong", "unsubscribed"]
    say({"action": "subscribe", "address": "/rooms/harbour"})
    assert len(of_push(table)) == 2
    socket.handler(DISCONNECT, Context())
    assert of_push(table) == []


@pytest.mark.parametrize("ticket", [None, "", "guessed"])
def test_without_a_ticket_nobody_gets_in(ticket: str | None, listeners: Listeners) -> None:
    answer = admitted(ticket)
    assert [one["Effect"] for one in answer["policyDocument"]["Statement"]] == ["Deny"]
    assert answer["context"] == {}


def test_a_ticket_opens_one_socket_and_none_after_a_minute(listeners: Listeners, clock: Clock) -> None:
    used, late = fetched(clock.now + HOUR)["ticket"], fetched(clock.now + HOUR)["ticket"]
    found = [admitted(used)["policyDocument"]["Statement"][0]["Effect"] for _ in range(2)]
    clock.now += 60 * SECOND
    assert [*found, admitted(late)["policyDocument"]["Statement"][0]["Effect"]] == ["Allow", "Deny", "Deny"]


def test_no_ticket_is_logged(listeners: Listeners, clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    ticket = fetched(clock.now + HOUR)["ticket"]
    for each in (ticket, ticket):
        admitted(each)
    logged = capsys.readouterr()
    assert ticket not in logged.out + logged.err


def test_a_token_that_never_ends_fetches_no_ticket(listeners: Listeners) -> None:
    event = Client().event("POST /push/tickets")
    del event["requestContext"]["authorizer"]["jwt"]["claims"]["exp"]
    assert send(event).status == 401


def test_a_socket_ends_with_its_token_and_after_two_hours_at_the_latest(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    for ends, expected in ((clock.now + HOUR, clock.now + HOUR), (clock.now + 9 * HOUR, clock.now + LONGEST)):
        connected(ends)
        found = store.find(table, NAME)
        assert found
        assert found.ends == expected


@pytest.mark.parametrize(
    ("body", "status", "fields"),
    [
        ("no JSON", 400, ["body"]),
        ("", 400, ["body"]),
        ({"action": "shout", "address": "/devices/1"}, 400, ["action"]),
        ({"action": "subscribe", "address": "/documents/secret"}, 400, ["address"]),
        ({"action": "subscribe", "address": "/checks"}, 400, ["address"]),
        ({"action": "unsubscribe", "address": "/nowhere"}, 400, ["address"]),
        ({"action": "subscribe", "address": "/places"}, 400, ["address"]),
        ({"action": "subscribe", "address": "/devices/1?limit=-5"}, 400, ["address"]),
        ({"action": "subscribe", "address": "/devices/1?unknown=1"}, 400, ["address"]),
        ('{"action": "ping", "action": "ping"}', 400, ["action"]),
    ],
)
def test_what_is_refused_is_told_as_a_problem(
    body: Any, status: int, fields: list[str], listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    connected(clock.now + HOUR)
    before = of_push(table)
    say(body)
    (frame,) = listeners.frames(NAME)
    assert (frame["type"], frame["problem"]["status"]) == ("problem", status)
    assert [each["field"] for each in frame["problem"]["errors"]] == fields
    assert of_push(table) == before


def test_who_sends_what_no_client_sends_is_closed_before_anything_is_read(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    connected(clock.now + HOUR)
    say(json.dumps({"action": "ping", "x": "x" * MOST_CHARACTERS}))
    assert listeners.closed == [NAME]
    assert listeners.sent == {}
    assert table.usage.requests == 0


def test_too_many_changes_at_once_are_a_conflict(
    listeners: Listeners, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    connected(clock.now + HOUR)

    def refuse(*_: Any) -> None:
        raise ConcurrentChangeError("connection", NAME)

    monkeypatch.setattr(store, "subscribe", refuse)
    say({"action": "subscribe", "address": "/devices/1"})
    (frame,) = listeners.frames(NAME)
    assert (frame["address"], frame["problem"]["status"]) == ("/devices/1", 409)


def test_whoever_has_ended_or_is_unknown_is_closed_and_told_nothing(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    say({"action": "ping"})
    connected(clock.now + HOUR)
    clock.now += HOUR
    say({"action": "subscribe", "address": "/devices/1"})
    assert listeners.closed == [NAME, NAME]
    assert listeners.sent == {}
    assert [item["Type"]["S"] for item in of_push(table)] == ["CONNECTION"]


def test_the_sweep_closes_what_has_ended_and_leaves_the_rest(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    for name, ends in (("ended", 0), ("gone", 0), ("stuck", 0), ("open", 1)):
        store.connect(table, Connection(name, "amy", 0, clock.now + ends, RATE), clock.now - 1)
    listeners.gone.add("gone")
    listeners.deaf["stuck"] = 1
    socket_sweeper.handler(event("socket_sweeper_schedule"), Context())
    assert sorted(listeners.closed) == ["ended", "gone"]
    left = {name for name in ("ended", "gone", "stuck", "open") if store.find(table, name)}
    assert left == {"stuck", "open"}, "one that would not close is met again, and holds up no other"
