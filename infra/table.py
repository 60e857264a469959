"""The stateful stack: the one table, the topics for every stack's alarms, the bucket for lost records."""

from typing import Final

from aws_cdk import CfnOutput, CfnTag, Token
from aws_cdk.aws_dynamodb import (
    Attribute,
    AttributeType,
    Billing,
    ContributorInsightsMode,
    ContributorInsightsSpecification,
    GlobalSecondaryIndexPropsV2,
    ITableV2,
    PointInTimeRecoverySpecification,
    ProjectionType,
    StreamViewType,
    TableEncryptionV2,
    TableV2,
    WarmThroughput,
)
from constructs import Construct

from edgewise.dynamodb.schema import INDEXES, PARTITION_KEY, SORT_KEY, STREAM_VIEW, TTL_ATTRIBUTE, Index
from infra.alarms import Alarms
from infra.backup.copies import Copies
from infra.budget import Budget
from infra.cursors import CursorSecret
from infra.last_line import LostRecords
from infra.settings import InfraSettings
from infra.stack import StageStack

TYPES: Final = {"S": AttributeType.STRING, "N": AttributeType.NUMBER}


class TableStack(StageStack):
    """One table with three overloaded indexes and its stream."""

    def __init__(self, scope: Construct, part: str, settings: InfraSettings) -> None:
        super().__init__(scope, part, settings)
        self.settings = settings
        own = TableV2(
            self,
            "table",
            table_name=settings.table_name,
            partition_key=Attribute(name=PARTITION_KEY, type=AttributeType.STRING),
            sort_key=Attribute(name=SORT_KEY, type=AttributeType.STRING),
            billing=Billing.on_demand(
                max_write_request_units=settings.write_units, max_read_request_units=settings.read_units
            ),
            warm_throughput=_warm(settings),
            # AWS's own key: encrypted at rest without cost or KMS requests. A customer's key (infra/customer_key.py)
            # adds an audit trail of its use, and a way to lose the table by losing the key.
            encryption=TableEncryptionV2.dynamo_owned_key(),
            time_to_live_attribute=TTL_ATTRIBUTE,
            dynamo_stream=StreamViewType[STREAM_VIEW],
            point_in_time_recovery_specification=PointInTimeRecoverySpecification(point_in_time_recovery_enabled=True),
            contributor_insights_specification=_insights(settings),
            global_secondary_indexes=[_index(index, settings) for index in INDEXES],
            deletion_protection=settings.refuses_deletion,
            removal_policy=settings.removal_policy,
            # CloudFormation gives resources the tags of their stack, but none to the copies of a table of this kind.
            tags=[CfnTag(key=key, value=value) for key, value in settings.all_tags.items()],
        )
        self.table = self._restored(own, settings.restored) if settings.restored else own
        self.alarms = Alarms(self, "alarms", settings)
        # Whatever answers with pages shares it: the API, and what is deployed before the API.
        self.cursors = CursorSecret(self, "cursor-secret")
        if settings.budget:
            Budget(self, "budget", settings.budget, self.alarms.tickets)
        if settings.backup:
            Copies(self, "backup", settings.prefix, settings.backup, self.table, self.alarms)
        self.lost = LostRecords(self, "lost", settings)
        CfnOutput(self, "TableName", value=self.table.table_name)
        for name, units in settings.warm_units.items():
            # So that the next deployment can tell whether it changes them.
            CfnOutput(self, f"Warm{name}", value=str(units))

    def _restored(self, own: TableV2, stream: str) -> ITableV2:
        """The restored table with this stream; no stack owns it (decision 36)."""
        # The other stacks import these until they are deployed in turn, and CloudFormation keeps what is imported.
        for exported in (own.table_name, own.table_arn, own.table_stream_arn):
            self.export_value(exported)
        arn = stream.partition("/stream/")[0]
        return TableV2.from_table_attributes(self, "restored", table_arn=arn, table_stream_arn=stream)

    def arn_elsewhere(self) -> tuple[str, str]:
        """The table's ARN as another stack refers to it, and how a finding of cdk-nag calls it."""
        arn = self.table.table_arn
        if not Token.is_unresolved(arn):
            return arn, arn
        exported = self.export_value(arn)
        return exported, str(self.resolve(exported)["Fn::ImportValue"])


def _insights(settings: InfraSettings) -> ContributorInsightsSpecification | None:
    """Throttled keys only: each other request would be counted, and billed, too."""
    mode = ContributorInsightsMode.THROTTLED_KEYS
    return ContributorInsightsSpecification(enabled=True, mode=mode) if settings.contributor_insights else None


def _warm(settings: InfraSettings) -> WarmThroughput | None:
    if not settings.warm_units:
        return None
    return WarmThroughput(
        read_units_per_second=settings.warm_read_units, write_units_per_second=settings.warm_write_units
    )


def _index(index: Index, settings: InfraSettings) -> GlobalSecondaryIndexPropsV2:
    projected = list(index.projected)
    return GlobalSecondaryIndexPropsV2(
        index_name=index.name,
        partition_key=Attribute(name=index.partition_key, type=AttributeType.STRING),
        sort_key=Attribute(name=index.sort_key, type=TYPES[index.sort_type]),
        projection_type=ProjectionType.INCLUDE if projected else ProjectionType.KEYS_ONLY,
        non_key_attributes=projected or None,
        # An index without a bound of its own would have none. Writes of the table wait for its slowest index.
        max_write_request_units=settings.write_units,
        max_read_request_units=settings.read_units,
        warm_throughput=_warm(settings),
    )
