"""The IAM policy of a function's rights on the table: by the partition keys of a request (edgewise/cdk/rights.py)."""

from collections.abc import Iterable
from itertools import chain

from aws_cdk.aws_dynamodb import ITableV2
from aws_cdk.aws_iam import PolicyStatement

from edgewise.cdk.rights import on_keys
from edgewise.dynamodb.keys import Partitions
from functions.system import Allowed, Rights
from infra.rights import readable, split_actions


def statements(rights: Rights, table: ITableV2, *, keys_are_told: bool) -> list[PolicyStatement]:
    """The rights as IAM statements. `keys_are_told`: whether a request without keys is refused."""

    def allow(actions: Iterable[str], resource: str, partitions: Allowed) -> list[PolicyStatement]:
        named = [f"dynamodb:{action}" for action in actions]
        conditions = on_keys(sorted(map(_pattern, partitions)), told=keys_are_told)
        return [PolicyStatement(actions=named, resources=[resource], conditions=conditions)] if named else []

    reading, writing = split_actions(rights)
    return [
        *allow(reading, table.table_arn, readable(rights)),
        *allow(writing, table.table_arn, rights.writes),
        *chain.from_iterable(
            allow(["Query"], f"{table.table_arn}/index/{index.name}", partitions)
            for index, partitions in rights.queried.items()
        ),
    ]


def _pattern(partitions: Partitions | str) -> str:
    return partitions if isinstance(partitions, str) else f"{partitions.prefix}*"
