"""Stacks of somebody's own table, with the construct that wires a consumer to it."""

from collections.abc import Callable, Mapping
from typing import Any

from aws_cdk import App, Duration, Stack
from aws_cdk.assertions import Template
from aws_cdk.aws_dynamodb import Attribute, AttributeType, StreamViewType, Table, TableV2
from aws_cdk.aws_iam import Role, ServicePrincipal
from aws_cdk.aws_lambda import Code, Function, Runtime
from aws_cdk.aws_sns import Topic

from edgewise import OwnTable, consumer
from edgewise.cdk.aggregates import ExactAggregates
from edgewise.own.consumer import Consumer
from edgewise.views import Items, Number, Text, View, count, distinct, group_by, max_of, sum_of, top

SHOP = OwnTable("customer", "what")
APART = OwnTable("customer", "what", apart=True)
Made = Callable[[Stack], Any]


def declared(own: OwnTable, run: str = "") -> tuple[Any, Any, Any]:
    """A near view of a table, a far one and a ranking; `run`: their backfill."""

    class Order(Items, table=own):
        customer, product, euros = Text(), Text(), Number()

    class Customers(View, of=Order, backfill=run):
        customer = group_by(Order.customer)
        orders, greatest = count(), max_of(Order.euros)

    class Products(View, of=Order, backfill=run):
        product = group_by(Order.product)
        euros, customers = sum_of(Order.euros), distinct(Order.customer)

    class Best(View, of=Order, backfill=run):
        euros = sum_of(Order.euros)
        products = top(Order.product, by=euros)

    return Customers, Products, Best


def keeps(own: OwnTable, run: str = "") -> Consumer:
    return consumer(*declared(own, run))


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
            handler=f"shop.{name}",
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
