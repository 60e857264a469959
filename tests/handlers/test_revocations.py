"""Who is taken out while a token lasts: in a minute no route, no ticket and no socket lets that user in."""

from dataclasses import replace
from typing import Any

import pytest

from edgewise.times import HOUR, SECOND
from functions import revocations
from functions.handlers import socket, socket_authorizer, socket_sweeper
from functions.push import store
from functions.push.entity import Connection
from functions.revocations import FRESH, KEPT, Known, Revocations
from tests.handlers.test_socket import event
from tests.push.listening import RATE, Listeners
from tests.support.clocks import Clock
from tests.support.http import Client, Context, send
from tests.support.streams import StreamedTable

AMY, BOB = Client("amy", sub="sub-a"), Client("bob", sub="sub-b")


@pytest.fixture(autouse=True)
def known(handlers: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each function as if it had just started, and with what the session's fixture replaces."""
    monkeypatch.setattr(Known, "refuse", ORIGINAL)
    revocations.known.cache_clear()


ORIGINAL: Any = Known.refuse


def asked(client: Client, issued: int) -> int:
    asking = client.event("GET /rooms")
    asking["requestContext"]["authorizer"]["jwt"]["claims"]["iat"] = str(issued // SECOND)
    return send(asking).status


def admitted(ticket: str) -> str:
    handler: Any = socket_authorizer.handler
    answer = handler(event("socket_authorizer_ticket") | {"queryStringParameters": {"ticket": ticket}}, Context())
    return str(answer["policyDocument"]["Statement"][0]["Effect"])


def ping(connection: str) -> None:
    of = event("socket_subscribe")
    context = of["requestContext"] | {"connectionId": connection}
    socket.handler(of | {"requestContext": context, "body": '{"action": "ping"}'}, Context())


def test_a_token_that_was_taken_back_is_refused_and_a_later_one_is_not(table: StreamedTable, clock: Clock) -> None:
    before = clock.now
    assert [asked(each, before) for each in (AMY, BOB)] == [200, 200]
    clock.now += 60 * SECOND
    revocations.revoke(table, AMY.sub)
    taken_back = clock.now
    clock.now += FRESH
    assert [asked(each, before) for each in (AMY, BOB)] == [401, 200]
    assert asked(AMY, taken_back) == 401, "in the same second"
    assert asked(AMY, taken_back + SECOND) == 200
    assert asked(replace(AMY, sub="another"), before) == 200, "who has the same name is somebody else"


def test_it_is_read_now_and_then_only(table: StreamedTable, clock: Clock) -> None:
    def requests() -> int:
        return int(AMY.call("GET /rooms").headers["x-consumed-requests"])

    of_route = requests() - 1
    assert [requests() for _ in range(3)] == [of_route] * 3
    clock.now += FRESH
    assert [requests(), requests()] == [of_route + 1, of_route]


def test_several_are_kept_for_a_day(table: StreamedTable, clock: Clock) -> None:
    begun = clock.now
    for sub in ("a", "b"):
        revocations.revoke(table, sub)
        clock.now += KEPT // 2
    assert revocations.read(table) == Revocations({"a": begun, "b": begun + KEPT // 2}, 2)
    revocations.revoke(table, "c")
    assert revocations.read(table).until.keys() == {"b", "c"}


def test_a_ticket_and_a_socket_are_worth_nothing_any_more(
    table: StreamedTable, clock: Clock, listeners: Listeners
) -> None:
    asking = AMY.event("POST /push/tickets")
    asking["requestContext"]["authorizer"]["jwt"]["claims"]["iat"] = str(clock.now // SECOND)
    tickets = [send(asking).body["ticket"] for _ in range(2)]
    assert admitted(tickets[0]) == "Allow"
    for client, name in ((AMY, "hers"), (BOB, "his")):
        store.connect(table, Connection(name, client.sub, clock.now, clock.now + HOUR, RATE), clock.now)
    ping("hers")
    revocations.revoke(table, AMY.sub)
    clock.now += FRESH
    assert admitted(tickets[1]) == "Deny"
    ping("hers")
    ping("his")
    assert listeners.closed == ["hers"]
    assert [len(listeners.frames(name)) for name in ("hers", "his")] == [1, 1]


def test_the_sweep_closes_sockets_that_ask_for_nothing(
    table: StreamedTable, clock: Clock, listeners: Listeners
) -> None:
    for client, name in ((AMY, "hers"), (BOB, "his")):
        store.connect(table, Connection(name, client.sub, clock.now, clock.now + HOUR, RATE), clock.now)
    revocations.revoke(table, AMY.sub)
    # Admitted by a function that did not know yet.
    store.connect(table, Connection("late", AMY.sub, clock.now, clock.now + HOUR, RATE), clock.now)
    store.connect(table, Connection("new", AMY.sub, clock.now + SECOND, clock.now + HOUR, RATE), clock.now)
    socket_sweeper.handler({}, Context())
    assert sorted(listeners.closed) == ["hers", "late"]
    assert {name for name in ("hers", "late", "his", "new") if store.find(table, name)} == {"his", "new"}
