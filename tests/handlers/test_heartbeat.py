"""Heartbeats: a schedule's call surveys the stream and asks for the others of its minute; the queue's only beat."""

from collections.abc import Iterator
from typing import Any, cast
from unittest.mock import patch

import pytest

from delivery import Reads
from edgewise import aws
from edgewise.dynamodb.keys import Key
from edgewise.freshness import delays, heartbeats, known
from edgewise.freshness.shards import NO_PARENT
from edgewise.freshness.telling import Teller
from functions.handlers import edge_aggregator, heartbeat
from functions.settings import HeartbeatSettings
from tests.conftest import DUE, KNOWN
from tests.support.http import Context
from tests.support.streams import StreamedTable, window_event
from tests.support.told import lines

SCHEDULED = {"detail-type": "Scheduled Event", "source": "aws.events"}
QUEUED = {"Records": [{"body": "beat", "eventSource": "aws:sqs"}]}


def described(shard: str, parent: str = "", *, closed: bool = False) -> dict[str, Any]:
    numbers = {"StartingSequenceNumber": "1"} | ({"EndingSequenceNumber": "2"} if closed else {})
    of = {"ParentShardId": f"shardId-{parent}"} if parent else {}
    return {"ShardId": f"shardId-{shard}", "SequenceNumberRange": numbers} | of


class Streams:
    """The stream of four shards in two pages: two are closed, and the child of one of these is not listed yet."""

    exceptions = Reads.exceptions
    pages = ([described("a", closed=True), described("b", "a")], [described("c"), described("d", closed=True)])

    def __init__(self) -> None:
        self.asked: list[dict[str, str]] = []

    def describe_stream(self, **asked: str) -> dict[str, Any]:
        self.asked.append(asked)
        page = 1 if asked.get("ExclusiveStartShardId") == "shardId-b" else 0
        more = {"LastEvaluatedShardId": "shardId-b"} if page == 0 else {}
        return {"StreamDescription": {"Shards": self.pages[page]} | more}

    def get_shard_iterator(self, **_: str) -> dict[str, str]:
        raise self.exceptions.ResourceNotFoundException("nothing of a shard can be read again")


class Queue:
    def __init__(self) -> None:
        self.sent: list[Any] = []

    def send_message_batch(self, **request: Any) -> dict[str, Any]:
        self.sent.append(request)
        return {}


@pytest.fixture
def queue(table: StreamedTable, monkeypatch: pytest.MonkeyPatch) -> Iterator[Queue]:
    queue = Queue()
    monkeypatch.setattr(heartbeat, "table", lambda: table)
    monkeypatch.setattr(heartbeat, "settings", lambda: HeartbeatSettings(table.name, "arn", "url"))
    monkeypatch.setattr(aws, "streams", Streams)
    monkeypatch.setattr(delays, "client", lambda: queue)
    with patch.object(known, "read", KNOWN), patch.object(heartbeats, "read", KNOWN):
        yield queue


def beats(table: StreamedTable) -> set[str]:
    return {item["PK"]["S"] for item in table.all_items() if item["Type"] == {"S": "HEARTBEAT"}}


def test_open_shards_are_found_on_all_pages_each_with_its_parent(queue: Queue) -> None:
    """A closed one whose child is not listed yet stands for it: what the child gets is not absorbed either."""
    assert heartbeats.of_stream("arn") == {"b": "a", "c": NO_PARENT, "d": NO_PARENT}


def test_a_minute_begins_with_a_survey_and_asks_for_five_more(queue: Queue, table: StreamedTable) -> None:
    with lines() as told:
        heartbeat.handler(SCHEDULED, cast(Any, Context()))
    assert KNOWN(table).shards.parents == {"b": "a", "c": NO_PARENT, "d": NO_PARENT}
    assert len(beats(table)) == 24  # eight for each shard, until it is known which comes in which
    (asked,) = queue.sent
    assert [each["DelaySeconds"] for each in asked["Entries"]] == [10, 20, 30, 40, 50]
    assert next(line["shards"] for line in told if line["message"] == "beat") == 3


def test_the_queues_calls_beat_and_nothing_else(queue: Queue, table: StreamedTable) -> None:
    heartbeat.handler(SCHEDULED, cast(Any, Context()))
    before = KNOWN(table).shards
    for pk in beats(table):
        table.remove(Key(pk, "HEARTBEAT"))
    heartbeat.handler(QUEUED, cast(Any, Context()))
    assert (len(beats(table)), KNOWN(table).shards, len(queue.sent)) == (24, before, 1)


def test_a_survey_that_finds_nothing_new_writes_nothing(queue: Queue, table: StreamedTable) -> None:
    for _ in range(3):  # names are tried until each shard has told one
        heartbeat.handler(SCHEDULED, cast(Any, Context()))
    assert KNOWN(table).shards.version == 3


def test_the_consumer_tells_with_each_heartbeat(queue: Queue, table: StreamedTable) -> None:
    heartbeat.handler(SCHEDULED, cast(Any, Context()))
    ((shard, records),) = table.shards.items()
    edge_aggregator.handler(window_event(shard, list(records)), Context())
    mark = KNOWN(table).watermarks[shard]
    assert {f"HEARTBEAT#{name}" for name in mark.heartbeats} == beats(table)


def test_without_heartbeats_it_tells_now_and_then(queue: Queue, table: StreamedTable) -> None:
    edge_aggregator.teller.cache_clear()
    table.put_many([{"PK": {"S": "x"}, "SK": {"S": "y"}, "Type": {"S": "UNKNOWN"}}])
    ((shard, records),) = table.shards.items()
    with patch.object(Teller, "is_due", DUE):
        for _ in range(2):
            edge_aggregator.handler(window_event(shard, list(records)), Context())
    assert KNOWN(table).watermarks[shard].version == 1


def test_what_only_looks_like_a_heartbeat_holds_nothing_up(queue: Queue, table: StreamedTable) -> None:
    table.put_many([{"PK": {"S": "x"}, "SK": {"S": "y"}, "Type": {"S": "HEARTBEAT"}, "At": {"S": "now"}}])
    ((shard, records),) = table.shards.items()
    answer = edge_aggregator.handler(window_event(shard, list(records)), Context())
    assert answer == {"state": {}, "batchItemFailures": []}
    assert KNOWN(table).watermarks == {}
