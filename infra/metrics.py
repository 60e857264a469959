"""The metrics that alarms and the dashboard read: those that functions count themselves, and DynamoDB's.

They have no labels: an alarm on a labelled metric becomes metric math, which the emulator refuses.
"""

from typing import Final

from aws_cdk.aws_cloudwatch import Metric
from aws_cdk.aws_dynamodb import ITableV2

from edgewise.cdk import alarms
from edgewise.cdk.alarms import PERIOD
from edgewise.dynamodb.schema import INDEXES, Index
from infra.settings import InfraSettings

# What DynamoDB counts of a table, and of each of its indexes, by the names that math gives it.
THROTTLED: Final = {"reads": "ReadThrottleEvents", "writes": "WriteThrottleEvents"}
SPENT: Final = {"read": "ConsumedReadCapacityUnits", "written": "ConsumedWriteCapacityUnits"}
# Of the table, and of each of its indexes.
PARTS: Final[tuple[Index | None, ...]] = (None, *INDEXES)


def counted(settings: InfraSettings, metric: str, service: str, statistic: str = "Sum") -> Metric:
    """A metric that the function `service` itself counts, per period."""
    return alarms.counted(settings.metrics_namespace, service, metric, statistic)


def of_table(table: ITableV2, metric: str, index: Index | None) -> Metric:
    """A sum of DynamoDB's for an index, or for the table without its indexes."""
    dimensions = {"TableName": table.table_name} | ({"GlobalSecondaryIndexName": index.name} if index else {})
    return Metric(
        namespace="AWS/DynamoDB",
        metric_name=metric,
        dimensions_map=dimensions,
        statistic="Sum",
        period=PERIOD,
    )
