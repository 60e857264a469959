"""Too little time, or a table without capacity: a batch is finished in parts, in order; every try ends by itself."""

from collections.abc import Callable
from typing import Any

import boto3
import pytest

from delivery import Handler
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.schema import create_table_request
from edgewise.dynamodb.table import CONFIG, Table
from edgewise.dynamodb.throttling import ThrottledError
from edgewise.stream.invocation import RESERVE_MS
from edgewise.stream.register import register
from edgewise.stream.writer import WRITERS, UnfinishedError
from functions.handlers import edge_aggregator
from functions.replay.memory import MemoryTable
from functions.settings import NO_BATCH, ConsumerSettings
from infra.functions import FUNCTIONS
from tests.support.http import Context
from tests.support.streams import window_event
from tests.support.throttles import HOT_TABLE, answered, refusal

DEVICES, SHARD, PER_DELIVERY = 120, "0001-a", 50
ATTEMPTS = 4
Consume = Callable[[Table], Handler]


class Hourglass(Context):
    """An invocation whose time is out after so many looks at the clock: one before each write."""

    def __init__(self, looks: int) -> None:
        self.looks = looks

    def get_remaining_time_in_millis(self) -> int:
        self.looks -= 1
        return RESERVE_MS + (1 if self.looks >= 0 else 0)


def reading(device: int, sequence: int, metrics: Item) -> dict[str, Any]:
    item = {"PK": {"S": f"DEVICE#d{device}"}, "SK": {"S": f"EVENT#2018-08-29T12:00:00.000Z#{sequence}"}}
    change = {
        "ApproximateCreationDateTime": 1_535_544_000,
        "SequenceNumber": str(10**20 + sequence),
        "NewImage": item | {"Type": {"S": "EVENT"}} | metrics,
    }
    return {"eventID": str(sequence), "eventName": "INSERT", "dynamodb": change}


# Every device reports twice; one record in between can't be understood. Without metrics an event feeds one aggregate.
TWICE = [reading(number % DEVICES, number, {"Metrics": {"M": {}}}) for number in range(2 * DEVICES)]
RECORDS = [*TWICE[:DEVICES], reading(0, 2 * DEVICES, {}), *TWICE[DEVICES:]]
RECORDS[DEVICES]["dynamodb"]["SequenceNumber"] = str(10**20 + DEVICES) + "5"


def counts(items: list[Item]) -> dict[str, str]:
    devices = [item for item in items if item["Type"]["S"] == "DEVICE"]
    return {item["PK"]["S"]: item["Cells"]["M"]["Events"]["S"].split(" ")[0] for item in devices}


ALL_TWICE = {f"DEVICE#d{device}": "2" for device in range(DEVICES)}


def test_a_batch_without_enough_time_is_finished_by_the_next_deliveries(consume: Consume) -> None:
    table = MemoryTable()
    consumer, event = consume(table), window_event(SHARD, RECORDS)
    for delivery in range(2):
        with pytest.raises(UnfinishedError) as raised:
            consumer(event, Hourglass(PER_DELIVERY))
        done = (delivery + 1) * PER_DELIVERY
        assert (raised.value.done, raised.value.left) == (done, DEVICES - done)
        assert counts(list(table.items.values())).items() <= ALL_TWICE.items()
        assert register(table).count == 0, "set aside before everything in front of it was in"
    assert consumer(event, Hourglass(PER_DELIVERY)) == {"state": {}, "batchItemFailures": []}
    assert counts(list(table.items.values())) == ALL_TWICE
    assert register(table).count == 1


def test_what_is_in_already_takes_no_time(consume: Consume) -> None:
    table = MemoryTable()
    consumer, event = consume(table), window_event(SHARD, TWICE)
    consumer(event, Hourglass(DEVICES))
    consumer(event, Hourglass(0))
    assert counts(list(table.items.values())) == ALL_TWICE


def test_there_is_time_before_the_reserve() -> None:
    """Else no delivery would ever write anything."""
    assert FUNCTIONS["edge_aggregator"].timeout_s * 1000 >= 4 * RESERVE_MS


def test_the_reserve_outlasts_one_write_with_all_its_repetitions() -> None:
    """By the client's own settings; standard retries wait 1, 2, 4 seconds at the most."""
    options: Any = CONFIG
    once = options.connect_timeout + options.read_timeout
    assert options.retries == {"mode": "standard", "total_max_attempts": ATTEMPTS}
    assert 1000 * (ATTEMPTS * once + sum(2**attempt for attempt in range(ATTEMPTS - 1))) <= RESERVE_MS


class Capacity:
    """Of a table: for so many puts; what is sent beyond them is throttled."""

    def __init__(self, puts: int) -> None:
        self.puts, self.sent = puts, 0

    def __call__(self, operation: str, _: dict[str, Any]) -> dict[str, Any] | None:
        if operation != "PutItem":
            return None
        self.sent += 1
        return refusal(HOT_TABLE) if self.sent > self.puts else None


@pytest.fixture
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the client's own repetitions."""
    monkeypatch.setattr("botocore.endpoint.time.sleep", lambda _: None)


def test_a_throttled_table_ends_the_try_soon_and_loses_nothing(
    moto_client: Any, monkeypatch: pytest.MonkeyPatch, no_pauses: None
) -> None:
    client = boto3.client("dynamodb", config=CONFIG)
    client.create_table(**create_table_request("throttled"))
    table, capacity = Table("throttled", client), Capacity(puts=40)
    monkeypatch.setattr(edge_aggregator, "settings", lambda: ConsumerSettings("throttled", "puts", NO_BATCH))
    monkeypatch.setattr(edge_aggregator, "table", lambda: table)
    with answered(client, capacity), pytest.raises(ThrottledError):
        edge_aggregator.handler(window_event(SHARD, TWICE), Context())
    # When one writer gives up, each of the others may have begun its last part.
    assert capacity.sent <= capacity.puts + 2 * ATTEMPTS * WRITERS, "more was begun after a write was given up"
    stored: Any = client.scan(TableName="throttled")["Items"]
    assert len(stored) == capacity.puts
    edge_aggregator.handler(window_event(SHARD, TWICE), Context())
    stored = client.scan(TableName="throttled")["Items"]
    assert counts(stored) == ALL_TWICE
