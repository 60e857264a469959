"""The proof over HTTP: who may, what is asked for, what is watched, and what is refused."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest

from delivery import KilledError
from edgewise import clock
from edgewise.dynamodb.attributes import string
from edgewise.freshness.known import Known
from functions.cursors import MAX_LENGTH
from functions.faults.breaking import BreakableTable
from functions.handlers import breakable_aggregator, edge_aggregator
from functions.systems.proof import replaying, store
from functions.systems.proof.entity import BROKEN, MISDELIVERED, MOST_FAULTS, Covered
from functions.systems.proof.looking import Left
from functions.systems.proof.verdict import Base, Course, Recount, Stored
from functions.web import runtime
from tests.support.http import Answer, Client
from tests.support.streams import StreamedTable

pytestmark = pytest.mark.usefixtures("handlers")

ADMIN, WRITER = Client("operator", ("admin",)), Client("app", ("write", "ingest", "import"))
LOOK, WATCH, ASK = "GET /proof", "PUT /proof/watch", "POST /proof/faults"
RUN = "GET /proof/run"
KIM = {"kind": "CUSTOMER", "dimensions": ["kim"], "cell": "Orders"}


@pytest.fixture(autouse=True)
def delivery(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELIVERY", "local")


def order(number: int) -> None:
    body = {"order_id": f"{number}", "amount": 5, "opened_at": f"2018-08-29T11:00:0{number}Z"}
    assert WRITER.call("POST /customers/{customer}/orders", body=body, customer="kim").status == 201


def look(cursor: str | None = None) -> Any:
    answer = ADMIN.call(LOOK, {"cursor": cursor} if cursor else {})
    assert answer.status == 200, answer.body
    return answer.body


def watch(*numbers: Any, plain: bool = True) -> Answer:
    return ADMIN.call(WATCH, body={"numbers": list(numbers), "plain": plain})


@pytest.mark.parametrize("client", [WRITER, Client("amy")])
@pytest.mark.parametrize(
    ("route", "body"), [(LOOK, None), (WATCH, {"numbers": [KIM], "plain": True}), (ASK, {"kind": "kill"}), (RUN, None)]
)
def test_only_administrators_may(client: Client, route: str, body: Any) -> None:
    answer = client.call(route, body=body)
    assert (answer.status, answer.body["group"]) == (403, "admin")


def test_where_nobody_watches_nothing_is_claimed() -> None:
    body = look()
    assert (body["verdict"], body["numbers"], body["cursor"], body["watch"]) == ("unwatched", [], None, None)
    assert body["kinds"] == [*BROKEN, *MISDELIVERED]
    assert {"PLACE", "CUSTOMER", "ROOM", "DEVICE"} <= set(body["watchable"])
    assert "ROLLUP_HOUR" not in body["watchable"], "checkpoints alone do not say what is in it"


def test_on_aws_nobody_can_ask_who_delivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DELIVERY", "lambda")
    assert look()["kinds"] == list(BROKEN)
    answer = ADMIN.call(ASK, body={"kind": "split"})
    assert answer.status == 400
    assert answer.body["errors"] == [{"field": "kind", "error": f"must be one of {', '.join(BROKEN)}"}]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"numbers": [], "plain": True}, "numbers"),
        ({"numbers": [KIM] * 21, "plain": True}, "numbers"),
        ({"numbers": [{**KIM, "kind": "ROLLUP_HOUR"}], "plain": True}, "numbers.0.kind"),
        ({"numbers": [{**KIM, "dimensions": []}], "plain": True}, "dimensions"),
        ({"numbers": [KIM]}, "plain"),
    ],
)
def test_what_can_not_be_watched_is_named(body: Any, field: str) -> None:
    answer = ADMIN.call(WATCH, body=body)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == field


def test_without_a_plain_add_there_is_none_to_show() -> None:
    watch(KIM, plain=False)
    assert [each["plain"] for each in look()["numbers"]] == [None]


def test_a_watch_goes_on_as_long_as_the_same_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    first = watch(KIM).body["watch"]
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 20_000)
    again = watch(KIM).body["watch"]
    assert (again["id"], again["since"]) == (first["id"], first["since"])
    assert again["until"] > first["until"]
    assert watch(KIM, plain=False).body["watch"]["id"] != first["id"]
    monkeypatch.setattr(clock, "now", lambda: now + 60_000)
    assert look()["verdict"] == "unwatched", "nobody watches any more"


def test_faults_wait_and_only_so_many() -> None:
    for _ in range(MOST_FAULTS):
        assert ADMIN.call(ASK, body={"kind": "kill"}).status == 202
    refused = ADMIN.call(ASK, body={"kind": "kill"})
    assert (refused.status, refused.body["errors"][0]["field"]) == (400, "kind")
    assert [each["kind"] for each in look()["asked"]] == ["kill"] * MOST_FAULTS


def test_what_slows_begins_at_once() -> None:
    assert ADMIN.call(ASK, body={"kind": "slow"}).status == 202
    body = look()
    assert body["slow_until"] > body["at"]
    assert [each["what"] for each in body["done"]] == ["each write waits, for 10 seconds"]
    assert body["asked"] == []


class Breakable(BreakableTable, StreamedTable):
    """As the test's table; a process dies as in the simulator."""

    def die(self) -> object:
        raise KilledError


@pytest.fixture
def broken(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The consumer is the one that may be broken."""
    table.__class__ = Breakable
    monkeypatch.setattr(breakable_aggregator, "table", lambda: table)
    monkeypatch.setattr(edge_aggregator, "handler", breakable_aggregator.handler)
    edge_aggregator.teller.cache_clear()
    yield
    edge_aggregator.teller.cache_clear()


def test_a_number_is_compared_and_a_plain_add_drifts(
    table: StreamedTable, drain: Callable[[], None], broken: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    order(0)
    watch(KIM)
    body = look()
    assert (body["verdict"], body["numbers"][0]["verdict"]) == ("begins", "begins")
    assert body["why"].startswith("what came before the watch must be counted first")
    drain()
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 2_000)
    monkeypatch.setattr(Known, "as_of", lambda *_: now + 1_500)
    body = look(body["cursor"])
    assert body["verdict"] == "compared"
    assert (body["numbers"][0]["stored"], body["numbers"][0]["verdict"]) == (1, "equal")

    ADMIN.call(ASK, body={"kind": "lose answer"})
    order(1)
    delivered = {shard: list(records) for shard, records in table.shards.items()}
    with pytest.raises(KilledError):
        drain()
    for shard, records in delivered.items():
        table.shards[shard][:] = records
    drain()
    monkeypatch.setattr(clock, "now", lambda: now + 4_000)
    body = look(body["cursor"])
    assert [each["what"] for each in body["done"]] == ["killed after one write, before its answer"]
    (kim,) = body["numbers"]
    assert (kim["stored"], kim["expected"], kim["difference"], kim["verdict"]) == (2, 2, 0, "equal")
    assert kim["plain"] == {"added": 3, "drift": 1}, "the second order came again"


def test_a_cursor_of_another_release_is_refused() -> None:
    cursor = runtime.cursors().encode({"route": "proof"}, {"left": "[]"})
    assert cursor
    answer = ADMIN.call(LOOK, {"cursor": cursor})
    assert answer.status == 400, answer.body
    assert answer.body["errors"][0]["field"] == "cursor"
    assert store.asked(runtime.table()).watch is None


def test_a_cursor_of_twenty_numbers_and_eight_shards_fits_into_an_address() -> None:
    random = Random(1)
    shards = [f"{random.randrange(10**19, 10**20)}-{random.randrange(16**7, 16**8):x}" for _ in range(8)]
    bases = [
        Base(Stored(number, {shard: Covered(random.randrange(10**27)) for shard in shards}), 0) for number in range(20)
    ]
    courses = {shard: Course(random.randrange(10**27), 1_800_000_000_000) for shard in shards}
    left = Left(
        "0a1b2c3d", Recount(tuple(bases), dict.fromkeys(range(20), 1000), courses), 1_800_000_000_000, (1,) * 20
    )
    assert Left.of(left.text) == left
    cursor = runtime.cursors().encode({"route": "proof"}, {"left": left.text})
    assert cursor
    assert len(cursor) < MAX_LENGTH, len(cursor)


def run(query: dict[str, str], client: Client = ADMIN) -> Answer:
    return client.call(RUN, query)


@pytest.mark.parametrize(
    ("query", "field", "says"),
    [
        ({}, "seed", "required"),
        ({"seed": "-1"}, "seed", "greater than or equal to 0"),
        ({"seed": "forty"}, "seed", "valid integer"),
        ({"seed": "1", "script": "12z"}, "script", "'12z' must be a second and one of k (kill), a (lose answer)"),
        ({"seed": "1", "script": "12k,"}, "script", "'' must be a second"),
        ({"seed": "1", "script": "181k"}, "script", "'181k' is too late: a run has 180 seconds"),
        ({"seed": "1", "script": ",".join(["1k"] * 61)}, "script", "has 61 clicks: at most 60"),
        ({"seed": "1", "script": "1k" * 500}, "script", "'1k1k1k1k1k1k' must be a second"),
        ({"seed": "1", "at": "12"}, "at", "is not a parameter of this route"),
    ],
)
def test_what_is_no_run_is_named(query: dict[str, str], field: str, says: str) -> None:
    answer = run(query)
    assert answer.status == 400
    assert answer.body["errors"][0]["field"] == field
    assert says in answer.body["errors"][0]["error"]


def test_a_run_is_answered_touches_no_table_and_is_paid_for(
    table: StreamedTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "TABLE_NAME"):
        monkeypatch.setenv(name, "ours")
    assert not {name for name in replaying.environment() if name.startswith(("AWS", "TABLE"))}
    answer = run({"seed": "41", "script": "12k"})
    assert answer.status == 200, answer.body
    assert (answer.body["seed"], answer.body["script"]) == (41, "12k")
    assert {end["verdict"] for end in answer.body["ends"]} == {"equal"}
    assert answer.headers["x-caused-units"] == "100"
    assert {string(item["Type"]) for item in table.all_items()} <= {"RATE"}


def test_a_run_that_takes_too_long_can_be_asked_for_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "PATIENCE_SECONDS", 0.001)
    answer = run({"seed": "41"})
    assert (answer.status, answer.headers["Retry-After"]) == (503, "10")
