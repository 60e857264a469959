"""The construct that wires somebody's own table: what it refuses, what it lets the function do, and what it watches."""

import json
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from aws_cdk import App, Duration, Stack
from aws_cdk.assertions import Template
from aws_cdk.aws_dynamodb import (
    Attribute,
    AttributeType,
    BillingMode,
    StreamViewType,
    Table,
    TableV2,
)
from aws_cdk.aws_kms import Key
from aws_cdk.aws_lambda import Code, Function, Runtime
from aws_cdk.aws_sns import Topic
from moto import mock_aws

from edgewise import OwnTable
from edgewise.aggregates.catalog import DeclarationError
from edgewise.cdk.aggregates import ExactAggregates
from tests.cdk.making import APART, SHOP, Made, declared, first_table, imported, keeps, made, table
from tests.infra import iam
from tests.support.cloudwatch import names
from tests.support.own_tables import BESIDE, NAME, Shop


def properties(template: Template, kind: str) -> list[Any]:
    return [each["Properties"] for each in template.find_resources(kind).values()]


def statements(template: Template, role: str) -> list[Any]:
    """All that the policies of roles whose names begin so say."""
    return [
        statement
        for policy in properties(template, "AWS::IAM::Policy")
        if any(each["Ref"].startswith(role) for each in policy["Roles"])
        for statement in policy["PolicyDocument"]["Statement"]
    ]


def of_table(template: Template, action: str, role: str = "consumer") -> list[Any]:
    found = statements(template, role)
    return [each for each in found if f"dynamodb:{action}" in iam.listed(each["Action"])]


@pytest.mark.parametrize(
    ("of", "own", "why"),
    [
        (lambda stack: table(stack, None), SHOP, "NEW_AND_OLD_IMAGES"),
        (lambda stack: table(stack, StreamViewType.KEYS_ONLY), SHOP, "NEW_AND_OLD_IMAGES"),
        (lambda stack: table(stack, StreamViewType.NEW_IMAGE), APART, "NEW_AND_OLD_IMAGES"),
        (imported, SHOP, "apart=True"),
    ],
)
def test_a_table_whose_aggregates_could_not_be_exact_is_refused(of: Made, own: OwnTable, why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        made(keeps(own), of)


@pytest.mark.parametrize("own", [OwnTable("pk", "what"), OwnTable("customer"), OwnTable("customer", "what", "SN")])
@pytest.mark.parametrize("of", [table, first_table])
def test_a_table_with_other_keys_than_the_declared_one_is_refused(of: Made, own: OwnTable) -> None:
    with pytest.raises(DeclarationError, match=r"its keys are customer \(S\), what \(S\), but OwnTable says"):
        made(keeps(own), of)


@pytest.mark.parametrize("kept", [SHOP, lambda event, context: None, None])
def test_what_is_no_consumer_is_refused(kept: Any) -> None:
    with pytest.raises(DeclarationError, match=r"consumer must be what consumer\(...\) gives, and not"):
        made(kept)


def indexed(kind: str, name: str, *keys: str) -> Made:
    """A table with an index of its owner's, added before or after the construct."""

    def of(stack: Stack) -> Any:
        made = first_table(stack) if kind == "local" else table(stack)
        found = [Attribute(name=key, type=AttributeType.STRING) for key in keys]
        if kind == "local":
            made.add_local_secondary_index(index_name=name, sort_key=found[0])
        else:
            made.add_global_secondary_index(index_name=name, partition_key=found[0], sort_key=found[-1])
        return made

    return of


@pytest.mark.parametrize(
    ("of", "why"),
    [
        (
            indexed("global", "mine", "EdgewiseCounted", "what"),
            "shop/table: the index mine has the key EdgewiseCounted",
        ),
        (indexed("global", "mine", "what", "EdgewisePK"), "shop/table: the index mine has the key EdgewisePK"),
        (indexed("local", "mine", "EdgewiseListed"), "shop/table: the index mine has the key EdgewiseListed"),
        (
            indexed("global", "edgewise", "EdgewisePK", "EdgewiseSK"),
            "shop/table: the index edgewise is of another release",
        ),
        (indexed("global", "edgewise-v1", "what", "customer"), "edgewise-v1"),
    ],
)
def test_an_index_that_collides_with_the_engines_items_is_refused(of: Made, why: str) -> None:
    with pytest.raises(RuntimeError, match=why):
        made(keeps(SHOP), of)


def test_an_index_that_is_added_later_is_refused_too() -> None:
    later = list[TableV2]()

    def of(stack: Stack) -> TableV2:
        later.append(table(stack))
        return later[0]

    with pytest.raises(RuntimeError, match="the index mine has the key EdgewiseSK"):
        made(keeps(APART), of, then=lambda: _add_index(later[0]))


def _add_index(to: TableV2) -> None:
    key = Attribute(name="EdgewiseSK", type=AttributeType.STRING)
    to.add_global_secondary_index(index_name="mine", partition_key=key)


@pytest.mark.parametrize("of", [table, first_table])
def test_an_index_of_the_owner_by_names_that_the_engine_uses_inside_is_none_of_its_business(of: Made) -> None:
    def both(stack: Stack) -> Any:
        found = of(stack)
        for name in ("Version", "Type", "GSI1PK"):
            key = Attribute(name=name, type=AttributeType.STRING)
            found.add_global_secondary_index(index_name=f"by-{name}", partition_key=key)
        return found

    template = made(keeps(SHOP), both)
    kind = "AWS::DynamoDB::Table" if of is first_table else "AWS::DynamoDB::GlobalTable"
    (found,) = properties(template, kind)
    (mine,) = (each for each in found["GlobalSecondaryIndexes"] if each["IndexName"] == "edgewise-v1")
    assert [each["AttributeName"] for each in mine["KeySchema"]] == ["EdgewisePK", "EdgewiseSK"]
    assert mine["Projection"] == {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["EdgewiseListed"]}


def of_customer(stack: Stack) -> Table:
    """One that is encrypted by a key of its owner's."""
    partition, sort = (Attribute(name=name, type=AttributeType.STRING) for name in ("customer", "what"))
    view, key = StreamViewType.NEW_AND_OLD_IMAGES, Key(stack, "key")
    return Table(stack, "table", partition_key=partition, sort_key=sort, stream=view, encryption_key=key)


@pytest.mark.parametrize("own", [SHOP, APART])
def test_who_may_read_aggregates_may_use_the_customers_key(own: OwnTable) -> None:
    template = made(keeps(own), of_customer, reads=True)
    assert [each for each in statements(template, "reader") if iam.listed(each["Action"]) == ["kms:Decrypt"]]
    keys = [json.dumps(each["SSESpecification"]) for each in properties(template, "AWS::DynamoDB::Table")]
    assert len({*keys}) == 1, "what is kept apart is encrypted by the same key"


@pytest.mark.parametrize(("reads", "writes"), [(None, None), (20, 40)])
def test_the_index_of_a_provisioned_table_takes_what_the_table_takes(reads: int | None, writes: int | None) -> None:
    def of(stack: Stack) -> Table:
        keys = (Attribute(name=name, type=AttributeType.STRING) for name in ("customer", "what"))
        given: dict[str, Any] = {"read_capacity": reads, "write_capacity": writes} if reads else {}
        mode, view = BillingMode.PROVISIONED, StreamViewType.NEW_AND_OLD_IMAGES
        partition, sort = keys
        return Table(stack, "table", partition_key=partition, sort_key=sort, stream=view, billing_mode=mode, **given)

    (found,) = properties(made(keeps(SHOP), of), "AWS::DynamoDB::Table")
    (index,) = found["GlobalSecondaryIndexes"]
    assert index["ProvisionedThroughput"] == {"ReadCapacityUnits": reads or 5, "WriteCapacityUnits": 2 * (writes or 5)}


def test_a_table_that_is_imported_by_its_name_says_how_to_import_its_stream() -> None:
    with pytest.raises(DeclarationError, match="imported without its stream: import it by from_table_attributes"):
        made(keeps(APART), lambda stack: TableV2.from_table_name(stack, "table", "shop"))


def test_operators_have_a_function_of_their_own() -> None:
    stack = Stack(App(), "shop")
    code, runtime, timeout = Code.from_inline("handler = None"), Runtime.PYTHON_3_13, Duration.seconds(300)
    same = Function(stack, "consumer", runtime=runtime, handler="totals.handler", code=code, timeout=timeout)
    topic = Topic(stack, "topic")
    with pytest.raises(DeclarationError, match="operators must be a function of its own"):
        ExactAggregates(
            stack, "kept", table=table(stack), consumer=keeps(SHOP), function=same, operators=same, topic=topic
        )


def test_a_function_that_has_no_time_to_end_its_writes_is_refused() -> None:
    with pytest.raises(DeclarationError, match="timeout"):
        made(keeps(SHOP), timeout=60)


@pytest.mark.parametrize("of", [table, first_table])
def test_the_function_writes_below_its_prefix_alone(of: Made) -> None:
    template = made(keeps(SHOP), of)
    for action in ("PutItem", "BatchWriteItem", "DeleteItem", "ConditionCheckItem"):
        (allowed,) = of_table(template, action)
        assert allowed["Condition"] == {
            "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["edgewise#*"]},
            "Null": {"dynamodb:LeadingKeys": "false"},
        }
    assert not of_table(template, "UpdateItem")
    assert not [each for each in statements(template, "consumer") if "*" in iam.listed(each["Action"])]


def test_while_a_backfill_is_declared_it_sets_one_attribute_of_other_items() -> None:
    template = made(keeps(SHOP, "first"))
    assert not of_table(template, "UpdateItem"), "operators ask for it"
    (allowed,) = of_table(template, "UpdateItem", "operators")
    assert allowed["Condition"] == {
        "ForAllValues:StringEquals": {"dynamodb:Attributes": ["customer", "what", "EdgewiseCounted"]},
        "StringEqualsIfExists": {"dynamodb:ReturnValues": "NONE"},
    }


@pytest.mark.parametrize("own", [SHOP, APART])
def test_both_functions_may_ask_what_indexes_the_owners_table_has_and_no_other(own: OwnTable) -> None:
    for role in ("consumer", "operators"):
        (allowed,) = of_table(made(keeps(own)), "DescribeTable", role)
        assert iam.resource_name(allowed["Resource"]) == "table"


def test_nothing_is_written_to_a_table_whose_aggregates_are_apart() -> None:
    template = made(keeps(APART), imported)
    for action in ("PutItem", "BatchWriteItem", "DeleteItem", "ConditionCheckItem"):
        (allowed,) = of_table(template, action)
        assert "shop" not in json.dumps(allowed["Resource"])
    assert len(properties(template, "AWS::Lambda::EventSourceMapping")) == 2


@pytest.mark.parametrize("own", [SHOP, APART])
def test_both_streams_are_read_from_the_first_record_on_in_windows_and_nothing_is_dropped(own: OwnTable) -> None:
    for mapping in properties(made(keeps(own)), "AWS::Lambda::EventSourceMapping"):
        assert mapping["StartingPosition"] == "TRIM_HORIZON"
        assert mapping["TumblingWindowInSeconds"] > 0
        assert mapping["MaximumRetryAttempts"] == -1
        assert mapping["MaximumRecordAgeInSeconds"] == 23 * 3600
        assert "OnFailure" in mapping["DestinationConfig"]
        assert "FilterCriteria" not in mapping


def test_what_is_given_up_reaches_the_function_and_each_fault_rings() -> None:
    template = made(keeps(SHOP))
    rules = properties(template, "AWS::Events::Rule")
    assert {rule.get("ScheduleExpression") for rule in rules} == {"rate(1 hour)", None}
    (swept,) = (rule["Targets"][0]["Input"] for rule in rules if "ScheduleExpression" in rule)
    assert json.loads(swept) == {"do": "sweep"}
    alarms = properties(template, "AWS::CloudWatch::Alarm")
    assert all(alarm["AlarmActions"] == alarm["OKActions"] != [] for alarm in alarms)
    assert {names(alarm) for alarm in alarms} == {
        frozenset({"Errors", "Throttles", "FailedInvokeEventCount"}),
        frozenset({"IteratorAge"}),
        frozenset({"DroppedEventCount", "OnFailureDestinationDeliveredEventCount", "DestinationDeliveryFailures"}),
        frozenset({"QuarantineLevel"}),
        frozenset({"IncompleteAggregates"}),
    }


def test_an_emulator_gets_the_alarms_that_it_knows() -> None:
    alarms = properties(made(keeps(SHOP), context={"edgewise:emulator": "true"}), "AWS::CloudWatch::Alarm")
    assert {alarm["MetricName"] for alarm in alarms} == {"IteratorAge", "QuarantineLevel", "IncompleteAggregates"}


def test_heartbeats_are_sent_by_whoever_reads_the_stream() -> None:
    template = made(keeps(SHOP), heartbeats=True)
    asked = {
        rule["ScheduleExpression"]: json.loads(rule["Targets"][0]["Input"])
        for rule in properties(template, "AWS::Events::Rule")
        if "ScheduleExpression" in rule
    }
    assert asked == {"rate(1 hour)": {"do": "sweep"}, "rate(1 minute)": {"do": "beat"}}
    told = [each.get("Environment", {}).get("Variables", {}) for each in properties(template, "AWS::Lambda::Function")]
    (stream,) = (each["STREAM_ARN"] for each in told if "STREAM_ARN" in each)
    assert [each for each in of_table(template, "DescribeStream") if each["Resource"] == stream]
    alarms = properties(template, "AWS::CloudWatch::Alarm")
    (silent,) = (each for each in alarms if each.get("MetricName") == "InvokedEventCount")
    told_of = (silent["Period"], silent["EvaluationPeriods"], silent["Threshold"], silent["TreatMissingData"])
    assert told_of == (60, 3, 1, "breaching"), "silence is five minutes: two more are looked at"


def test_where_the_engine_may_not_write_there_are_no_heartbeats() -> None:
    with pytest.raises(DeclarationError, match="heartbeats go through the stream of the table"):
        made(keeps(APART), heartbeats=True)


def test_a_reader_reads_aggregates_and_nothing_else_of_the_table() -> None:
    allowed = statements(made(keeps(SHOP), reads=True), "reader")
    actions = {action for each in allowed for action in iam.listed(each["Action"])}
    assert actions == {"dynamodb:GetItem", "dynamodb:BatchGetItem", "dynamodb:Query"}
    (table_alone,) = (each for each in allowed if "dynamodb:GetItem" in iam.listed(each["Action"]))
    assert table_alone["Condition"]["ForAllValues:StringLike"] == {"dynamodb:LeadingKeys": ["edgewise#*"]}


@pytest.fixture
def aws(aws_env: pytest.MonkeyPatch) -> Iterator[None]:
    with mock_aws():
        yield


@pytest.mark.parametrize("own", [SHOP, APART])
def test_whatever_the_function_asks_the_tables_for_is_allowed(aws: None, own: OwnTable) -> None:
    shop, asked = Shop(own, 1), set[iam.Request]()
    shop.engine.meta.events.register("provide-client-params.dynamodb.*", lambda **told: asked.update(_asked(**told)))
    customers, *others = declared(own)
    shop.deploy(customers, *others)
    with shop.delivered():
        _busy(shop, Random(1))
        shop.drain()
        if own.has_room:
            shop.beat()
        for command in ("sweep", "list", "apply", "forget"):
            assert "error" not in shop.command(do=command, backfill="first")
        found = shop.command(do="recount", kind=customers.declared.full_name, dimensions=["a"], repair=True)
        assert found["equal"]
    template = made(keeps(own))
    given = [*statements(template, "consumer"), *statements(template, "operators")]
    assert {request for request in asked if not iam.allows(given, request)} == set()
    assert {request.action for request in asked} >= {
        "GetItem",
        "PutItem",
        "DeleteItem",
        "Query",
        "Scan",
        "DescribeTable",
    }


@pytest.mark.parametrize("own", [SHOP, APART])
def test_a_reader_may_ask_for_whatever_a_read_asks_for(aws: None, own: OwnTable) -> None:
    shop, asked = Shop(own, 1), set[iam.Request]()
    customers, products, best = declared(own)
    shop.deploy(customers, products, best)
    with shop.delivered():
        _busy(shop, Random(1), 20)
        shop.drain()
        shop.engine.meta.events.register(
            "provide-client-params.dynamodb.*", lambda **told: asked.update(_asked(**told))
        )
        customers.get(shop.table, customer="a", fresh=customers.freshness(shop.table))
        assert products.values(shop.table, products.customers, product="tea").values
        assert best.ranking(shop.table, best.products).standings
    given = statements(made(keeps(own), reads=True), "reader")
    assert asked
    assert {request for request in asked if not iam.allows(given, request)} == set()


def _busy(shop: Shop, random: Random, changes: int = 120) -> None:
    for _ in range(changes):
        key = {"customer": {"S": random.choice("abc")}, "what": {"S": f"order-{random.randint(1, 9)}"}}
        if random.random() < 0.3:
            shop.owner.delete_item(TableName=NAME, Key=key)
        else:
            euros = {"N": str(random.randint(1, 99))}
            item = {**key, "product": {"S": random.choice(["tea", "mug"])}, "euros": euros}
            shop.owner.put_item(TableName=NAME, Item=item)
        shop.step()


_ACTIONS = {"Put": "PutItem", "Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
# What the construct calls the two tables.
_TABLES = {NAME: "table", BESIDE: "aggregatestable"}


def _asked(params: Mapping[str, Any], model: Any, **_: Any) -> Iterator[iam.Request]:
    """A request as IAM sees it."""

    def of(action: str, name: str, keys: Sequence[Any] | None, index: str = "") -> iam.Request:
        told = None if keys is None else tuple(str(next(iter(_partition(key).values()))) for key in keys)
        return iam.Request(action, told, _TABLES[name] + (f"/index/{index}" if index else ""))

    for name, asked in params.get("RequestItems", {}).items():
        if isinstance(asked, Mapping):
            yield of("BatchGetItem", name, asked["Keys"])
            continue
        requests = [one for request in asked for one in request.values()]
        yield of("BatchWriteItem", name, [one.get("Item") or one["Key"] for one in requests])
    for action in params.get("TransactItems", ()):
        ((kind, one),) = action.items()
        yield of(_ACTIONS[kind], one["TableName"], [one.get("Item") or one["Key"]])
    if "TableName" in params:
        keys = [params[name] for name in ("Key", "Item") if name in params]
        if model.name == "Query":
            keys = [{"PK": params["ExpressionAttributeValues"][":pk"]}]
        yield of(model.name, params["TableName"], keys or None, params.get("IndexName", ""))


def _partition(key: Mapping[str, Any]) -> Any:
    return key["customer"] if "customer" in key else key["PK"]
