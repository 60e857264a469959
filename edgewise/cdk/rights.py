"""What the consumer may do: read the table, and write nothing in it but the engine's own items.

IAM compares the partition keys of a request (`dynamodb:LeadingKeys`; of a query of an index, that index's) with what is
allowed, also in batches and transactions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from aws_cdk.aws_dynamodb import ITable, ITableV2
from aws_cdk.aws_iam import PolicyStatement

from edgewise.dynamodb.existing import OWN
from edgewise.own.backfill import MARK
from edgewise.own.table import OwnTable

READS: Final = ("GetItem", "BatchGetItem", "Query", "Scan")
WRITES: Final = ("PutItem", "BatchWriteItem", "DeleteItem", "ConditionCheckItem")
_KEYS: Final = "dynamodb:LeadingKeys"

AnyTable = ITable | ITableV2


def of_consumer(
    own: OwnTable, table: AnyTable, aggregates: AnyTable, index: str, *, marks: bool, emulator: bool
) -> Iterator[PolicyStatement]:
    """Of the function. `marks`: whether it may mark items for a backfill, by one attribute of them."""
    below = _below_prefix(emulator=emulator) if own.has_room else {}
    yield _allow((*READS, "DescribeTable"), table)
    yield _allow(WRITES, aggregates, below)
    yield PolicyStatement(actions=["dynamodb:Query"], resources=[f"{aggregates.table_arn}/index/{index}"])
    if not own.has_room:
        yield _allow(READS, aggregates)
    if marks:
        yield _allow(["UpdateItem"], table, _marking(own))


def of_reader(own: OwnTable, aggregates: AnyTable, index: str, *, emulator: bool) -> Iterator[PolicyStatement]:
    """Of whoever shows aggregates."""
    below = _below_prefix(emulator=emulator) if own.has_room else {}
    yield _allow(["GetItem", "BatchGetItem", "Query"], aggregates, below)
    yield PolicyStatement(actions=["dynamodb:Query"], resources=[f"{aggregates.table_arn}/index/{index}"])


def _allow(actions: Sequence[str], table: AnyTable, conditions: Mapping[str, Any] | None = None) -> PolicyStatement:
    named = [f"dynamodb:{action}" for action in actions]
    return PolicyStatement(actions=named, resources=[table.table_arn], conditions=conditions or None)


def _below_prefix(*, emulator: bool) -> Mapping[str, Any]:
    """A request that tells no keys is refused; but emulators tell IAM none."""
    allowed = {"ForAllValues:StringLike": {_KEYS: [f"{OWN}*"]}}
    return allowed if emulator else allowed | {"Null": {_KEYS: "false"}}


def _marking(own: OwnTable) -> Mapping[str, Any]:
    """Nothing but the mark is set, and nothing is told of what else the item has."""
    names = [name for name in (own.partition, own.sort, MARK) if name]
    return {
        "ForAllValues:StringEquals": {"dynamodb:Attributes": names},
        "StringEqualsIfExists": {"dynamodb:ReturnValues": "NONE"},
    }
