"""What the deployed alarms and the dashboard do: a number that is too high reaches the topic's subscribers."""

import json

from edgewise.dynamodb.schema import INDEXES
from tests.e2e.conftest import Deployment

NAMESPACE, METRIC = "Edgewise/local", "QuarantineLevel"
DIMENSIONS = [{"Name": "service", "Value": "sweeper"}]
# Without it, a queue takes nothing from a topic.
OPEN = {"Statement": [{"Effect": "Allow", "Principal": "*", "Action": "sqs:SendMessage", "Resource": "*"}]}


def test_a_quarantine_that_is_not_empty_wakes_the_subscribers(deployment: Deployment) -> None:
    cloudwatch, queues = deployment.cloud.client("cloudwatch"), deployment.cloud.client("sqs")
    queue = queues.create_queue(QueueName="on-call", Attributes={"Policy": json.dumps(OPEN)})["QueueUrl"]
    arn = queues.get_queue_attributes(QueueUrl=queue, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    topic = deployment.outputs["TicketTopicArn"]
    deployment.cloud.client("sns").subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn)
    (alarm,) = cloudwatch.describe_alarms_for_metric(Namespace=NAMESPACE, MetricName=METRIC, Dimensions=DIMENSIONS)[
        "MetricAlarms"
    ]
    states = []
    for level in (0, 1):
        data = {"MetricName": METRIC, "Dimensions": DIMENSIONS, "Value": level}
        cloudwatch.put_metric_data(Namespace=NAMESPACE, MetricData=[data])
        (found,) = cloudwatch.describe_alarms(AlarmNames=[alarm["AlarmName"]])["MetricAlarms"]
        states.append(found["StateValue"] == "ALARM")
    assert states == [False, True]
    told = set[tuple[str, str]]()
    while len(told) < len(states):
        for message in queues.receive_message(QueueUrl=queue, WaitTimeSeconds=20)["Messages"]:
            change = json.loads(json.loads(message["Body"])["Message"])
            told.add((change["AlarmName"], change["NewStateValue"]))
    assert told == {(alarm["AlarmName"], state) for state in ("OK", "ALARM")}


def test_the_dashboard_is_there_and_names_what_is_deployed(deployment: Deployment) -> None:
    cloudwatch, outputs = deployment.cloud.client("cloudwatch"), deployment.outputs
    body = cloudwatch.get_dashboard(DashboardName=outputs["DashboardName"])["DashboardBody"]
    assert json.loads(body)["widgets"]
    names = [outputs["TableName"], outputs["EdgeAggregatorFunctionName"], outputs["TelemetryFunctionName"]]
    for name in (*names, *(index.name for index in INDEXES)):
        assert f'"{name}"' in body
