"""What the world outside is told: through the second reader, the queue, and the bus, also while they fail."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError, EndpointConnectionError

from delivery import Source, make_record
from edgewise.aggregates.catalog import DeclarationError
from functions.catalog import OUTLETS
from functions.handlers import cascade, outlet
from functions.outlet.bus import Bus
from functions.outlet.entities import Outlets
from functions.outlet.events import MOST_BYTES, events
from functions.outlet.queue import EventQueue, NotQueuedError
from functions.systems.billing.entity import Invoice
from functions.systems.billing.items import INVOICE
from functions.systems.orders.entity import Order
from functions.systems.orders.items import ORDER
from tests.support.http import Client, Context

AT = 1_535_544_060_000
PLACED = Order("ann", "o#1", AT, Decimal("10.50"))
UNAVAILABLE = ClientError({"Error": {"Code": "ServiceUnavailable", "Message": "later"}}, "PutEvents")
Fails = Callable[[int], bool]


class Aws:
    """SQS and EventBridge. `fails`: which of a request's messages or events are refused, by their position."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        self.bus: list[dict[str, str]] = []
        self.requests: list[int] = []
        self.fails: Fails = lambda _: False
        self.down: Exception | None = None

    def send_message_batch(self, *, QueueUrl: str, Entries: list[Any]) -> Any:
        assert QueueUrl == "queue"
        self._asked(len(Entries))
        failed = [each for each in Entries if self.fails(int(each["Id"]))]
        self.waiting += [each["MessageBody"] for each in Entries if each not in failed]
        return {"Failed": [{"Id": each["Id"], "Code": "InternalError"} for each in failed]} if failed else {}

    def put_events(self, *, Entries: list[Any]) -> Any:
        self._asked(len(Entries))
        failed = [self.fails(position) for position in range(len(Entries))]
        self.bus += [each for each, refused in zip(Entries, failed, strict=True) if not refused]
        answers = ({"ErrorCode": "ThrottlingException"} if refused else {"EventId": "e"} for refused in failed)
        return {"FailedEntryCount": sum(failed), "Entries": list(answers)}

    def _asked(self, entries: int) -> None:
        self.requests.append(entries)
        if self.down:
            raise self.down

    def deliver(self) -> None:
        """Lambda gets ten messages; those that it does not name are deleted."""
        batch = self.waiting[:10]
        left = to_bus(batch)
        self.waiting = [*self.waiting[len(batch) :], *(batch[position] for position in left)]

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(each["Detail"], parse_float=Decimal) for each in self.bus]


def to_bus(bodies: Sequence[str]) -> list[int]:
    """The positions of the messages that come again."""
    records = [{"messageId": f"m{n}", "body": body} for n, body in enumerate(bodies)]
    handler: Any = outlet.handler
    answer = handler({"Records": records}, Context())
    return [int(each["itemIdentifier"].removeprefix("m")) for each in answer["batchItemFailures"]]


@pytest.fixture
def aws(monkeypatch: pytest.MonkeyPatch) -> Aws:
    made = Aws()
    monkeypatch.setattr("edgewise.aws.client", lambda *_: made)
    monkeypatch.setattr(cascade, "outlet", lambda: EventQueue("queue"))
    monkeypatch.setattr(cascade, "settings", lambda: SimpleNamespace(outlet="order,invoice"))
    monkeypatch.setattr(outlet, "bus", lambda: Bus("edgewise-dev"))
    return made


def record(old: Any, new: Any, sequence: int = 1) -> Any:
    return make_record(Source(), old, new, sequence, AT / 1000).form


def told(*records: Any, of: tuple[str, ...] = ("order", "invoice")) -> list[Any]:
    return [json.loads(each, parse_float=Decimal) for each in events(OUTLETS, of, records)]


def test_a_change_is_told_with_what_it_has_made(aws: Aws, drain: Callable[[], None]) -> None:
    """Instants and amounts as the API writes them."""
    customer = Client("clerk", ("write",))
    body = {"order_id": "o#1", "opened_at": "2018-08-29T12:01:00Z", "amount": 10.5}
    assert customer.call("POST /customers/{customer}/orders", None, body, customer="ann").status == 201
    drain()
    aws.deliver()
    (entry,) = aws.bus
    assert (entry["Source"], entry["DetailType"], entry["EventBusName"]) == ("edgewise", "order", "edgewise-dev")
    (event,) = aws.told
    assert len(event.pop("id")) == 32
    assert event.pop("at").startswith("2018-08-29T12:0")
    item = {"customer": "ann", "id": "o#1", "opened_at": "2018-08-29T12:01:00.000Z", "amount": Decimal("10.5")}
    assert event == {
        "entity": "order",
        "change": "created",
        "key": {"customer": "ann", "id": "o#1"},
        "item": {**item, "shipped_at": None},
    }


def test_what_is_changed_or_removed_is_told_as_such() -> None:
    placed, shipped = ORDER.encode(PLACED), ORDER.encode(PLACED.shipped(AT + 5))
    changed, removed = told(record(placed, shipped), record(shipped, None, 2))
    assert (changed["change"], changed["item"]["shipped_at"]) == ("changed", "2018-08-29T12:01:00.005Z")
    assert (removed["change"], removed["item"], "omitted" in removed) == ("removed", None, False)
    assert changed["key"] == removed["key"] == {"customer": "ann", "id": "o#1"}
    assert changed["id"] != removed["id"]


def test_a_record_that_comes_twice_has_one_id() -> None:
    first, again = told(*(record(None, ORDER.encode(PLACED)) for _ in range(2)))
    assert first == again


def test_what_changes_nothing_of_an_entity_is_not_told() -> None:
    """Such as its shard of a list."""
    before, after = ORDER.encode(PLACED, 0), ORDER.encode(PLACED, 5)
    assert before != after
    assert told(record(before, after)) == []


def test_what_the_stage_does_not_name_is_not_told() -> None:
    records = [record(None, ORDER.encode(PLACED)), record(None, INVOICE.encode(Invoice("i", version=1)), 2)]
    assert [each["entity"] for each in told(*records, of=("invoice",))] == ["invoice"]
    assert told({"eventID": "1", "dynamodb": {"NewImage": {"Type": {"S": "EVENT"}}}}) == []


def test_what_is_too_large_for_a_bus_or_its_targets_is_told_without_its_contents() -> None:
    fitting, *large = (Invoice("i", note="ä" * length, version=1) for length in (39_000, 41_000, 65_000))
    found = events(OUTLETS, ("invoice",), [record(None, INVOICE.encode(each)) for each in (fitting, *large)])
    assert all(len(each) <= MOST_BYTES for each in found)
    assert [json.loads(each).get("omitted") for each in found] == [None, "too large", "too large"]
    assert json.loads(found[1])["key"] == {"id": "i"}


def test_what_can_not_be_understood_is_told_without_its_contents() -> None:
    unclear = ORDER.encode(PLACED) | {"Data": {"S": "?"}}
    (event,) = told(record(None, unclear))
    assert (event["omitted"], event["item"], event["key"]) == ("unclear", None, {"customer": "ann", "id": "o#1"})


@pytest.mark.parametrize("spoilt", [{}, {"PK": {"S": "CUSTOMER"}}, {"PK": {"N": "1"}}])
def test_what_has_no_key_is_not_told_and_holds_nothing_up(spoilt: dict[str, Any]) -> None:
    good = record(None, ORDER.encode(PLACED))
    bad = {"dynamodb": {"NewImage": {**ORDER.encode(PLACED), **spoilt}}} if spoilt else {}
    assert len(told(bad, good)) == 1


def test_two_outlets_have_two_names_and_types() -> None:
    for other in ({"order": INVOICE}, {"purchase": ORDER}):
        with pytest.raises(DeclarationError):
            Outlets([{"order": ORDER}, other])


def test_without_an_outlet_nothing_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cascade, "outlet", lambda: None)
    monkeypatch.setattr(cascade, "settings", lambda: pytest.fail("nobody asks"))
    assert cascade.tell_outside([record(None, ORDER.encode(PLACED))]) == 0


def orders(count: int, note: int = 0) -> list[Any]:
    made = (Invoice(f"i{n}", note="x" * note, version=1) for n in range(count))
    return [record(None, INVOICE.encode(each), n) for n, each in enumerate(made)]


@pytest.mark.parametrize(("count", "note", "requests"), [(25, 0, [10, 10, 5]), (4, 100_000, [2, 2])])
def test_requests_have_ten_messages_of_a_quarter_of_a_megabyte_at_most(
    aws: Aws, count: int, note: int, requests: list[int]
) -> None:
    cascade.tell_outside(orders(count, note))
    assert aws.requests == requests
    aws.requests.clear()
    assert to_bus(aws.waiting) == []
    assert aws.requests == requests


@pytest.mark.parametrize("down", [UNAVAILABLE, None])
def test_what_the_queue_does_not_take_comes_again_with_its_batch(aws: Aws, down: Exception | None) -> None:
    aws.down, aws.fails = down, lambda position: position == 1
    with pytest.raises((ClientError, NotQueuedError)):
        cascade.tell_outside(orders(3))
    aws.down, aws.fails = None, lambda _: False
    assert cascade.tell_outside(orders(3)) == 3
    assert {json.loads(each)["key"]["id"] for each in aws.waiting} == {"i0", "i1", "i2"}


def test_only_what_the_bus_refuses_comes_again(aws: Aws) -> None:
    cascade.tell_outside(orders(12))
    aws.fails = lambda position: position == 1
    assert to_bus(aws.waiting) == [1, 11]
    assert [each["key"]["id"] for each in aws.told] == [f"i{n}" for n in range(12) if n not in (1, 11)]


@pytest.mark.parametrize("down", [UNAVAILABLE, EndpointConnectionError(endpoint_url="events")])
def test_while_there_is_no_bus_all_come_again(aws: Aws, down: Exception) -> None:
    cascade.tell_outside(orders(3))
    aws.down = down
    assert to_bus(aws.waiting) == [0, 1, 2]


@pytest.mark.parametrize("poison", ["", "?", "[]", "{}"])
def test_a_message_that_is_no_event_comes_again_alone_until_it_is_set_aside(aws: Aws, poison: str) -> None:
    cascade.tell_outside(orders(2))
    assert to_bus([aws.waiting[0], poison, aws.waiting[1]]) == [1]
    assert len(aws.bus) == 2


@pytest.mark.parametrize("seed", range(5))
def test_whatever_fails_each_change_is_told_and_by_its_id_once(aws: Aws, seed: int) -> None:
    """The stream delivers batches again, the queue and the bus take some and refuse others, until all is through."""
    random = Random(seed)
    aws.fails = lambda _: random.random() < 0.3
    placed = [replace(PLACED, id=f"o{n}") for n in range(40)]
    items = [(ORDER.encode(each), ORDER.encode(each.shipped(AT + 1))) for each in placed]
    changes = [record(None, placed, 2 * n) for n, (placed, _) in enumerate(items)]
    changes += [record(placed, shipped, 2 * n + 1) for n, (placed, shipped) in enumerate(items)]
    for start in range(0, len(changes), 8):
        done = False
        while not done:
            try:
                cascade.tell_outside(changes[start : start + 8])
                done = random.random() < 0.8
            except NotQueuedError:
                pass
    while aws.waiting:
        aws.deliver()
    by_id = {each["id"]: each for each in aws.told}
    assert len(aws.told) > len(changes)
    found = sorted((each["key"]["id"], each["change"]) for each in by_id.values())
    assert found == sorted((each.id, change) for each in placed for change in ("created", "changed"))
