"""What goes wrong on the way to DynamoDB, and what is counted."""

from collections.abc import Callable
from typing import Any, cast

import pytest
from botocore.exceptions import ClientError

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import RefusedError, Table, TransactionRefusedError, chunks
from edgewise.dynamodb.throttling import UnprocessedError
from edgewise.dynamodb.usage import Usage
from edgewise.dynamodb.writes import Check, Condition, Put

Answer = Callable[[int, dict[str, Any]], dict[str, Any]]


class Client:
    """A client that answers each batch as the test says; `answer` gets the number of the request."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.sent: list[Any] = []

    def _batch(self, **request: Any) -> dict[str, Any]:
        self.sent.append(request["RequestItems"]["T"])
        return self.answer(len(self.sent), request["RequestItems"]["T"])

    batch_write_item = batch_get_item = _batch


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Instead of sleeping."""
    pauses: list[float] = []
    monkeypatch.setattr("time.sleep", pauses.append)
    return pauses


def on(answer: Answer) -> tuple[Table, Client]:
    client = Client(answer)
    return Table("T", cast(Any, client)), client


def item(number: int) -> Item:
    return {"PK": {"S": "p"}, "SK": {"S": f"{number:03d}"}}


def put(number: int) -> dict[str, Any]:
    return {"PutRequest": {"Item": item(number)}}


CAPACITY = [{"TableName": "T", "CapacityUnits": 2.5}]


def test_each_write_that_was_left_undone_is_sent_again_alone(pauses: list[float]) -> None:
    """Alone, so that DynamoDB must say why; the pauses are the SDK's then."""

    def first_refuses_two(number: int, batch: Any) -> dict[str, Any]:
        return {"UnprocessedItems": {"T": batch[1:3]} if number == 1 else {}, "ConsumedCapacity": CAPACITY}

    table, client = on(first_refuses_two)
    table.put_many([item(number) for number in range(26)])
    assert client.sent == [[put(number) for number in range(25)], [put(1)], [put(2)], [put(25)]]
    assert pauses == []
    assert (table.usage.requests, table.usage.write_units, table.usage.read_units) == (4, 10.0, 0)


def test_a_write_that_is_left_undone_alone_is_given_up() -> None:
    table, client = on(lambda _, batch: {"UnprocessedItems": {"T": batch}})
    with pytest.raises(UnprocessedError, match="without a reason"):
        table.put_many([item(1), item(2)])
    assert client.sent == [[put(1), put(2)], [put(1)]]


@pytest.mark.parametrize("consistent", [False, True])
def test_what_was_not_read_is_asked_for_again_alone(pauses: list[float], consistent: bool) -> None:
    def one_a_request(_: int, batch: Any) -> dict[str, Any]:
        key, *rest = batch["Keys"]
        unprocessed = {"T": {"Keys": rest}} if rest else {}
        return {"Responses": {"T": [key]}, "UnprocessedKeys": unprocessed, "ConsumedCapacity": CAPACITY}

    table, client = on(one_a_request)
    wanted = [Key("p", f"{number:03d}") for number in range(3)]
    assert table.get_many(wanted, consistent=consistent) == {key: item(number) for number, key in enumerate(wanted)}
    assert [(len(batch["Keys"]), batch["ConsistentRead"]) for batch in client.sent] == [
        *((3, consistent), (2, consistent), (1, consistent)),
    ]
    assert (table.usage.requests, table.usage.read_units, table.usage.write_units) == (3, 7.5, 0)


def test_a_table_that_keeps_reading_nothing_is_given_up(pauses: list[float]) -> None:
    table, client = on(lambda _, batch: {"UnprocessedKeys": {"T": batch}, "Responses": {"T": []}})
    with pytest.raises(UnprocessedError, match="after 8 attempts"):
        table.get_many([Key("p", "1")])
    assert len(client.sent) == 8
    assert len(pauses) == 7
    assert all(0 <= pause <= 0.05 * 2**attempt for attempt, pause in enumerate(pauses, start=1))


def test_nothing_to_do_sends_nothing() -> None:
    table, client = on(lambda *_: {})
    table.put_many([])
    assert table.get_many([]) == {}
    assert client.sent == []


def refusing(code: str, found: dict[str, Any] | None = None) -> Table:
    class Refusing:
        def put_item(self, **_: Any) -> None:
            response: Any = {"Error": {"Code": code, "Message": "no"}} | ({"Item": found} if found else {})
            raise ClientError(response, "PutItem")

    return Table("T", cast(Any, Refusing()))


@pytest.mark.parametrize("found", [None, {"Version": {"N": "3"}}])
def test_a_refusal_is_counted_and_brings_the_item_found(found: dict[str, Any] | None) -> None:
    table = refusing("ConditionalCheckFailedException", found)
    with pytest.raises(RefusedError) as refusal:
        table.put_version(item(1), replaces=2)
    assert refusal.value.item == found
    assert (table.usage.requests, table.usage.refused, table.usage.write_units) == (1, 1, 0)


@pytest.mark.parametrize(("found", "units"), [(None, 1), ({"Text": {"S": "a" * 3000}}, 3)])
def test_a_refusal_costs_what_the_larger_item_takes(found: dict[str, Any] | None, units: int) -> None:
    """https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html"""
    table = refusing("ConditionalCheckFailedException", found)
    with pytest.raises(RefusedError):
        table.put_version(item(1), replaces=2)
    assert table.usage.refused_units == units
    with pytest.raises(RefusedError):
        table.put_version(item(1) | {"Text": {"S": "a" * 5000}}, replaces=2)
    assert table.usage.refused_units == units + 5


def test_a_transaction_that_is_refused_costs_each_action_twice(moto_client: Any, table: Table) -> None:
    large: Item = {"PK": {"S": "P"}, "SK": {"S": "1"}, "Text": {"S": "a" * 3000}}
    with pytest.raises(TransactionRefusedError):
        table.transact([Put(large), Check(Key("P", "2"), Condition.PRESENT)])
    assert table.usage.refused_units == 2 * (3 + 1)


def test_a_write_that_meets_a_transaction_is_sent_again(pauses: list[float]) -> None:
    busy = refusing("TransactionConflictException")
    with pytest.raises(UnprocessedError, match="after 8 attempts"):
        busy.write(Put(item(1)))
    assert (busy.usage.refused, len(pauses)) == (8, 7)


def test_other_faults_are_raised_as_they_are() -> None:
    with pytest.raises(ClientError, match="ValidationException"):
        refusing("ValidationException").put_version(item(1), replaces=2)


def test_usage_adds_up_what_each_answer_says_until_it_is_reset() -> None:
    usage = Usage()
    usage.count({"ConsumedCapacity": {"CapacityUnits": 0.5}}, write=False)
    usage.count({"ConsumedCapacity": [{"CapacityUnits": 1.0}, {"CapacityUnits": 2.0}]}, write=True)
    usage.count({}, write=True)
    usage.count_refusal(2)
    assert usage == Usage(requests=4, refused=1, refused_units=2, read_units=0.5, write_units=3.0, _lock=usage._lock)
    # Five read units cost as much as a write unit.
    assert usage.paid == 3.0 + 2 + 0.1
    usage.reset()
    assert usage == Usage(_lock=usage._lock)


def test_chunks_lose_nothing() -> None:
    assert [list(chunk) for chunk in chunks(range(5), 2)] == [[0, 1], [2, 3], [4]]
    assert list(chunks([], 2)) == []
