"""Stacks of somebody's own table, with the construct that wires a consumer to it."""

from collections.abc import Callable, Mapping
from typing import Any

from aws_cdk import App, Duration, Stack
from aws_cdk.assertions import Template
from aws_cdk.aws_dynamodb import Attribute, AttributeType, StreamViewType, Table, TableV2
from aws_cdk.aws_iam import Role, ServicePrincipal
from aws_cdk.aws_lambda import Code, Function, Runtime
from aws_cdk.aws_sns import Topic

from edgewise import OwnTable, consumer, totals
from edgewise.cdk.aggregates import ExactAggregates
from edgewise.own.consumer import Consumer
from edgewise.own.totals import Totals

SHOP = OwnTable("customer", "what")
APART = OwnTable("customer", "what", apart=True)
Made = Callable[[Stack], Any]


def declared(own: OwnTable, backfill: str = "") -> tuple[Totals, Totals]:
    orders = own.items("order")
    return (
        totals(orders, "CUSTOMER", by="customer", of="euros", extremes=True, backfill=backfill),
        totals(orders, "PRODUCT", by="product", of="euros", distinct="customer", top=10, backfill=backfill),
    )


def keeps(own: OwnTable, backfill: str = "") -> Consumer:
    return consumer(*declared(own, backfill))


def table(stack: Stack, view: StreamViewType | None = StreamViewType.NEW_AND_OLD_IMAGES) -> TableV2:
    partition, sort = (Attribute(name=name, type=AttributeType.STRING) for name in ("customer", "what"))
    return TableV2(stack, "table", partition_key=partition, sort_key=sort, dynamo_stream=view)


def first_table(stack: Stack) -> Table:
    """By CDK's older class."""
    partition, sort = (Attribute(name=name, type=AttributeType.STRING) for name in ("customer", "what"))
    view = StreamViewType.NEW_AND_OLD_IMAGES
    return Table(stack, "table", partition_key=partition, sort_key=sort, stream=view)


def imported(stack: Stack) -> Any:
    arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/shop"
    return TableV2.from_table_attributes(stack, "table", table_arn=arn, table_stream_arn=f"{arn}/stream/2026")


def made(
    kept: Consumer,
    of: Made = table,
    *,
    timeout: int = 300,
    reads: bool = False,
    heartbeats: bool = False,
    context: Mapping[str, Any] | None = None,
    then: Callable[[], None] = lambda: None,
) -> Template:
    stack = Stack(App(context=context), "shop")
    function, operators = (
        Function(
            stack,
            name,
            runtime=Runtime.PYTHON_3_13,
            handler=f"totals.{name}",
            code=Code.from_inline("handler = None"),
            timeout=Duration.seconds(timeout),
        )
        for name in ("consumer", "operators")
    )
    kept_for = ExactAggregates(
        stack,
        "aggregates",
        table=of(stack),
        consumer=kept,
        function=function,
        operators=operators,
        topic=Topic(stack, "topic"),
        heartbeats=heartbeats,
    )
    if reads:
        kept_for.grant_read(Role(stack, "reader", assumed_by=ServicePrincipal("lambda.amazonaws.com")))
    then()
    return Template.from_stack(stack)
