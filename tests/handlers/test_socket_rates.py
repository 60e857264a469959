"""What frames of a socket take is charged to its user, also if they are refused; whoever takes too much is closed."""

import json
from typing import Any

import pytest

from edgewise.dynamodb.table import Table
from edgewise.times import HOUR, SECOND
from functions import rates
from functions.handlers import socket
from functions.handlers.socket import FRAME
from functions.push import store
from functions.web import runtime
from tests.handlers.test_socket import CONNECT, DISCONNECT, MESSAGE, NAME, admitted, fetched, of_push
from tests.push.listening import Listeners
from tests.support import leasing
from tests.support.clocks import Clock
from tests.support.http import Client, Context, send
from tests.support.streams import StreamedTable

# Units a second, so that a minute's are soon used.
RATE = 2
BURST = 60 * RATE
# One lease lasts for a test.
MUCH = 100
SUBSCRIBE, UNSUBSCRIBE = ({"action": each, "address": "/devices/1"} for each in ("subscribe", "unsubscribe"))


@pytest.fixture(autouse=True)
def limited(listeners: Listeners, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATES", rates.to_text({rates.EVERYBODY: RATE, "admin": 7}))
    leasing.begin(monkeypatch)


def connect(clock: Clock, name: str = NAME, sub: str = "amy", rate: int = RATE) -> int:
    known = {"principalId": sub, "user": sub, "issued": "0", "ends": str(clock.now + HOUR), "rate": str(rate)}
    context = CONNECT["requestContext"] | {"connectionId": name, "authorizer": known}
    return int(socket.handler(CONNECT | {"requestContext": context}, Context())["statusCode"])


def say(body: Any, name: str = NAME) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    context = MESSAGE["requestContext"] | {"connectionId": name}
    assert socket.handler(MESSAGE | {"body": text, "requestContext": context}, Context()) == {"statusCode": 200}


def held() -> float:
    """What is left of the user's leases."""
    return runtime.leases()._held["amy"].left


@pytest.mark.parametrize(
    "frames",
    [
        [SUBSCRIBE, UNSUBSCRIBE],
        [SUBSCRIBE],
        [{"action": "ping"}],
        ["no JSON"],
        [{"action": "subscribe", "address": "/documents/secret"}],
        [{"action": "subscribe", "address": "/devices/1?limit=-5"}],
    ],
    ids=str,
)
def test_a_client_that_takes_too_much_is_told_and_closed(
    frames: list[Any], listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    assert connect(clock) == 200
    for number in range(BURST // FRAME + 1):
        if listeners.closed:
            break
        say(frames[number % len(frames)])
    assert listeners.closed == [NAME]
    last = listeners.frames(NAME)[-1]
    assert (last["type"], last["problem"]["status"], last["problem"]["rate"]) == ("problem", 429, RATE)
    assert "retry after" in last["problem"]["detail"]
    say(SUBSCRIBE)
    assert table.usage.write_units == 0


def test_others_notice_nothing(listeners: Listeners, clock: Clock) -> None:
    connect(clock)
    connect(clock, "bobs", "bob")
    while not listeners.closed:
        say({"action": "ping"})
    say({"action": "ping"}, "bobs")
    assert listeners.frames("bobs") == [{"type": "pong"}]
    assert listeners.closed == [NAME]


@pytest.mark.parametrize("body", [SUBSCRIBE, UNSUBSCRIBE, {"action": "ping"}, "no JSON"], ids=str)
def test_a_frame_costs_what_it_uses_and_itself(body: Any, clock: Clock, table: StreamedTable) -> None:
    connect(clock, rate=MUCH)
    before = held()
    say(body)
    used = table.usage
    assert used.read_units > 0
    expected = FRAME + used.write_units + used.refused_units + used.read_units / 5
    assert before - held() == pytest.approx(expected)


def test_so_does_a_connection_and_its_end(clock: Clock, table: StreamedTable) -> None:
    connect(clock, rate=MUCH)
    say(SUBSCRIBE)
    before = held()
    socket.handler(DISCONNECT, Context())
    # The subscription and the connection with an entry each, the user's item; and two reads.
    assert table.usage.write_units >= 3
    assert before - held() == pytest.approx(table.usage.write_units + table.usage.read_units / 5)


def test_no_socket_is_opened_for_whoever_has_taken_too_much(
    listeners: Listeners, clock: Clock, table: StreamedTable
) -> None:
    connect(clock)
    while not listeners.closed:
        say({"action": "ping"})
    socket.handler(DISCONNECT, Context())
    statuses = [connect(clock, f"c{number}") for number in range(3)]
    assert statuses == [429] * 3
    assert of_push(table) == []
    assert send(Client("amy").event("POST /push/tickets")).status == 429
    clock.now += 61 * SECOND
    assert connect(clock) == 200


def test_a_socket_has_the_rate_of_the_token_that_fetched_the_ticket(clock: Clock, table: Table) -> None:
    event = Client("amy", ("admin",)).event("POST /push/tickets")
    event["requestContext"]["authorizer"]["jwt"]["claims"]["exp"] = str((clock.now + HOUR) // SECOND)
    for ticket, rate in ((send(event).body["ticket"], "7"), (fetched(clock.now + HOUR)["ticket"], str(RATE))):
        assert admitted(ticket)["context"]["rate"] == rate
    known = CONNECT["requestContext"]["authorizer"] | {"rate": "7"}
    socket.handler(CONNECT | {"requestContext": CONNECT["requestContext"] | {"authorizer": known}}, Context())
    found = store.find(table, NAME)
    assert found
    assert found.rate == 7
