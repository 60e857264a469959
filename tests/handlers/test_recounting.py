"""What callers see while extremes are recounted, how little each invocation reads for that, and that it ends."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest

from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts import reading as rereading
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.dynamodb.attributes import key_of
from functions.handlers import cascade, edge_aggregator
from functions.systems.chat import keys as chat_keys
from functions.systems.chat import messages
from functions.systems.chat.entity import Message
from functions.systems.games import keys as games_keys
from functions.systems.games import store as plays
from functions.systems.games.entity import Play
from functions.systems.graph import codec
from functions.systems.graph.entity import GraphEdge, Node, NodeId, State
from functions.systems.graph.states import told_by
from functions.systems.telemetry import keys as telemetry_keys
from functions.systems.telemetry.entity import Reading
from tests.support import readings as events
from tests.support.http import Client, Context
from tests.support.streams import StreamedTable, window_event

NOON = 1_535_544_000_000
READINGS, STEP = 40, 7
READER = Client(groups=("reader",))


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rereading, "ITEMS", 5)
    monkeypatch.setattr(going_on, "ITEMS", STEP)


def ask(route: str, query: dict[str, str] | None = None, **ids: str) -> Any:
    return READER.call(route, query, **ids).body


def reading(second: int, value: int) -> Reading:
    return Reading("d", NOON + second * 1000, f"e{second}", ("US",), {"t": Decimal(value)})


def records(table: StreamedTable) -> list[Any]:
    (shard,) = table.shards.values()
    batch, shard[:] = list(shard), []
    return batch


def absorb(table: StreamedTable) -> list[Any]:
    """Deliveries to the consumer until it has nothing more to write; gives the records of what it wrote."""
    batch, written = records(table), list[Any]()
    while batch:
        edge_aggregator.handler(window_event("shard-0", batch), Context())
        batch = records(table)
        written += batch
    return written


def rollup(grain: str) -> Any:
    query = {"metric": "t", "grain": grain}
    (found,) = ask("GET /devices/{device}/rollups", query, device="d")["rollups"]
    return found


@pytest.fixture
def overwritten(table: StreamedTable) -> list[Any]:
    """The highest of many readings of an hour is corrected; what the consumer wrote then is still in the stream."""
    events.write(table, [reading(second, second) for second in range(READINGS)])
    absorb(table)
    events.write(table, [reading(READINGS - 1, -1)])
    return absorb(table)


def test_while_extremes_are_recounted_the_rest_is_exact(overwritten: list[Any]) -> None:
    for grain in ("hour", "day"):
        found = rollup(grain)
        assert (found["count"], found["sum"]) == (READINGS, sum(range(READINGS - 1)) - 1)
        assert [found[name] for name in ("min", "max", "first", "last", "recounting")] == [None] * 4 + [True]


def test_the_stream_ends_it_without_any_further_change(table: StreamedTable, overwritten: list[Any]) -> None:
    batch, deliveries = overwritten, 0
    while batch := [each for each in batch if RECOUNTING in each["dynamodb"]["NewImage"]]:
        cascade.handler({"Records": batch}, Context())
        batch, deliveries = records(table), deliveries + 1
        assert deliveries < 3 * READINGS / STEP
    for grain in ("hour", "day"):
        found = rollup(grain)
        assert [found[name] for name in ("min", "max", "first", "last", "recounting")] == [-1, 38, 0, -1, False]


def test_a_day_is_known_with_its_hours_from_six_items(table: StreamedTable) -> None:
    """Not from its readings: also those count that time to live has removed."""
    events.write(table, [Reading("d", NOON + hour * 3_600_000, "e", (), {"t": Decimal(hour)}) for hour in range(8)])
    absorb(table)
    table.delete(telemetry_keys.EVENT("d", NOON, "e"), expired=True)
    absorb(table)
    events.write(table, [Reading("d", NOON + 7 * 3_600_000, "e", (), {"t": Decimal(-9)})])
    absorb(table)
    found = rollup("day")
    assert [found[name] for name in ("count", "min", "max", "first", "last")] == [8, -9, 6, 0, -9]


class Clock(Context):
    """So many looks at the clock, then the time is over."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def get_remaining_time_in_millis(self) -> int:
        self.looks -= 1
        return 300_000 if self.looks >= 0 else 0


def test_a_write_whose_recount_has_no_time_is_made_all_the_same(table: StreamedTable) -> None:
    events.write(table, [reading(second, second) for second in range(READINGS)])
    absorb(table)
    events.write(table, [reading(READINGS - 1, -1)])
    edge_aggregator.handler(window_event("shard-0", records(table)), Context())
    # Aggregates that the closing changes: the hour, whose recount is put off, then the day.
    edge_aggregator.handler(window_event("shard-0", records(table)), Clock(3))
    assert rollup("hour")["recounting"]


def test_a_player_whose_best_score_is_recounted_has_no_place(table: StreamedTable, drain: Callable[[], None]) -> None:
    for second in range(20):
        plays.create(table, Play("amy", "chess", NOON + second * 1000, second))
    plays.create(table, Play("bob", "chess", NOON, 5))
    drain()
    table.delete(games_keys.PLAY("amy", "chess", NOON + 19_000))
    edge = absorb(table)
    edge_aggregator.handler(window_event("shard-0", edge), Context())
    board = ask("GET /leaderboards/{game}", game="chess")
    assert ([entry["player"] for entry in board["top"]], board["recounting"]) == (["bob"], 1)
    assert board["summary"] == {"plays": 20, "players": 2}
    standing = ask("GET /leaderboards/{game}/players/{player}", game="chess", player="amy")
    assert (standing["rank"], standing["score"], standing["recounting"]) == (None, None, True)
    assert ask("GET /leaderboards/{game}/players/{player}", game="chess", player="bob")["rank"] == 1
    (amy,) = ask("GET /players/{player}/games", player="amy")["games"]
    assert (amy["plays"], amy["best"], amy["recounting"]) == (19, None, True)
    while edge:
        cascade.handler({"Records": edge}, Context())
        edge = records(table)
        edge_aggregator.handler(window_event("shard-0", edge), Context())
    assert ask("GET /leaderboards/{game}", game="chess")["recounting"] == 0
    assert ask("GET /leaderboards/{game}/players/{player}", game="chess", player="amy")["score"] == 18


def test_after_one_recount_the_next_extremes_are_known_without_another(table: StreamedTable) -> None:
    """Forty hosts run a service; that with the least load goes, and then the next, and the one with the greatest."""
    service, hosts = NodeId("service", "web"), [NodeId("host", f"h{number:02}") for number in range(40)]
    edges = [GraphEdge(host, "RUNS", service, Decimal(1)) for host in hosts]
    there = {host: Node(host, 1, State(1, "up", (("load", Decimal(load)),))) for load, host in enumerate(hosts)}
    table.put_many([told_by(there, item) for edge in edges for item in codec.edge_items(edge)])
    absorb(table)

    def load() -> Any:
        (found,) = ask("GET /graph/nodes/{type}/{id}/aggregates", type="service", id="web")["adjacent"]
        told = found["measures"]["load"]
        return told["count"], told["min"], told["max"]

    def without(number: int) -> list[Any]:
        mirror = codec.edge_items(edges[number])[1]
        table.delete(key_of(mirror))
        return absorb(table)

    left = without(0)
    assert load() == (39, None, None)
    while left := [each for each in left if RECOUNTING in each["dynamodb"]["NewImage"]]:
        cascade.handler({"Records": left}, Context())
        left = records(table)
    assert load() == (39, 1, 39)
    written = without(1) + without(39) + without(2)
    assert load() == (36, 3, 38)
    assert not any(RECOUNTING in each["dynamodb"]["NewImage"] for each in written)


def test_first_and_last_are_null_while_they_are_recounted(
    table: StreamedTable, drain: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    events.write(table, [reading(second, second) for second in range(5)])
    messages.write(table, [Message("r", 1, "amy", NOON + second, str(second), "hi") for second in range(5)])
    drain()
    monkeypatch.setattr(rereading, "ITEMS", 0)
    table.delete(telemetry_keys.EVENT("d", NOON, "e0"))
    table.delete(chat_keys.message("r", 1, "amy", NOON, "0"))
    absorb(table)
    device = ask("GET /devices/{device}", device="d")
    (room,) = ask("GET /users/{user}/rooms", user="amy")["rooms"]
    for found, counted in ((device["summary"], "events"), (device["places"][0], "events"), (room, "messages")):
        assert (found[counted], found["first"], found["last"], found["recounting"]) == (4, None, None, True)
