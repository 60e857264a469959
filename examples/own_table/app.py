"""The shop's table as it was, and a function that keeps its views: `make build`, then `cdk deploy`."""

from aws_cdk import App, Duration, Stack
from aws_cdk.aws_dynamodb import Attribute, AttributeType, StreamViewType, TableV2
from aws_cdk.aws_lambda import Code, Function, Runtime
from aws_cdk.aws_sns import Topic
from shop import handler

from edgewise import ExactAggregates

app = App()
stack = Stack(app, "shop")
table = TableV2(
    stack,
    "table",
    table_name="shop-orders",
    partition_key=Attribute(name="customer", type=AttributeType.STRING),
    sort_key=Attribute(name="what", type=AttributeType.STRING),
    dynamo_stream=StreamViewType.NEW_AND_OLD_IMAGES,
)
function, operators = (
    Function(
        stack,
        name,
        function_name=f"shop-{name}",
        runtime=Runtime.PYTHON_3_13,
        code=Code.from_asset("build"),
        handler=f"shop.{called}",
        timeout=Duration.minutes(5),
        memory_size=1769,
    )
    for name, called in (("views", "handler"), ("views-operators", "operators"))
)
topic = Topic(stack, "alarms", enforce_ssl=True)
ExactAggregates(stack, "aggregates", table=table, consumer=handler, function=function, operators=operators, topic=topic)
app.synth()
