"""What each function may do with the table, from what the systems say of themselves; and how IAM is told.

A function may touch only its own partitions: IAM compares the partition keys of a request (`dynamodb:LeadingKeys`; of a
query of an index, that index's) with what is allowed, also in batches and transactions.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain
from typing import Any, Final

from aws_cdk.aws_dynamodb import ITableV2
from aws_cdk.aws_iam import PolicyStatement

from functions.aggregates.keys import EMPTIED, PARTS
from functions.catalog import CATALOG, SYSTEMS
from functions.dynamodb.keys import Partitions
from functions.dynamodb.schema import BY_TARGET, BY_VALUE, INDEXES, Index
from functions.stream import incomplete_keys, quarantine_keys
from functions.system import Allowed, Rights, System

_KEYS: Final = "dynamodb:LeadingKeys"
_READING: Final = frozenset({"Query", "GetItem", "BatchGetItem"})
_FOLLOWED: Final = tuple(system for system in SYSTEMS if system.follow_ups)


def _once(partitions: Iterable[Allowed]) -> Allowed:
    return tuple(dict.fromkeys(chain.from_iterable(partitions)))


def _written(systems: Iterable[System]) -> Allowed:
    return _once(system.rights.writes for system in systems)


def _queried(systems: Iterable[System], index: Index) -> Allowed:
    return _once(system.rights.queried.get(index, ()) for system in systems)


_AGGREGATES: Final = _once([tuple(kind.partitions for kind in CATALOG.kinds.values()), (PARTS,)])
# What could not be understood, and the notes on aggregates that lack it.
_SET_ASIDE: Final = (quarantine_keys.REGISTER.pk, quarantine_keys.SHARDS, incomplete_keys.NOTES)
_LISTED: Final = (quarantine_keys.LIST, incomplete_keys.LIST)
_COUNTED: Final = _once([_AGGREGATES, _SET_ASIDE])
_FINISHED: Final = _once([_COUNTED, _written(_FOLLOWED)])
_ALL: Final = _written(SYSTEMS)
_READS_AND_PUTS: Final = ("Query", "GetItem", "BatchGetItem", "PutItem")
_ALL_ACTIONS: Final = (*_READS_AND_PUTS, "DeleteItem", "ConditionCheckItem")

CONSUMER: Final = Rights(actions=_READS_AND_PUTS, writes=_COUNTED, reads=_ALL)
CASCADE: Final = Rights(
    actions=_ALL_ACTIONS, writes=_FINISHED, reads=_ALL, queried={BY_TARGET: _queried(_FOLLOWED, BY_TARGET)}
)
SWEEPER: Final = Rights(
    actions=("GetItem", "BatchGetItem", "DeleteItem"),
    writes=_AGGREGATES,
    reads=(quarantine_keys.REGISTER.pk,),
    queried={BY_VALUE: (EMPTIED,)},
)
# What the stream's readers do, for one record after the other, and every way to an aggregate's sources.
REDRIVE: Final = replace(
    CASCADE,
    queried={index: _queried(SYSTEMS, index) for index in INDEXES}
    | {BY_VALUE: (*_queried(SYSTEMS, BY_VALUE), *_LISTED)},
)


def of_system(system: System) -> Rights:
    """What its function may do: what the system says, and read what the stream keeps for it."""
    kept = tuple(kind.partitions for kind in system.kinds)
    return replace(system.rights, reads=_once([system.rights.reads, kept]))


def statements(rights: Rights, table: ITableV2, *, keys_are_told: bool) -> list[PolicyStatement]:
    """The rights as IAM understands them. `keys_are_told`: that requests must tell their keys, else they are refused.

    Without that, IAM takes a request that tells no keys for one of which all keys are allowed.
    """

    def allow(actions: Iterable[str], resource: str, partitions: Allowed) -> list[PolicyStatement]:
        named = [f"dynamodb:{action}" for action in actions]
        conditions = _conditions(partitions, keys_are_told=keys_are_told)
        return [PolicyStatement(actions=named, resources=[resource], conditions=conditions)] if named else []

    reading = [action for action in rights.actions if action in _READING]
    writing = [action for action in rights.actions if action not in _READING]
    return [
        *allow(reading, table.table_arn, _once([rights.writes, rights.reads])),
        *allow(writing, table.table_arn, rights.writes),
        *chain.from_iterable(
            allow(["Query"], f"{table.table_arn}/index/{index.name}", partitions)
            for index, partitions in rights.queried.items()
        ),
    ]


def _conditions(partitions: Allowed, *, keys_are_told: bool) -> dict[str, Any]:
    allowed = {"ForAllValues:StringLike": {_KEYS: sorted(map(_pattern, partitions))}}
    return allowed | ({"Null": {_KEYS: "false"}} if keys_are_told else {})


def _pattern(partitions: Partitions | str) -> str:
    return partitions if isinstance(partitions, str) else f"{partitions.prefix}*"
