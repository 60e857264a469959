"""Answers that show aggregates say until when they hold every change; and who has written something can wait for it."""

import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from importlib import import_module
from typing import Any
from unittest.mock import Mock, patch

import pytest

from edgewise.dynamodb.table import Table
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.freshness import heartbeats, known, shards
from edgewise.freshness.known import Known
from edgewise.freshness.shards import NO_PARENT, Heartbeat, Shards
from edgewise.stream.redrive import redrive
from edgewise.stream.register import register
from edgewise.times import SECOND, rfc_3339
from functions.catalog import CATALOG, FOLLOW_UPS, SYSTEMS, module_of
from functions.handlers import cascade, edge_aggregator
from functions.system import System
from functions.systems.billing import amounts
from functions.systems.billing import store as billing
from functions.systems.billing.entity import Bill, Invoice
from functions.systems.graph import store as graph
from functions.systems.graph.entity import NodeId
from functions.web import runtime
from tests.conftest import KNOWN
from tests.support.clocks import Clock
from tests.support.crashes import dying_at
from tests.support.http import Answer, Client, Context
from tests.support.streams import StreamedTable, window_event

pytestmark = pytest.mark.usefixtures("handlers")

AMY = Client("amy", groups=("write",))
Drain = Callable[[], None]


@pytest.fixture(autouse=True)
def freshness(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What functions know of the stream is what this table says; one shard has a heartbeat."""
    parents = {shard: NO_PARENT for shard in table.shards}
    # By what tests may set it again with: so all of it is undone in order.
    monkeypatch.setattr(known, "read", KNOWN)
    runtime.freshness.cache_clear()
    table.write(shards.replacing(Shards(1, parents, ("beat",))))
    yield
    runtime.freshness.cache_clear()


def beat(table: StreamedTable, clock: Clock) -> None:
    table.put_many([shards.heartbeat_item(Heartbeat("beat", clock.now))])


def put_order(order: str = "o1") -> Answer:
    return AMY.call("POST /customers/{customer}/orders", None, {"amount": 3, "order_id": order}, customer="c")


def numbers(query: dict[str, str] | None = None) -> Answer:
    return AMY.call("GET /customers/{customer}/orders", query, customer="c")


def settled(table: StreamedTable, clock: Clock, drain: Drain) -> None:
    """A heartbeat comes through the stream, a second ago."""
    clock.now += 5 * SECOND
    table.clock = clock.now / SECOND
    beat(table, clock)
    drain()
    clock.now += SECOND


def test_what_was_absorbed_is_said_with_its_instant(table: StreamedTable, clock: Clock, drain: Drain) -> None:
    put_order()
    settled(table, clock, drain)
    answer = numbers().body
    assert answer["as_of"] == rfc_3339(clock.now - SECOND - 1)
    assert ("behind" in answer, answer["summary"]["orders"]) == (False, 1)


def test_before_the_first_heartbeat_has_come_numbers_are_behind(clock: Clock) -> None:
    put_order()
    answer = numbers().body
    assert ("as_of" in answer, answer["behind"]) == (False, True)


def test_what_is_older_than_promised_is_behind(table: StreamedTable, clock: Clock, drain: Drain) -> None:
    put_order()
    settled(table, clock, drain)
    then = clock.now
    clock.now += 18 * SECOND
    assert "behind" not in numbers().body
    clock.now += 2 * SECOND
    answer = numbers().body
    assert (answer["behind"], answer["as_of"]) == (True, rfc_3339(then - SECOND - 1))


def test_environments_look_every_two_seconds_and_no_request_pays(
    table: StreamedTable, clock: Clock, drain: Drain
) -> None:
    settled(table, clock, drain)
    looks: list[Table] = []

    def look(found: Table) -> Known:
        looks.append(found)
        return KNOWN(found)

    with patch.object(known, "read", look):
        costs = {numbers().cost for _ in range(3)}
        assert (len(looks), costs) == (1, {(1, 1, 0)})
        clock.now += 2 * SECOND
        numbers()
    assert len(looks) == 2


class Passing:
    """In place of the pauses of a reader who waits: meanwhile time passes, and the stream is read."""

    def __init__(self, table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table, self.clock, self.drain, self.pauses, self.since = table, clock, drain, 0, 0.0
        monkeypatch.setattr(time, "sleep", self.sleep)
        monkeypatch.setattr(time, "monotonic", lambda: 1000 + self.since)

    def sleep(self, seconds: float) -> None:
        self.pauses += 1
        self.since += seconds
        self.clock.now += round(seconds * SECOND)
        self.table.clock = self.clock.now / SECOND
        self.drain()


def test_who_has_written_something_reads_it(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(table, clock, drain)
    written = put_order()
    passing = Passing(table, clock, drain, monkeypatch)
    answer = numbers({"after": written.headers["x-after"]}).body
    assert ("behind" in answer, answer["summary"]["orders"]) == (False, 1)
    assert answer["as_of"] >= written.headers["x-after"]
    assert passing.pauses == 2  # the first heartbeat was sent in the very instant of the write


def test_who_waits_in_vain_is_told(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(table, clock, drain)
    written = put_order()
    passing = Passing(table, clock, lambda: None, monkeypatch)
    answer = numbers({"after": written.headers["x-after"]})
    assert (answer.body["behind"], answer.body["summary"]) == (True, None)
    assert passing.since == 5
    # The read itself; and each second a heartbeat to the one shard, which is recorded here by another read, and a look.
    requests, _, writes = answer.cost
    assert (requests, writes) == (1 + 5 * (2 + 1), 5)


def test_whoever_waits_looks_eventually_consistently(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is read a little late says a little less, and costs half."""
    settled(table, clock, drain)
    written, looks = put_order(), list[bool]()

    def look(found: Table, *, consistent: bool = False) -> Known:
        looks.append(consistent or found.consistent)
        return KNOWN(found, consistent=consistent)

    Passing(table, clock, lambda: None, monkeypatch)
    monkeypatch.setattr(known, "read", look)
    numbers({"after": written.headers["x-after"]})
    assert looks == [False] * (1 + 5)  # the first one is for all requests


def refuse(*_: object, **__: object) -> None:
    raise ThrottledError(())


@pytest.mark.parametrize("busy", [(heartbeats, "beat_singly"), (known, "read")])
def test_no_request_fails_because_waiting_does(
    busy: tuple[object, str], table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(table, clock, drain)
    written = put_order()
    numbers()
    passing = Passing(table, clock, drain, monkeypatch)
    monkeypatch.setattr(*busy, refuse)
    answer = numbers({"after": written.headers["x-after"]})
    assert (answer.status, answer.body["behind"], passing.pauses <= 1) == (200, True, True)


def test_while_the_table_is_busy_what_was_known_is_said(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled(table, clock, drain)
    before = numbers().body["as_of"]
    monkeypatch.setattr(known, "read", refuse)
    clock.now += 3 * SECOND
    answer = numbers()
    assert (answer.status, answer.body["as_of"]) == (200, before)


def test_nobody_waits_for_heartbeats_of_very_many_shards(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each beat of 2,000 took longer than a request may, and the reader paid for it."""
    settled(table, clock, drain)
    names = tuple(f"name-{number}" for number in range(2000))
    table.write(shards.replacing(Shards(2, dict.fromkeys(table.shards, NO_PARENT), names)))
    written = put_order()
    passing = Passing(table, clock, drain, monkeypatch)
    clock.now += 3 * SECOND
    answer = numbers({"after": written.headers["x-after"]})
    assert (answer.body["behind"], answer.cost[2], passing.pauses) == (True, 0, 0)


def absorb(table: StreamedTable) -> list[Any]:
    """The consumer gets what the stream holds, and the cascade gets nothing; returns what that misses."""
    missed = list[Any]()
    for shard, records in table.shards.items():
        while records:
            batch, records[:] = list(records), []
            edge_aggregator.handler(window_event(shard, batch), Context())
            missed += batch
    return missed


def invoice(query: dict[str, str] | None = None) -> Any:
    return AMY.call("GET /invoices/{invoice}", query, invoice="i").body


def test_no_invoice_claims_an_amount_that_is_on_its_way(table: StreamedTable, clock: Clock, drain: Drain) -> None:
    billing.put_bill(table, Bill("b", Decimal(10)))
    billing.put_invoice(table, Invoice("i"))
    billing.put_billed(table, "i", "b")
    for _ in range(3):
        settled(table, clock, drain)
    assert (invoice()["summary"]["amount"], "behind" in invoice()) == (10, False)
    clock.now += 5 * SECOND
    table.clock = clock.now / SECOND
    changed = rfc_3339(clock.now)
    with dying_at(table, 1, answer_lost=True):
        billing.put_bill(table, Bill("b", Decimal(20)))
    missed = list[Any]()
    for _ in range(3):
        settled(table, clock, lambda: missed.extend(absorb(table)))
        assert (invoice()["summary"]["amount"], invoice()["as_of"] < changed) == (10, True)
    cascade.handler({"Records": missed}, Context())
    for _ in range(3):
        settled(table, clock, drain)
    assert (invoice()["summary"]["amount"], invoice()["as_of"] > changed) == (20, True)


def test_while_a_follow_up_is_set_aside_nothing_new_is_claimed(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    billing.put_bill(table, Bill("b", Decimal(10)))
    billing.put_invoice(table, Invoice("i"))
    billing.put_billed(table, "i", "b")
    for _ in range(3):
        settled(table, clock, drain)
    with dying_at(table, 1, answer_lost=True):
        billing.put_bill(table, Bill("b", Decimal(20)))
    changed = rfc_3339(clock.now)
    with monkeypatch.context() as failing:
        failing.setattr(amounts, "carry_step", Mock(side_effect=ValueError))
        for _ in range(3):
            settled(table, clock, drain)
    for _ in range(2):
        settled(table, clock, drain)
        assert (invoice()["summary"]["amount"], invoice()["as_of"] < changed) == (10, True)
    ((shard, (sequence,)),) = register(table).shards.items()
    redrive(table, FOLLOW_UPS, shard, sequence)
    for _ in range(3):
        settled(table, clock, drain)
    assert (invoice()["summary"]["amount"], invoice()["as_of"] > changed) == (20, True)


def test_while_a_record_is_set_aside_nothing_new_is_claimed(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows whose numbers lack it: so none say that they hold every change until later."""
    put_order("o1")
    settled(table, clock, drain)
    changed = rfc_3339(clock.now)
    with monkeypatch.context() as failing:
        failing.setitem(CATALOG.decoders, "ORDER", Mock(side_effect=ValueError))
        put_order("o2")
        settled(table, clock, drain)
        answer = numbers().body
        assert (answer["summary"]["orders"], answer["as_of"] < changed) == (1, True)
    put_order("o3")
    for _ in range(3):
        settled(table, clock, drain)
    answer = numbers().body
    assert (answer["summary"]["orders"], answer["as_of"] < changed, answer.get("behind")) == (2, True, True)
    ((shard, (sequence,)),) = register(table).shards.items()
    redrive(table, FOLLOW_UPS, shard, sequence)
    assert numbers().body["as_of"] < changed, "what it brings about is on its way"
    settled(table, clock, drain)
    answer = numbers().body
    assert (answer["summary"]["orders"], answer["as_of"] > changed) == (3, True)


@pytest.mark.parametrize(
    ("route", "names"),
    [
        ("GET /invoices/{invoice}", {"invoice": "i"}),
        ("GET /bills/{bill}", {"bill": "b"}),
        ("GET /awards/{award}", {"award": "gold"}),
        ("GET /graph/nodes/{type}/{id}", {"type": "service", "id": "s"}),
        ("GET /graph/nodes/{type}/{id}/edges", {"type": "service", "id": "s"}),
        ("GET /graph/nodes/{type}/{id}/aggregates", {"type": "service", "id": "s"}),
    ],
)
def test_all_that_follows_says_as_of_and_can_be_waited_for(
    route: str, names: dict[str, str], table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    billing.put_bill(table, Bill("b", Decimal(10)))
    billing.put_invoice(table, Invoice("i"))
    graph.put_node(table, NodeId("service", "s"), [], 1)
    for _ in range(6):
        settled(table, clock, drain)
    assert "as_of" in AMY.call(route, {}, None, **names).body
    Passing(table, clock, drain, monkeypatch)
    after = rfc_3339(clock.now)
    waited = AMY.call(route, {"after": after}, None, **names).body
    assert waited["as_of"] >= after or waited["behind"]


def test_an_aggregate_that_is_opened_says_as_of_by_the_way_to_its_kind(
    table: StreamedTable, clock: Clock, drain: Drain
) -> None:
    put_order()
    AMY.call("POST /rooms/{room}/messages", None, {"messages": [{"text": "hi"}]}, room="r")
    settled(table, clock, drain)
    of_customer, of_room = (
        AMY.call("GET /aggregates", {"kind": kind, "dimensions": f'["{name}"]'}).body
        for kind, name in (("CUSTOMER", "c"), ("ROOM", "r"))
    )
    assert (of_customer["as_of"], "behind" in of_customer) == (numbers().body["as_of"], False)
    assert ("as_of" in of_room, of_room["behind"]) == (False, True), "three hops take three heartbeats"


def test_nobody_waits_for_carriers(
    table: StreamedTable, clock: Clock, drain: Drain, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"messages": [{"text": "hi"}]}
    written = AMY.call("POST /rooms/{room}/messages", None, body, room="r")
    for _ in range(4):  # one for each hop
        settled(table, clock, drain)
    passing = Passing(table, clock, drain, monkeypatch)
    clock.now += 60 * SECOND
    later = rfc_3339(clock.now)
    assert AMY.call("GET /rooms/{room}", {"after": later}, room="r").body["behind"]
    assert "behind" not in AMY.call("GET /rooms/{room}", {"after": written.headers["x-after"]}, room="r").body
    assert passing.pauses == 0


def test_only_writes_that_succeed_say_what_to_wait_for() -> None:
    refused = AMY.call("POST /customers/{customer}/orders", None, {"amount": "x"}, customer="c")
    assert (put_order().headers["x-after"] > "2018", refused.status) == (True, 400)
    assert not any("x-after" in answer.headers for answer in (refused, numbers()))


@pytest.mark.parametrize("given", ["", "now", "2018-08-29", "2018-08-29T12:00:00"])
def test_what_is_no_instant_is_refused(given: str) -> None:
    answer = numbers({"after": given})
    assert (answer.status, answer.fields) == (400, ["after"])


def test_where_nothing_is_counted_there_is_nothing_to_wait_for() -> None:
    answer = AMY.call("GET /customers", {"after": "2018-08-29T12:00:00Z"})
    assert (answer.status, answer.fields) == (400, ["after"])


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda system: system.name)
def test_what_a_route_shows_its_function_may_read(system: System) -> None:
    for route in import_module(module_of(system.name)).app.served.values():
        assert set(route.shows) <= {*system.kinds, *system.shown}


def test_a_heartbeat_goes_to_every_name(table: StreamedTable) -> None:
    found = Known(Shards(1, {"a": NO_PARENT}, ("x", "y")))
    heartbeats.beat_singly(table, found)
    assert {item["PK"]["S"] for item in table.all_items()} == {"FRESHNESS", "HEARTBEAT#x", "HEARTBEAT#y"}
