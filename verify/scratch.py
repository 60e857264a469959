"""Direct writes to one item in the run's corner. Its type is one that the stream's readers never receive."""

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from verify.corner import Corner
from verify.stream import Record, Tail
from verify.target import Target

WRITERS = 8
REFUSED = "ConditionalCheckFailedException"


@dataclass(frozen=True)
class Scratch:
    """The results of the writes.

    `versions` were written one after the other, and `records` are their stream records. `winners` is how many of
    WRITERS concurrent conditional writes succeeded, `refusal` the response to one that failed. Units are write units.
    `statements` are the error codes of two statements in one request, the second of which must be refused.
    """

    versions: tuple[int, ...]
    records: tuple[Record, ...]
    winners: int
    refusal: Mapping[str, Any]
    transaction_units: float | None
    refused_units: float | None
    one_write_units: float
    statements: tuple[str | None, str | None]


class Item:
    """One item that only carries a version."""

    def __init__(self, target: Target, corner: Corner) -> None:
        self._dynamodb, self._table = target.client("dynamodb"), target.outputs["TableName"]
        self._key = {"PK": {"S": corner.name}, "SK": {"S": "scratch"}}
        # In a partition of its own, because the probes ignore its stream records.
        self._other = {"PK": {"S": f"{corner.name}-other"}, "SK": {"S": "scratch"}}

    @property
    def partition(self) -> str:
        """Its partition key."""
        return self._key["PK"]["S"]

    def put(self, version: int) -> float:
        """Write a version; returns the write units consumed."""
        answer = self._dynamodb.put_item(
            TableName=self._table, Item=self._item(version), ReturnConsumedCapacity="TOTAL"
        )
        return float(answer["ConsumedCapacity"]["CapacityUnits"])

    def put_upon(self, version: int, expected: int) -> Mapping[str, Any] | None:
        """Write a version if another one is stored; returns None, or the refusal."""
        try:
            self._dynamodb.put_item(
                TableName=self._table,
                Item=self._item(version),
                ConditionExpression="Version = :expected",
                ExpressionAttributeValues={":expected": {"N": f"{expected}"}},
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except ClientError as error:
            if error.response["Error"]["Code"] != REFUSED:
                raise
            return error.response
        return None

    def put_by_transaction(self, version: int) -> float | None:
        """Write a version in a transaction of one write; returns the write units, if the response states them."""
        answer = self._dynamodb.transact_write_items(
            TransactItems=[{"Put": {"TableName": self._table, "Item": self._item(version)}}],
            ReturnConsumedCapacity="TOTAL",
        )
        return _units(answer)

    def refused(self) -> float | None:
        """The write units of a refused write, which only a batch of statements states."""
        return _units(self._executed(self._refusable()))

    def by_statements(self) -> tuple[str | None, str | None]:
        """Insert another item, and replace a version of this one that does not exist; returns both error codes."""
        other = {**self._item(1), **self._other}
        names = ", ".join(f"'{name}': ?" for name in other)
        insertion = f'INSERT INTO "{self._table}" VALUE {{{names}}}'
        answer = self._executed({"Statement": insertion, "Parameters": list(other.values())}, self._refusable())
        first, second = (each.get("Error", {}).get("Code") for each in answer["Responses"])
        return first, second

    def _refusable(self) -> dict[str, Any]:
        """A statement that replaces a version of this item that does not exist."""
        update = f'UPDATE "{self._table}" SET Version = 0 WHERE PK = ? AND SK = ? AND Version = ?'
        return {"Statement": update, "Parameters": [*self._key.values(), {"N": "-1"}]}

    def _executed(self, *statements: dict[str, Any]) -> Mapping[str, Any]:
        answer: Mapping[str, Any] = self._dynamodb.batch_execute_statement(
            Statements=list(statements), ReturnConsumedCapacity="TOTAL"
        )
        return answer

    def delete(self) -> None:
        """Remove both items."""
        for key in (self._key, self._other):
            self._dynamodb.delete_item(TableName=self._table, Key=key)

    def _item(self, version: int) -> dict[str, Any]:
        return {**self._key, "Type": {"S": "SCRATCH"}, "Version": {"N": f"{version}"}}


@contextmanager
def item(target: Target, corner: Corner) -> Iterator[Item]:
    """The item, which is removed after the block."""
    made = Item(target, corner)
    try:
        yield made
    finally:
        made.delete()


def scratched(target: Target, corner: Corner) -> Scratch:
    """Write, and read the results."""
    tail = Tail(target)
    with item(target, corner) as it:
        one = it.put(1)
        it.put(1)
        with ThreadPoolExecutor(WRITERS) as pool:
            refusals = list(pool.map(lambda version: it.put_upon(version, 1), range(2, 2 + WRITERS)))
        refusal = next((each for each in refusals if each), {})
        won = [version for version, refused in enumerate(refusals, start=2) if refused is None]
        transaction, refused, statements = it.put_by_transaction(100), it.refused(), it.by_statements()
    records = tail.until_removed(it.partition)
    return Scratch((1, *won, 100), tuple(records), len(won), refusal, transaction, refused, one, statements)


def _units(answer: Mapping[str, Any]) -> float | None:
    found = answer.get("ConsumedCapacity")
    return float(sum(each["CapacityUnits"] for each in found)) if found else None
