"""The sender: what it pushes is what the API answers, byte for byte, read so that no change is missing."""

import importlib
import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import pytest

from docs.patterns.pattern import Read
from functions.catalog import SYSTEMS, module_of
from functions.handlers import live_routes, pusher
from functions.push import addresses, codec, sending, store
from functions.push.entity import MOST_OF_TOPIC, MOST_SOCKETS, Subscription, TooManyError
from functions.push.notices import Notice
from functions.replay.memory import MemoryTable
from tests.push.listening import ENDS, FAILED, RATE, Listeners, Passing, subscribe
from tests.push.reading import LIVE, address_of
from tests.support.http import FUNCTION_OF, Client, Context
from tests.support.streams import PRESENT, StreamedTable

ROOM = "/rooms/seattle"


def event(*bodies: str) -> dict[str, Any]:
    """Messages m0, m1, … of the queue."""
    return {
        "Records": [
            {"messageId": f"m{number}", "eventSource": "aws:sqs", "body": body} for number, body in enumerate(bodies)
        ]
    }


def push(*notices: Notice) -> list[str]:
    """Let the sender have notices; returns which failed."""
    answer = pusher.handler(event(*(each.text() for each in notices)), Context())
    return [each["itemIdentifier"] for each in answer["batchItemFailures"]]


def topic(address: str) -> str:
    return addresses.topic(live_routes.parsed(address))


def read(example: Read) -> str:
    """The body of the answer to a GET, as it is sent."""
    handler = importlib.import_module(module_of(FUNCTION_OF[example.route])).handler
    answer = handler(Client().event(example.route, example.query, **example.path), Context())
    assert answer["statusCode"] == 200, answer
    return str(answer["body"])


def test_every_read_that_can_be_subscribed_to_is_tried_here() -> None:
    sent = {route.name: route.live for route in live_routes.APPS if route.live}
    assert {each.route for each in LIVE} == {name for name, live in sent.items() if not live.shown}
    assert set(sent.values()) == {live for system in SYSTEMS for live in system.live}


@pytest.mark.parametrize("example", LIVE, ids=lambda example: example.question)
def test_what_is_pushed_is_what_is_read(example: Read, listeners: Listeners, table: StreamedTable) -> None:
    example.given(table)
    address = address_of(example)
    subscribe(table, "c", topic(address), address)
    assert push(Notice(topic(address))) == []
    (frame,) = listeners.sent["c"]
    told = json.dumps(address, ensure_ascii=False), json.dumps(json.loads(frame)["read_at"])
    assert frame == f'{{"type":"answer","address":{told[0]},"read_at":{told[1]},"body":{read(example)}}}'


@pytest.mark.parametrize("example", LIVE, ids=lambda example: example.question)
def test_all_that_is_read_of_the_table_is_consistent(example: Read, listeners: Listeners, table: StreamedTable) -> None:
    example.given(table)
    address, asked = address_of(example), list[dict[str, Any]]()
    subscribe(table, "c", topic(address), address)

    def note(params: dict[str, Any], **_: Any) -> None:
        asked.extend(params["RequestItems"].values() if "RequestItems" in params else [params])

    for operation in ("Query", "GetItem", "BatchGetItem"):
        table.client.meta.events.register(f"provide-client-params.dynamodb.{operation}", note, unique_id=operation)
    try:
        push(Notice(topic(address)))
    finally:
        for operation in ("Query", "GetItem", "BatchGetItem"):
            table.client.meta.events.unregister(f"provide-client-params.dynamodb.{operation}", unique_id=operation)
    # What callers have taken is read for its price, and not shown.
    of_table = [each for each in asked if "IndexName" not in each and "RATE#" not in str(each.get("Key"))]
    assert len(of_table) > 1
    assert all(each["ConsistentRead"] for each in of_table)


def test_what_the_api_refuses_is_only_said_to_have_changed(listeners: Listeners, table: StreamedTable) -> None:
    """Whoever subscribed to it reads it, and is told why it is refused."""
    address = "/devices/nobody?unknown=1"
    subscribe(table, "c", topic(address), address)
    push(Notice(topic(address)))
    assert listeners.frames("c") == [{"type": "changed", "address": address}]


def test_one_notice_that_fails_comes_again_and_the_others_are_sent(
    listeners: Listeners, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "/rooms/a/messages"
    subscribe(table, "c", topic(address), address)
    found = store.subscribers

    def failing(table: Any, topic: str, now: int) -> Any:
        if topic == "CHAT#broken":
            raise FAILED
        return found(table, topic, now)

    monkeypatch.setattr(store, "subscribers", failing)
    notices = [Notice("CHAT#broken", ('{"n":0}',)), Notice(topic(address), ('{"n":1}',))]
    assert push(*notices) == ["m0"]
    assert [frame["items"] for frame in listeners.frames("c")] == [[{"n": 1}]]
    answer = pusher.handler(event("no notice"), Context())
    assert [each["itemIdentifier"] for each in answer["batchItemFailures"]] == ["m0"]


def test_more_than_one_invocation_can_send_to_is_passed_on_and_each_is_sent_it_once(
    listeners: Listeners, passing: Passing, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "AT_ONCE", 3)
    address = "/rooms/a/messages"
    names = [f"c{number}" for number in range(10)]
    for name in names:
        subscribe(table, name, topic(address), address)
    push(Notice(topic(address), ('{"n":1}',)))
    assert len(listeners.sent) == 3
    push(*(each.notice for each in passing.taken))
    assert len(passing.taken) == 3, "none is passed on again"
    assert {name: len(listeners.frames(name)) for name in names} == dict.fromkeys(names, 1)


def test_equal_notices_of_a_batch_are_sent_once(
    listeners: Listeners, table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one is about nothing that the first one's reads do not have; one that failed is not counted."""
    address = "/devices/d1"
    subscribe(table, "c", topic(address), address)
    found, failing = store.subscribers, iter([True, False])

    def subscribers(table: Any, topic: str, now: int) -> Any:
        if next(failing):
            raise FAILED
        return found(table, topic, now)

    monkeypatch.setattr(store, "subscribers", subscribers)
    assert push(*[Notice(topic(address))] * 4) == ["m0"]
    assert len(listeners.frames("c")) == 1


def test_a_flood_of_addresses_is_a_few_answers_and_nothing_for_the_others(
    listeners: Listeners, passing: Passing, table: StreamedTable
) -> None:
    """Thirteen sockets of one guest, with twenty addresses of one device each: each notice was 260 messages."""
    device, room = "/devices/d1", "/rooms/a/messages"
    subscribe(table, "bobs", topic(room), room, "bob")
    subscribe(table, "bobs", topic(device), device, "bob")
    for number in range(13 * 20):
        with suppress(TooManyError):
            subscribe(table, f"a{number % 13}", topic(device), f"{device}/rollups?metric=m{number}", "amy")
    push(Notice(topic(device)), Notice(topic(room), ('{"n":1}',)))
    told = [frame["address"] for name in listeners.sent for frame in listeners.frames(name)]
    assert len(told) == 2 + MOST_OF_TOPIC
    assert {device, room} < set(told)
    assert passing.taken == []


class InTurn:
    """In place of threads: each task is done when it is given."""

    def __init__(self, _: int) -> None: ...

    def __enter__(self) -> "InTurn":
        return self

    def __exit__(self, *_: object) -> None: ...

    def map(self, do: Callable[[Any], Any], tasks: Iterable[Any]) -> list[Any]:
        return [do(task) for task in tasks]


def noting(done: list[str], what: Callable[..., str], function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which also notes what is done."""

    def call(*given: Any) -> Any:
        done.append(what(*given))
        return function(*given)

    return call


@pytest.mark.parametrize("flooders", [0, 1, 5])
def test_nothing_of_a_flood_comes_before_what_another_waits_for(
    flooders: int, listeners: Listeners, passing: Passing, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With each flooder at the caps; five of them fill three invocations. Bob's connection sorts last."""
    device, done = "/devices/d1", list[str]()
    made = [("z", "bob", device)] + [
        (f"a{user}-{socket}", f"user {user}", f"{device}/rollups?metric=u{user}m{number}&grain=day")
        for user in range(flooders)
        for socket in range(MOST_SOCKETS)
        for number in range(MOST_OF_TOPIC)
    ]
    table = MemoryTable()
    table.put_many([codec.subscription_item(Subscription(topic(device), *each, PRESENT, ENDS, RATE)) for each in made])
    monkeypatch.setattr("functions.web.runtime.table", lambda: table)
    monkeypatch.setattr(listeners, "send", noting(done, lambda to, _: f"sent to {to}", listeners.send))
    monkeypatch.setattr(live_routes, "read", noting(done, lambda *_: "read an answer", live_routes.read))
    monkeypatch.setattr(sending, "ThreadPoolExecutor", InTurn)
    push(Notice(topic(device)))
    assert done[:2] == ["read an answer", "sent to z"]
    for each in passing.taken:
        push(each.notice)
    assert len(done) == 2 + flooders * (MOST_OF_TOPIC + MOST_SOCKETS * MOST_OF_TOPIC)
    assert len(passing.taken) == (2 if flooders == 5 else 0)


def test_nobody_is_sent_what_nobody_wants_any_more(listeners: Listeners, table: StreamedTable) -> None:
    assert push(Notice("DEVICE#1")) == []
    assert listeners.sent == {}
