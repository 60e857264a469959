"""A device with more metrics than fit into one item: all are stored, all are answered, as for any other device."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from edgewise.aggregates.continuations import declaration
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Page, Query
from functions.handlers import edge_aggregator
from functions.web import runtime
from tests.support.http import Answer, Client, Context
from tests.support.streams import StreamedMemory, window_event

pytestmark = pytest.mark.usefixtures("handlers")

DEVICE, READER = Client(groups=("ingest",)), Client()
METRICS = [f"metric-{number:03d}" for number in range(900)]
NOON, LATER = "2018-08-29T12:00:00.000Z", "2018-08-29T13:30:00.000Z"
SHARD = "shard-0"


class Watched(StreamedMemory):
    """In memory, for hundreds of metrics are asked for. Remembers how many items each read names; a query: 1."""

    def __init__(self) -> None:
        super().__init__()
        self.reads: list[int] = []

    def query(self, query: Query) -> Page:
        self.reads.append(1)
        return super().query(query)

    def get_many(self, wanted: Sequence[Key], *, consistent: bool = False) -> dict[Key, Item]:
        self.reads.append(len(wanted))
        return super().get_many(wanted, consistent=consistent)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Watched:
    table = Watched()
    monkeypatch.setattr(runtime, "table", lambda: table)
    monkeypatch.setattr(edge_aggregator, "table", lambda: table)
    return table


def value(metric: str, at: str) -> Decimal:
    return Decimal(f"{METRICS.index(metric)}.{5 if at == NOON else 25}")


def events(size: int, at: str) -> Iterator[dict[str, Any]]:
    """Events of so many metrics each, until every metric has been read once at this time."""
    for start in range(0, len(METRICS), size):
        metrics = {metric: float(value(metric, at)) for metric in METRICS[start : start + size]}
        yield {"device_id": "123", "at": at, "event_id": f"{start}", "metrics": metrics}


def post(size: int, a_post: int) -> None:
    sent = [*events(size, NOON), *events(size, LATER)]
    for start in range(0, len(sent), a_post):
        part = sent[start : start + a_post]
        answer = DEVICE.call("POST /telemetry", None, {"events": part})
        assert (answer.status, answer.body["accepted"], answer.body["rejected"]) == (202, len(part), [])


def absorb(table: Watched, random: Random) -> None:
    """Batches of any size, after each of which Lambda may go back to an earlier record."""
    records = table.shards[SHARD]  # to which the aggregates' own records come
    done = position = 0
    while position < len(records):
        size = random.randint(1, 12)
        edge_aggregator.handler(window_event(SHARD, records[position : position + size]), Context())
        done = max(done, position + size)
        position = done if random.random() < 0.6 else random.randint(max(0, done - 12), done)


def rollups(metric: str, grain: str) -> Answer:
    return READER.call("GET /devices/{device}/rollups", {"metric": metric, "grain": grain}, device="123")


def told(answer: Answer) -> list[tuple[str, int, Decimal, Decimal]]:
    return [(each["start"], each["count"], each["sum"], each["last"]) for each in answer.body["rollups"]]


def expected(metric: str, grain: str) -> list[tuple[str, int, Decimal, Decimal]]:
    first, last = value(metric, NOON), value(metric, LATER)
    if grain == "day":
        return [("2018-08-29T00:00:00.000Z", 2, first + last, last)]
    return [(NOON, 1, first, first), ("2018-08-29T13:00:00.000Z", 1, last, last)]


@pytest.mark.parametrize(("size", "a_post"), [(9, 9), (90, 90)])
def test_every_metric_is_answered_exactly(table: Watched, size: int, a_post: int) -> None:
    post(size, a_post)
    absorb(table, Random(size))
    wrong = [metric for metric in METRICS if told(rollups(metric, "day")) != expected(metric, "day")]
    assert wrong == []
    wrong = [metric for metric in METRICS[::7] if told(rollups(metric, "hour")) != expected(metric, "hour")]
    assert wrong == []


@pytest.mark.histories(3)
def test_so_it_is_however_little_fits(table: Watched, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Continuations of continuations."""
    monkeypatch.setattr(declaration, "ROOM", 2500)
    post(90, 5)
    absorb(table, Random(seed))
    assert max(len(sk.split("#")[1]) for _, sk in table.items if sk.startswith("CONTINUED#")) >= 2
    for metric in METRICS[::13]:
        for grain in ("hour", "day"):
            assert told(rollups(metric, grain)) == expected(metric, grain), (metric, grain)


def test_what_a_read_costs(table: Watched) -> None:
    """Two requests; one more where a block is full and does not have the metric, for each level that it is down."""

    def requests(metric: str, grain: str) -> list[int]:
        table.reads.clear()
        rollups(metric, grain)
        return list(table.reads)

    DEVICE.call("POST /telemetry", None, {"events": list(events(90, NOON))[:2]})
    absorb(table, Random(0))
    assert requests(METRICS[0], "day") == requests("no such", "hour") == [1, 1]
    table.shards[SHARD].clear()
    post(90, 5)
    absorb(table, Random(0))
    assert requests(METRICS[0], "day") == [1, 1]
    assert requests(METRICS[-1], "day") == requests("no such", "hour") == requests("no such", "day") == [1, 1, 1]


def test_a_page_of_full_blocks_costs_one_request_a_level(table: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(declaration, "ROOM", 2500)
    for day in range(1, 9):
        metrics = dict.fromkeys(METRICS[:40], 1)
        sent = {"device_id": "123", "at": f"2018-08-0{day}T12:00:00.000Z", "metrics": metrics}
        DEVICE.call("POST /telemetry", None, {"events": [sent]})
    absorb(table, Random(0))
    table.reads.clear()
    assert len(told(rollups(METRICS[39], "day"))) == 8
    assert table.reads == [1, 8, 1]
