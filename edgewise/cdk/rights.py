"""What the consumer may do: read the table, and write nothing in it but the engine's own items.

IAM compares the partition keys of a request (`dynamodb:LeadingKeys`; of a query of an index, that index's) with what is
allowed, also in batches and transactions.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from aws_cdk.aws_dynamodb import ITable, ITableV2
from aws_cdk.aws_iam import PolicyStatement

from edgewise.dynamodb.existing import INDEX, OWN
from edgewise.own.backfill import MARK
from edgewise.own.table import OwnTable

READS: Final = ("GetItem", "BatchGetItem", "Query", "Scan")
WRITES: Final = ("PutItem", "BatchWriteItem", "DeleteItem", "ConditionCheckItem")
_KEYS: Final = "dynamodb:LeadingKeys"
# The engine's own items, in somebody's table or in one beside it.
_BELOW: Final = (f"{OWN}*",)

AnyTable = ITable | ITableV2


def of_consumer(
    own: OwnTable, table: AnyTable, aggregates: AnyTable, *, marks: bool, emulator: bool
) -> Iterator[PolicyStatement]:
    """Of the function. `marks`: whether it may mark items for a backfill, by one attribute of them."""
    below = on_keys(_BELOW, told=not emulator)
    yield _allow((*READS, "DescribeTable"), table)
    yield _allow(WRITES, aggregates, below)
    yield PolicyStatement(actions=["dynamodb:Query"], resources=[f"{aggregates.table_arn}/index/{INDEX}"])
    if not own.has_room:
        yield _allow(READS, aggregates)
    if marks:
        yield _allow(["UpdateItem"], table, _marking(own))


def of_reader(aggregates: AnyTable, *, emulator: bool) -> Iterator[PolicyStatement]:
    """Of whoever shows aggregates."""
    yield _allow(["GetItem", "BatchGetItem", "Query"], aggregates, on_keys(_BELOW, told=not emulator))
    yield PolicyStatement(actions=["dynamodb:Query"], resources=[f"{aggregates.table_arn}/index/{INDEX}"])


def on_keys(patterns: Sequence[str], *, told: bool) -> dict[str, Any]:
    """The condition that all partition keys of a request are like one of these patterns.

    `told`: whether a request that tells no keys is refused. Otherwise IAM allows it, as if all its keys were allowed;
    emulators tell IAM none.
    """
    allowed: dict[str, Any] = {"ForAllValues:StringLike": {_KEYS: list(patterns)}}
    return allowed | ({"Null": {_KEYS: "false"}} if told else {})


def _allow(actions: Sequence[str], table: AnyTable, conditions: Mapping[str, Any] | None = None) -> PolicyStatement:
    named = [f"dynamodb:{action}" for action in actions]
    return PolicyStatement(actions=named, resources=[table.table_arn], conditions=conditions or None)


def _marking(own: OwnTable) -> Mapping[str, Any]:
    """Nothing but the mark is set, and nothing is told of what else the item has."""
    names = [name for name in (own.partition, own.sort, MARK) if name]
    return {
        "ForAllValues:StringEquals": {"dynamodb:Attributes": names},
        "StringEqualsIfExists": {"dynamodb:ReturnValues": "NONE"},
    }
