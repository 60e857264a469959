"""A throttled table: what callers are told, and when a room helps itself."""

from collections.abc import Callable
from itertools import chain, repeat
from typing import Any
from unittest.mock import Mock

import pytest

from edgewise.dynamodb import table as table_module
from edgewise.dynamodb import throttling as throttling_module
from edgewise.dynamodb.table import Table
from edgewise.sharding.sharding import COOL_DOWN, Widening
from edgewise.times import EARLIEST, SECOND, from_rfc_3339
from functions.systems.chat import rooms
from functions.systems.chat.entity import MAX_SHARDS, Room
from tests.support import clocks
from tests.support.clocks import Clock
from tests.support.http import Answer, Client
from tests.support.queue import batch, deliver, event, failed
from tests.support.throttles import ARN, HOT_INDEX, HOT_TABLE, answered, refusal, throttling

pytestmark = pytest.mark.usefixtures("handlers", "clock")

AMY, IMPORTER = Client("amy"), Client("ivy", ("import",))
NOON = from_rfc_3339(clocks.NOON)
# A widening counts when no request that was under way when it was made still runs: the longest takes ten seconds.
SOON = NOON + 10_000


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither of the SDK nor of ours."""
    monkeypatch.setattr("time.sleep", lambda _: None)


def post(*messages: Any, client: Client = AMY) -> Answer:
    body = {"messages": list(messages) or [{"text": "hi"}]}
    return client.call("POST /rooms/{room}/messages", None, body, room="seattle")


def history(table: Table) -> list[tuple[int, int]]:
    """Since when how many shards; nothing if there is no room."""
    room = rooms.find(table, "seattle")
    return [(step.since, step.shards) for step in room.history] if room else []


def create(table: Table, *steps: tuple[int, int]) -> None:
    rooms.create(table, Room("seattle", tuple(Widening(*step) for step in steps)))


def is_message(operation: str, request: Any) -> bool:
    """Whether a request puts a message whose sender chose its id."""
    return operation == "PutItem" and request["Item"]["Type"]["S"] == "MESSAGE"


def named_messages(operation: str, request: Any) -> Any:
    """Throttles these."""
    return refusal(HOT_TABLE) if is_message(operation, request) else None


@pytest.mark.parametrize("operation", ["GetItem", "PutItem", "BatchWriteItem"])
def test_the_caller_is_told_to_come_again(table: Table, operation: str) -> None:
    with throttling(table.client, operation):
        answer = post()
    assert answer.status == 503
    assert (answer.headers["Content-Type"], answer.headers["Retry-After"]) == ("application/problem+json", "10")
    assert answer.body == {
        "type": "about:blank",
        "title": "Service Unavailable",
        "status": 503,
        "detail": "the table is busy: retry the request later",
        "errors": [],
    }


def test_the_caller_is_told_that_the_time_ended(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sent again as it was, a request that is too large for a slow machine would not do better."""
    monkeypatch.setattr(throttling_module, "monotonic", Mock(side_effect=chain([0.0], repeat(1e9))))
    monkeypatch.setattr(table_module, "monotonic", lambda: 0.0)
    answer = post()
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
    assert answer.body["detail"] == "there was no time for all of it: retry the request, or send fewer items in one"


@pytest.mark.parametrize("reason", [HOT_TABLE, HOT_INDEX])
def test_a_room_whose_messages_are_throttled_doubles_its_shards(table: Table, reason: str) -> None:
    create(table, (EARLIEST, 3))
    with throttling(table.client, "BatchWriteItem", reason=reason):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 3), (SOON, 6)]


def test_a_room_does_not_widen_for_a_user_who_writes_too_much(table: Table) -> None:
    create(table, (EARLIEST, 3))
    hot = refusal(HOT_INDEX)
    hot["ThrottlingReasons"][0]["resource"] = f"{ARN}/index/GSI2"
    with answered(table.client, lambda operation, _: hot if operation == "BatchWriteItem" else None):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 3)]


def test_a_room_that_nobody_set_up_does_so_too(table: Table) -> None:
    with throttling(table.client, "BatchWriteItem"):
        post()
    assert history(table) == [(EARLIEST, 1), (SOON, 2)]


def test_the_lead_counts_from_the_widening_not_from_the_request(table: Table, clock: Clock) -> None:
    """The request itself may have taken long."""

    def slowly(operation: str, _: Any) -> Any:
        clock.now = NOON + 6_000
        return refusal(HOT_TABLE) if operation == "BatchWriteItem" else None

    with answered(table.client, slowly):
        post()
    assert history(table) == [(EARLIEST, 1), (NOON + 16_000, 2)]


def test_one_message_of_a_batch_is_enough(table: Table) -> None:
    """Of a batch that is stored in part the answer gives no reason; of what is left, sent alone, it does."""

    def but_one(operation: str, request: Any) -> Any:
        if operation != "BatchWriteItem":
            return None
        (name,) = request["RequestItems"]
        writes = request["RequestItems"][name]
        return {"UnprocessedItems": {name: writes[:1]}} if len(writes) > 1 else refusal(HOT_TABLE)

    with answered(table.client, but_one):
        assert post({"text": "a"}, {"text": "b"}).status == 503
    assert history(table) == [(EARLIEST, 1), (SOON, 2)]


def test_a_repetition_that_comes_through_widens_nothing(table: Table) -> None:
    """Only what can be seen counts: of requests that the SDK repeated with success nobody tells the reason."""
    answers = iter([refusal(HOT_TABLE)])
    with answered(table.client, lambda operation, _: next(answers, None) if operation == "BatchWriteItem" else None):
        assert post().status == 202
    assert history(table) == [(EARLIEST, 1)]


def test_two_requests_that_are_throttled_at_the_same_time_widen_once(table: Table, clock: Clock) -> None:
    """The second one runs from its beginning to its end while the first one's messages are on the way."""
    create(table, (EARLIEST, 4))
    inner: list[Answer] = []

    def meet(operation: str, _: Any) -> Any:
        if operation != "BatchWriteItem":
            return None
        if not inner:
            inner.append(Answer(0, {}, None))
            inner.append(post())
        return refusal(HOT_TABLE)

    with answered(table.client, meet):
        outer = post()
    assert (outer.status, inner[1].status) == (503, 503)
    assert history(table) == [(EARLIEST, 4), (SOON, 8)]


@pytest.mark.parametrize(("shards", "then"), [(32, 64), (48, 64), (63, 64), (MAX_SHARDS, None)])
def test_a_room_never_has_more_than_64_shards(table: Table, shards: int, then: int | None) -> None:
    create(table, (EARLIEST, shards))
    with throttling(table.client, "BatchWriteItem"):
        assert post().status == 503
    assert history(table) == [(EARLIEST, shards)] + ([(SOON, then)] if then else [])


@pytest.mark.parametrize(
    ("since", "widens"),
    [
        (NOON + 10_000, False),  # not in force yet
        (NOON, False),
        (NOON - 59_999, False),
        (NOON - 60_000, True),
    ],
)
def test_a_room_waits_a_minute_to_see_what_the_last_widening_brings(table: Table, since: int, widens: bool) -> None:
    create(table, (EARLIEST, 1), (since, 2))
    with throttling(table.client, "BatchWriteItem"):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 1), (since, 2)] + ([(SOON, 4)] if widens else [])
    assert COOL_DOWN == 60 * SECOND


OTHER_REASONS = [
    "TableWriteProvisionedThroughputExceeded",
    "TableWriteAccountLimitExceeded",
    "TableWriteMaxOnDemandThroughputExceeded",
    "TableReadKeyRangeThroughputExceeded",
    "IndexWriteProvisionedThroughputExceeded",
    "IndexWriteAccountLimitExceeded",
    "IndexWriteMaxOnDemandThroughputExceeded",
    "IndexReadKeyRangeThroughputExceeded",
]


@pytest.mark.parametrize("reason", OTHER_REASONS)
def test_limits_that_more_shards_do_not_lift_widen_nothing(table: Table, reason: str) -> None:
    create(table, (EARLIEST, 1))
    with throttling(table.client, "BatchWriteItem", reason=reason):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 1)]


OLD = {"text": "old", "user": "bob", "sent_at": "2011-07-09T13:00:00Z"}
NOT_BY: dict[str, tuple[str, Callable[[], Answer]]] = {
    "the room's own item, read": ("GetItem", post),
    "guards of message ids": ("PutItem", lambda: post({"text": "a", "message_id": "m1"})),
    "imported messages": ("BatchWriteItem", lambda: post(OLD, client=IMPORTER)),
    "messages read": ("Query", lambda: AMY.call("GET /rooms/{room}/messages", room="seattle")),
    "setting up": (
        "PutItem",
        lambda: Client("a", ("admin",)).call("PUT /rooms/{room}", None, {"shards": 2}, room="seattle"),
    ),
}


@pytest.mark.parametrize(("operation", "call"), NOT_BY.values(), ids=NOT_BY.keys())
def test_a_room_is_never_widened_by_throttled(table: Table, operation: str, call: Callable[[], Answer]) -> None:
    create(table, (EARLIEST, 1))
    with throttling(table.client, operation):
        assert call().status == 503
    assert history(table) == [(EARLIEST, 1)]


def test_a_room_is_never_widened_by_its_own_creation(table: Table) -> None:
    with throttling(table.client, "PutItem"):
        assert post().status == 503
    assert history(table) == []


def test_nor_by_a_message_sent_again(table: Table, clock: Clock) -> None:
    """Its shard is decided by when it was sent first."""
    post({"text": "a", "message_id": "m1"})
    clock.now += 1
    with answered(table.client, named_messages):
        assert post({"text": "a", "message_id": "m1"}).status == 503
    assert history(table) == [(EARLIEST, 1)]


def test_a_new_message_with_an_id_widens_it_as_any_other(table: Table) -> None:
    create(table, (EARLIEST, 1))
    with answered(table.client, named_messages):
        assert post({"text": "a", "message_id": "m1"}).status == 503
    assert history(table) == [(EARLIEST, 1), (SOON, 2)]


def test_old_messages_do_not_keep_new_ones_from_widening(table: Table) -> None:
    """An importer may send both in one request; only the write of the new ones is throttled here."""

    def new_ones(operation: str, request: Any) -> Any:
        return refusal(HOT_TABLE) if operation == "BatchWriteItem" and "2018-08-29" in str(request) else None

    with answered(table.client, new_ones):
        assert post(OLD, {"text": "new"}, client=IMPORTER).status == 503
    assert history(table) == [(EARLIEST, 1), (SOON, 2)]


def test_a_widening_that_is_throttled_itself_is_left_to_the_next_request(table: Table) -> None:
    create(table, (EARLIEST, 1))
    with throttling(table.client, "BatchWriteItem", "PutItem"):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 1)]
    with throttling(table.client, "BatchWriteItem"):
        assert post().status == 503
    assert history(table) == [(EARLIEST, 1), (SOON, 2)]


def test_after_the_widening_new_messages_are_spread_and_old_ones_land_on_their_first_copies(
    table: Table, clock: Clock
) -> None:
    messages = [{"text": str(number), "message_id": f"m{number}"} for number in range(20)]
    with answered(table.client, named_messages):
        post(*messages)  # their instants are taken, though none is stored
    clock.now = SOON
    partitions: list[str] = []

    def watch(operation: str, request: Any) -> None:
        if is_message(operation, request):
            partitions.append(request["Item"]["PK"]["S"])

    with answered(table.client, watch):
        post(*messages)
        assert set(partitions) == {"CHAT#seattle-1"}
        partitions.clear()
        post(*({"text": str(number), "message_id": f"m{number}"} for number in range(20, 40)))
    assert set(partitions) == {"CHAT#seattle-1", "CHAT#seattle-2"}
    clock.now += 100_000
    post(*messages)
    found = AMY.call("GET /rooms/{room}/messages", room="seattle").body["messages"]
    assert sorted(int(message["text"]) for message in found) == list(range(40))


def test_a_widening_is_counted_and_logged(
    table: Table, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with throttling(table.client, "BatchWriteItem"):
        post()
    lines = capsys.readouterr().out.splitlines()
    assert any('"Widened":[1.0]' in line for line in lines)
    assert "widened" in caplog.messages


class TestTime:
    """Of the ten seconds that a request may take, requests to the table may be begun for seven."""

    @pytest.fixture(autouse=True)
    def monotonic(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A clock of this test's own, in seconds."""
        self.passed = 0.0
        for module in (table_module, throttling_module):
            monkeypatch.setattr(module, "monotonic", lambda: self.passed)

    def taking(self, seconds: float, operation: str, body: Any = None) -> Callable[[str, Any], Any]:
        def decide(sent: str, _: Any) -> Any:
            if sent != operation:
                return None
            self.passed += seconds
            return body

        return decide

    @pytest.mark.parametrize(("seconds", "status"), [(6.9, 202), (7.1, 503)])
    def test_a_slow_table_is_given_up_in_time(self, table: Table, seconds: float, status: int) -> None:
        create(table, (EARLIEST, 1))
        with answered(table.client, self.taking(seconds, "GetItem")):
            assert post().status == status
        assert history(Table(table.name, table.client)) == [(EARLIEST, 1)]

    def test_some_is_left_for_the_widening(self, table: Table) -> None:
        with answered(table.client, self.taking(8, "BatchWriteItem", refusal(HOT_TABLE))):
            assert post().status == 503
        assert history(Table(table.name, table.client)) == [(EARLIEST, 1), (SOON, 2)]

    def test_every_request_and_every_batch_from_the_queue_has_time_of_its_own(self, table: Table) -> None:
        assert post().status == 202
        self.passed += 1000
        assert post().status == 202
        self.passed += 1000
        assert failed(deliver(batch({"events": [event("1")]}))) == []
