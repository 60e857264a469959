"""The table as it is, with the index that the engine needs, or another one beside it."""

from collections.abc import Mapping
from typing import Any, Final

import jsii
from aws_cdk import Stack
from aws_cdk.aws_dynamodb import (
    Attribute,
    AttributeType,
    BillingMode,
    CfnGlobalTable,
    CfnTable,
    PointInTimeRecoverySpecification,
    ProjectionType,
    StreamViewType,
    Table,
    TableV2,
)
from aws_cdk.aws_kms import IKey
from constructs import Construct, IValidation

from edgewise.aggregates.catalog import DeclarationError
from edgewise.cdk.rights import AnyTable
from edgewise.dynamodb.existing import INDEX, INDEX_PARTITION, INDEX_SORT, LISTED
from edgewise.dynamodb.schema import PARTITION_KEY, SORT_KEY, STREAM_VIEW
from edgewise.own.collisions import ENGINES, Index, faults
from edgewise.own.table import OwnTable

_VIEW: Final = StreamViewType[STREAM_VIEW]


def stream_of(table: AnyTable) -> str:
    """The ARN of its stream; raises DeclarationError unless it tells of old and new images, as far as can be seen."""
    if table.table_stream_arn is None and _properties(table) is None:
        why = "it is imported without its stream: import it by from_table_attributes(..., table_stream_arn=...)"
        raise DeclarationError(f"{table.node.path}: {why}")
    if table.table_stream_arn is None or _view(table) != STREAM_VIEW:
        raise DeclarationError(f"{table.node.path}: aggregates are exact only by a stream with {STREAM_VIEW}")
    return table.table_stream_arn


def check_keys(table: AnyTable, own: OwnTable) -> None:
    """Raise DeclarationError if a table of this app has other keys than the declared one."""
    properties = _properties(table)
    if properties is None:
        return
    forms = {each["attributeName"]: each["attributeType"] for each in properties["attributeDefinitions"]}
    found = {each["attributeName"]: forms[each["attributeName"]] for each in properties["keySchema"]}
    if found != own.keys:
        told = ", ".join(f"{name} ({form})" for name, form in sorted(found.items()))
        raise DeclarationError(f"{table.node.path}: its keys are {told}, but OwnTable says {own}")


@jsii.implements(IValidation)
class Collisions:
    """Refuses, when the app is synthesized, indexes of a table of this app that collide with the engine's items."""

    def __init__(self, table: AnyTable, own: OwnTable) -> None:
        self._table, self._own = table, own

    def validate(self) -> list[str]:
        """What is wrong with the indexes that the table has in the end."""
        properties = _properties(self._table) or {}
        found = [
            Index(each["indexName"], tuple(key["attributeName"] for key in each["keySchema"]))
            for kind in ("globalSecondaryIndexes", "localSecondaryIndexes")
            for each in properties.get(kind, ())
        ]
        owners = [each for each in found if each != ENGINES]
        return [f"{self._table.node.path}: {fault}" for fault in faults(owners, has_room=self._own.has_room)]


def index(table: AnyTable) -> None:
    """Give the table the engine's index; raises DeclarationError if it belongs to another stack.

    Only the engine's items have its keys, so it costs the table's own writes nothing.
    """
    if not isinstance(table, Table | TableV2):
        why = "an index can't be added to an imported table: declare OwnTable(..., apart=True)"
        raise DeclarationError(f"{table.node.path}: {why}")
    units = _units_of_index(table) if isinstance(table, Table) else {}
    table.add_global_secondary_index(**_index(), **units)


def _units_of_index(table: Table) -> dict[str, Any]:
    """What its index may use, if the table is provisioned: else CDK gives it five units, and so the table no more.

    An entry that moves is written twice.
    """
    units = (_properties(table) or {}).get("provisionedThroughput")
    if units is None:
        return {}
    reads, writes = units["readCapacityUnits"], units["writeCapacityUnits"]
    if not (isinstance(reads, int | float) and isinstance(writes, int | float)):
        why = "its units must be numbers, or the table on demand: its index needs as many"
        raise DeclarationError(f"{table.node.path}: {why}")
    return {"read_capacity": reads, "write_capacity": 2 * writes}


def beside(scope: Construct, construct_id: str, key: IKey | None) -> Table:
    """A table for the aggregates alone, with a stream and the engine's index, encrypted with the customer's key.

    It is of CDK's older class: the newer one takes a key only in a stack whose region is known.
    """
    made = Table(
        scope,
        construct_id,
        partition_key=_text(PARTITION_KEY),
        sort_key=_text(SORT_KEY),
        billing_mode=BillingMode.PAY_PER_REQUEST,
        stream=_VIEW,
        encryption_key=key,
        point_in_time_recovery_specification=PointInTimeRecoverySpecification(point_in_time_recovery_enabled=True),
    )
    made.add_global_secondary_index(**_index())
    return made


def _index() -> dict[str, Any]:
    return {
        "index_name": INDEX,
        "partition_key": _text(INDEX_PARTITION),
        "sort_key": _text(INDEX_SORT),
        "projection_type": ProjectionType.INCLUDE,
        "non_key_attributes": [LISTED],
    }


def _text(name: str) -> Attribute:
    return Attribute(name=name, type=AttributeType.STRING)


def _view(table: AnyTable) -> str | None:
    """What its stream tells, None: it has none. Of an imported table nobody knows: there, the consumer refuses it."""
    properties = _properties(table)
    if properties is None:
        return STREAM_VIEW
    view: str | None = properties.get("streamSpecification", {}).get("streamViewType")
    return view


def _properties(table: AnyTable) -> Mapping[str, Any] | None:
    """What is declared of it; None of an imported table."""
    resource = table.node.default_child
    if not isinstance(resource, CfnTable | CfnGlobalTable):
        return None
    # As they are rendered: the public property of a TableV2 is not known before, and can't be read.
    properties: Mapping[str, Any] = Stack.of(table).resolve(resource._cfn_properties)
    return properties
