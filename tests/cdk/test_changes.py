"""What an owner may change of the construct and of the table, without a deployment that CloudFormation refuses."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.aws_dynamodb import Attribute, AttributeType, Billing, Capacity, StreamViewType, Table, TableV2
from aws_cdk.aws_kms import Key

from tests.cdk.making import APART, SHOP, first_table, imported, keeps, made
from tests.support.cloudformation.account import Account

pytestmark = pytest.mark.usefixtures("check_packages")
HERE = "us-east-1"
VIEW = StreamViewType.NEW_AND_OLD_IMAGES


def provisioned(stack: Stack) -> TableV2:
    units = {"read_capacity": Capacity.fixed(10), "write_capacity": Capacity.autoscaled(max_capacity=50)}
    return TableV2(stack, "table", **keys(), dynamo_stream=VIEW, billing=Billing.provisioned(**units))


def with_a_key(stack: Stack) -> Table:
    return Table(stack, "table", **keys(), stream=VIEW, encryption_key=Key(stack, "key"))


def keys() -> dict[str, Any]:
    partition, sort = (Attribute(name=name, type=AttributeType.STRING) for name in ("customer", "what"))
    return {"partition_key": partition, "sort_key": sort}


STAGES: Mapping[str, Callable[[], Any]] = {
    "within the table": lambda: made(keeps(SHOP)),
    "heartbeats": lambda: made(keeps(SHOP), heartbeats=True),
    "readers": lambda: made(keeps(SHOP), reads=True),
    "a backfill": lambda: made(keeps(SHOP, "once")),
    "provisioned units": lambda: made(keeps(SHOP), provisioned),
    "apart": lambda: made(keeps(APART)),
}
# Of CDK's older class.
FIRST: Mapping[str, Callable[[], Any]] = {
    "within the first table": lambda: made(keeps(SHOP), first_table),
    "a key of one's own": lambda: made(keeps(SHOP), with_a_key),
    "apart of a key of one's own": lambda: made(keeps(APART), with_a_key),
}


@pytest.fixture(scope="module")
def stages() -> Mapping[str, Any]:
    return {name: make().to_json() for name, make in {**STAGES, **FIRST}.items()}


@pytest.mark.parametrize(("before", "after"), [*itertools.permutations(STAGES, 2), *itertools.permutations(FIRST, 2)])
def test_the_construct_changes_in_one_deployment(stages: Mapping[str, Any], before: str, after: str) -> None:
    account = Account()
    assert account.update(HERE, "shop", stages[before]) == []
    assert account.update(HERE, "shop", stages[after]) == []


def test_a_table_may_leave_the_stack_and_is_not_deleted_with_it(stages: Mapping[str, Any]) -> None:
    account = Account()
    assert account.update(HERE, "shop", stages["apart"]) == []
    assert account.update(HERE, "shop", made(keeps(APART), imported).to_json()) == []


def test_a_table_of_the_older_class_does_not_become_one_of_the_newer(stages: Mapping[str, Any]) -> None:
    """An owner who replaces the class under the same id gets no views, but the word of CloudFormation."""
    account = Account()
    assert account.update(HERE, "shop", stages["within the first table"]) == []
    (refused,) = account.update(HERE, "shop", stages["within the table"])
    assert "is of type AWS::DynamoDB::Table, and can't become one of AWS::DynamoDB::GlobalTable" in refused
