"""The table as the access patterns need it, and as production must keep it."""

from dataclasses import replace
from pathlib import Path

from aws_cdk.assertions import Match, Template

from infra import stages
from infra.table import TableStack
from tests.infra.conftest import Deployment, new_app

TABLE = "AWS::DynamoDB::GlobalTable"


def test_keys_stream_and_expiry(dev: Deployment) -> None:
    dev.table.has_resource_properties(
        TABLE,
        {
            "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": _keys("PK", "SK"),
            "StreamSpecification": {"StreamViewType": "NEW_AND_OLD_IMAGES"},
            "TimeToLiveSpecification": {"AttributeName": "ExpiresAt", "Enabled": True},
        },
    )


def test_three_indexes_project_little(dev: Deployment) -> None:
    dev.table.has_resource_properties(
        TABLE,
        {
            "GlobalSecondaryIndexes": [
                _index("GSI1", ["Type", "Text", "Data"]),
                _index("GSI2", ["Type", "Weight", "Text", "Data"]),
                _index("GSI3", ["Type", "Data", "Lacks"]),
            ]
        },
    )


def test_only_the_third_index_sorts_by_a_number(dev: Deployment) -> None:
    (table,) = dev.resources(TABLE).values()
    kinds = {one["AttributeName"]: one["AttributeType"] for one in table["Properties"]["AttributeDefinitions"]}
    assert {name for name, kind in kinds.items() if kind == "N"} == {"GSI3SK"}


def test_what_may_be_spent_in_a_second_is_bounded(dev: Deployment, prod: Deployment) -> None:
    """An index without a bound of its own would have none."""
    bounds = {
        "WriteOnDemandThroughputSettings": {"MaxWriteRequestUnits": 4000},
        "ReadOnDemandThroughputSettings": {"MaxReadRequestUnits": 12000},
    }
    for stage in (dev, prod):
        (table,) = stage.resources(TABLE).values()
        written = [table["Properties"], *table["Properties"]["GlobalSecondaryIndexes"]]
        (replica,) = table["Properties"]["Replicas"]
        read = [replica, *replica["GlobalSecondaryIndexes"]]
        assert len(written) == len(read) == 4
        for each in written:
            assert (
                each.items() >= {"WriteOnDemandThroughputSettings": bounds["WriteOnDemandThroughputSettings"]}.items()
            )
        for each in read:
            assert each.items() >= {"ReadOnDemandThroughputSettings": bounds["ReadOnDemandThroughputSettings"]}.items()


def test_the_table_and_each_index_take_at_once_what_is_asked_for(dev: Deployment, tmp_path: Path) -> None:
    """Writes of the table wait for its slowest index. Of what is not asked for, nothing is said: AWS raises it."""
    app = new_app("dev", outdir=str(tmp_path))
    asked = TableStack(app, "table", replace(stages.of_context(app.node), warm_write_units=8000))
    for table, named in ((dev.table, None), (Template.from_stack(asked), {"WriteUnitsPerSecond": 8000})):
        (found,) = table.find_resources(TABLE).values()
        parts = [found["Properties"], *found["Properties"]["GlobalSecondaryIndexes"]]
        assert [each.get("WarmThroughput") for each in parts] == [named] * 4


def test_cloudwatch_names_throttled_keys_of_the_table_and_each_index_where_that_is_asked_for(
    dev: Deployment, tmp_path: Path
) -> None:
    """Not those that are only read or written: each request would be billed."""
    app = new_app("dev", outdir=str(tmp_path))
    asked = TableStack(app, "table", replace(stages.of_context(app.node), contributor_insights=True))
    for table, named in ((dev.table, None), (Template.from_stack(asked), {"Enabled": True, "Mode": "THROTTLED_KEYS"})):
        (found,) = table.find_resources(TABLE).values()
        (replica,) = found["Properties"]["Replicas"]
        parts = [replica, *replica["GlobalSecondaryIndexes"]]
        assert [each.get("ContributorInsightsSpecification") for each in parts] == [named] * 4


def test_whoever_receives_tickets_is_told_what_a_month_costs(dev: Deployment, prod: Deployment) -> None:
    assert dev.resources("AWS::Budgets::Budget") == {}
    (budget,) = (one["Properties"] for one in prod.resources("AWS::Budgets::Budget").values())
    assert budget["Budget"] == {
        "BudgetType": "COST",
        "TimeUnit": "MONTHLY",
        "BudgetLimit": {"Amount": 500, "Unit": "USD"},
    }
    told = {
        (each["Notification"]["NotificationType"], each["Notification"]["Threshold"])
        for each in budget["NotificationsWithSubscribers"]
    }
    assert told == {("ACTUAL", 50), ("ACTUAL", 100), ("FORECASTED", 100)}
    for each in budget["NotificationsWithSubscribers"]:
        (subscriber,) = each["Subscribers"]
        assert subscriber["SubscriptionType"] == "SNS"
        assert "ticket" in subscriber["Address"]["Ref"]


def test_the_table_has_the_tags_of_its_stage(prod: Deployment, dev: Deployment) -> None:
    """CloudFormation gives them to other resources as they are the stack's (tests/infra/test_lint.py)."""
    for deployment, stage in ((prod, "prod"), (dev, "dev")):
        (table,) = deployment.resources(TABLE).values()
        (replica,) = table["Properties"]["Replicas"]
        assert {each["Key"]: each["Value"] for each in replica["Tags"]} == {"project": "edgewise", "stage": stage}


def test_point_in_time_recovery_everywhere(dev: Deployment, prod: Deployment) -> None:
    recovery = {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}
    for stage in (dev, prod):
        stage.table.has_resource_properties(TABLE, {"Replicas": [Match.object_like(recovery)]})


def test_production_keeps_its_table(prod: Deployment) -> None:
    prod.table.has_resource(TABLE, {"DeletionPolicy": "RetainExceptOnCreate", "UpdateReplacePolicy": "Retain"})
    prod.table.has_resource_properties(TABLE, {"Replicas": [Match.object_like({"DeletionProtectionEnabled": True})]})


def test_a_table_that_was_kept_is_not_in_the_way_of_the_next_one(prod: Deployment, local: Deployment) -> None:
    """The name is CloudFormation's, but on the emulator, which can't update a table with such a name."""
    for stage, name in ((prod, Match.absent()), (local, "edgewise-local")):
        stage.table.has_resource_properties(TABLE, {"TableName": name})


def test_other_stages_leave_nothing_behind(dev: Deployment, local: Deployment) -> None:
    for stage in (dev, local):
        stage.table.has_resource(TABLE, {"DeletionPolicy": "Delete"})
        stage.table.has_resource_properties(
            TABLE, {"Replicas": [Match.object_like({"DeletionProtectionEnabled": False})]}
        )


def _keys(partition: str, sort: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition, "KeyType": "HASH"},
        {"AttributeName": sort, "KeyType": "RANGE"},
    ]


def _index(name: str, projected: list[str]) -> dict[str, object]:
    projection: dict[str, object] = {"ProjectionType": "KEYS_ONLY"}
    if projected:
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": projected}
    return {"IndexName": name, "KeySchema": _keys(f"{name}PK", f"{name}SK"), "Projection": projection}
