"""Throttled requests, from the wire: what they say, how often they are repeated, that they end in time."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.retries import standard

from edgewise.dynamodb import table as table_module
from edgewise.dynamodb import throttling
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.table import CONFIG, IMPATIENT, Table
from edgewise.dynamodb.throttling import Shortage, ThrottledError, UnprocessedError
from edgewise.dynamodb.writes import Condition, Put, Replacement
from functions.settings import HTTP_PATIENCE_SECONDS, HTTP_TIMEOUT_SECONDS
from tests.support.throttles import ARN, ERRORS, HOT_INDEX, HOT_TABLE, answered, refusal


class Time:
    """In place of the clock: a pause passes at once."""

    def __init__(self) -> None:
        self.now, self.pauses = 0.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.now += seconds


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    clock = Time()
    monkeypatch.setattr("time.sleep", clock.sleep)
    monkeypatch.setattr(throttling, "monotonic", lambda: clock.now)
    monkeypatch.setattr(table_module, "monotonic", lambda: clock.now)
    return clock


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The longest pauses that the jitter allows."""
    monkeypatch.setattr(standard, "ExponentialBackoff", partial(standard.ExponentialBackoff, random=lambda: 1.0))
    monkeypatch.setattr("random.uniform", lambda _, longest: longest)


@contextmanager
def answering(body: Any, config: Config = IMPATIENT) -> Iterator[tuple[Table, list[Any]]]:
    """A table whose every request is answered with `body`, and the requests."""
    sent: list[Any] = []

    def answer(_: str, request: Any) -> Any:
        sent.append(request)
        return body

    client = boto3.client("dynamodb", config=config)
    with answered(client, answer):
        yield Table("T", client, statements=True), sent


@pytest.fixture
def refusing(aws_env: object, slow: None) -> Iterator[tuple[Table, list[Any]]]:
    with answering(refusal(HOT_TABLE, HOT_INDEX)) as answered_so:
        yield answered_so


def item(number: int) -> Item:
    return {"PK": {"S": "p"}, "SK": {"S": f"{number}"}}


@pytest.mark.parametrize("code", ERRORS)
def test_an_error_names_its_reasons_however_it_spells_them(code: str, aws_env: object) -> None:
    with answering(refusal(HOT_TABLE, HOT_INDEX, code=code)) as (table, _), pytest.raises(ThrottledError) as raised:
        table.get(Key("p", "s"))
    assert raised.value.shortages == (Shortage(HOT_TABLE, ARN), Shortage(HOT_INDEX, f"{ARN}/index/GSI1"))
    assert str(raised.value) == f"the table is busy: {HOT_TABLE}, {HOT_INDEX}"


def test_without_reasons_it_is_a_throttled_request_all_the_same(aws_env: object) -> None:
    with answering(refusal()) as (table, _), pytest.raises(ThrottledError) as raised:
        table.put_many([item(1)])
    assert (raised.value.shortages, raised.value.by_hot_keys) == ((), False)


def test_another_error_is_none_of_that(aws_env: object) -> None:
    missing = {"__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException"}
    with answering(missing) as (table, _), pytest.raises(ClientError, match="ResourceNotFoundException"):
        table.get(Key("p", "s"))


REASONS = [
    f"{resource}{operation}{limit}"
    for resource in ("Table", "Index")
    for operation in ("Read", "Write")
    for limit in (
        "ProvisionedThroughputExceeded",
        "AccountLimitExceeded",
        "KeyRangeThroughputExceeded",
        "MaxOnDemandThroughputExceeded",
    )
]


def test_of_all_reasons_only_two_speak_of_keys_that_are_written_too_often() -> None:
    hot = [reason for reason in REASONS if ThrottledError((Shortage(reason, ARN),)).by_hot_keys]
    assert hot == ["TableWriteKeyRangeThroughputExceeded", "IndexWriteKeyRangeThroughputExceeded"]
    assert ThrottledError((Shortage("TableWriteAccountLimitExceeded", ARN), Shortage(HOT_INDEX, ARN))).by_hot_keys


REQUESTS: dict[str, Callable[[Table], Any]] = {
    "query": lambda table: table.query(Query("p")),
    "get": lambda table: table.get(Key("p", "s")),
    "get_many": lambda table: table.get_many([Key("p", "s")]),
    "put_many": lambda table: table.put_many([item(1)]),
    "replace_many": lambda table: table.replace_many([Replacement(item(1), None), Replacement(item(2), None)]),
    "write": lambda table: table.write(Put(item(1), Condition.ABSENT)),
    "transact": lambda table: table.transact([Put(item(1), Condition.ABSENT)]),
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_every_request_is_repeated_once_for_somebody_who_waits(
    request_: Callable[[Table], Any], refusing: tuple[Table, list[Any]], clock: Time
) -> None:
    table, sent = refusing
    with pytest.raises(ThrottledError):
        request_(table)
    assert len(sent) == 2
    assert clock.pauses == [1.0]


def test_the_streams_readers_are_more_patient(aws_env: object, clock: Time, slow: None) -> None:
    with answering(refusal(HOT_TABLE), CONFIG) as (table, sent), pytest.raises(ThrottledError):
        table.put_many([item(1)])
    assert len(sent) == 4
    assert clock.pauses == [1, 2, 4]


def test_what_a_batch_leaves_undone_says_why_when_it_is_sent_alone(aws_env: object) -> None:
    """A batch that is written in part names no reason; one of which nothing is written is refused with it."""

    def refusing_the_second(_: str, request: Any) -> dict[str, Any]:
        first, *rest = request["RequestItems"]["T"]
        if first["PutRequest"]["Item"] == item(2):
            return refusal(HOT_INDEX)
        return {"UnprocessedItems": {"T": rest}}

    client = boto3.client("dynamodb", config=IMPATIENT)
    with answered(client, refusing_the_second), pytest.raises(ThrottledError) as raised:
        Table("T", client).put_many([item(1), item(2), item(3)])
    assert raised.value.shortages == (Shortage(HOT_INDEX, f"{ARN}/index/GSI1"),)


class TestTime:
    @pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
    def test_nothing_is_sent_when_it_is_over(
        self, request_: Callable[[Table], Any], refusing: tuple[Table, list[Any]], clock: Time
    ) -> None:
        table, sent = refusing
        table.allow(2)
        clock.now = 2.0
        with pytest.raises(UnprocessedError, match="no time"):
            request_(table)
        assert sent == []

    def test_it_can_be_allowed_anew(self, refusing: tuple[Table, list[Any]], clock: Time) -> None:
        table, sent = refusing
        table.allow(2)
        clock.now = 3.0
        table.allow(2)
        with pytest.raises(ThrottledError):
            table.get(Key("p", "s"))
        assert len(sent) == 2

    def test_a_pause_that_would_outlast_it_is_not_begun(self, aws_env: object, clock: Time, slow: None) -> None:
        """Rounds of at most 0.1, 0.2, 0.4, 0.8, 1.6 seconds; the next one would end at 6.3."""
        unread = {"Responses": {"T": []}, "UnprocessedKeys": {"T": {"Keys": [{"PK": {"S": "p"}, "SK": {"S": "s"}}]}}}
        with answering(unread) as (table, sent):
            table.allow(6)
            with pytest.raises(UnprocessedError, match="no time"):
                table.get_many([Key("p", "s")])
        assert len(sent) == 6
        assert clock.now == pytest.approx(3.1)

    def test_a_throttled_answer_comes_before_the_function_dies(self, aws_env: object, clock: Time, slow: None) -> None:
        """Each batch is refused once and then written, after the longest pause: 20 seconds of work for 20 batches."""
        outcomes = iter([refusal(HOT_TABLE), {"UnprocessedItems": {}}] * 20)
        client = boto3.client("dynamodb", config=IMPATIENT)
        table = Table("T", client)
        table.allow(HTTP_PATIENCE_SECONDS)
        with answered(client, lambda *_: next(outcomes)), pytest.raises(UnprocessedError):
            table.put_many([item(number) for number in range(500)])
        assert clock.now <= HTTP_PATIENCE_SECONDS + 1
        longest_widening = 1
        assert clock.now + longest_widening < HTTP_TIMEOUT_SECONDS
