"""What wakes somebody, and that it reaches the topic."""

import pytest

from tests.infra.conftest import Deployment

FUNCTION_ALARMS = {("AWS/Lambda", "Errors", "Sum", 1), ("AWS/Lambda", "Throttles", "Sum", 1)}
READER_ALARMS = FUNCTION_ALARMS | {
    *(("AWS/Lambda", "IteratorAge", "Maximum", minutes * 60 * 1000) for minutes in (15, 6 * 60, 12 * 60)),
    ("AWS/Lambda", "FailedInvokeEventCount", "Sum", 1),
    ("AWS/Lambda", "DroppedEventCount", "Sum", 1),
    ("AWS/Lambda", "OnFailureDestinationDeliveredEventCount", "Sum", 1),
    ("AWS/Lambda", "DestinationDeliveryFailures", "Sum", 1),
    ("Edgewise/dev", "QuarantinedRecords", "Sum", 1),
}
ALARMS = {
    "edge_stream": READER_ALARMS
    | {("Edgewise/dev", "IncompleteAggregates", "Sum", 1), ("Edgewise/dev", "SettingsNotObeyed", "Sum", 1)},
    "cascade": READER_ALARMS,
    "api": FUNCTION_ALARMS
    | {
        ("AWS/ApiGateway", "5xx", "Sum", 1),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", 1),
    },
}


def test_alarms(dev: Deployment) -> None:
    for stack, expected in ALARMS.items():
        alarms = getattr(dev, stack).find_resources("AWS::CloudWatch::Alarm").values()
        found = [one["Properties"] for one in alarms]
        facts = {(a["Namespace"], a["MetricName"], a["Statistic"], a["Threshold"]) for a in found}
        assert facts == expected
        for alarm in found:
            assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"
            assert alarm["TreatMissingData"] == "notBreaching"
            (action,) = alarm["AlarmActions"]
            assert "Refalarms" in action["Fn::ImportValue"]


def test_lost_events_are_those_of_the_readers_mapping(dev: Deployment) -> None:
    for template in (dev.edge_stream, dev.cascade):
        (mapping,) = template.find_resources("AWS::Lambda::EventSourceMapping")
        dropped = {"MetricName": "DroppedEventCount"}
        (alarm,) = template.find_resources("AWS::CloudWatch::Alarm", {"Properties": dropped}).values()
        assert alarm["Properties"]["Dimensions"] == [{"Name": "EventSourceMappingUUID", "Value": {"Ref": mapping}}]


def test_who_is_behind_or_loses_records_is_told_what_to_do(dev: Deployment) -> None:
    for one in dev.resources("AWS::CloudWatch::Alarm").values():
        alarm = one["Properties"]
        if alarm["MetricName"] == "IteratorAge" or alarm["MetricName"].endswith("EventCount"):
            assert "docs/operations.md" in alarm["AlarmDescription"]


def test_every_function_is_watched(dev: Deployment) -> None:
    alarms = [one["Properties"] for one in dev.resources("AWS::CloudWatch::Alarm").values()]
    for metric in ("Errors", "Throttles"):
        watched = {a["Dimensions"][0]["Value"]["Ref"] for a in alarms if a["MetricName"] == metric}
        assert watched == set(dev.resources("AWS::Lambda::Function"))


@pytest.mark.parametrize(("stack", "reader"), [("edge_stream", "edge_aggregator"), ("cascade", "cascade")])
def test_quarantine_is_counted_where_the_readers_count_it(dev: Deployment, stack: str, reader: str) -> None:
    variables = dev.functions()[reader]["Environment"]["Variables"]
    getattr(dev, stack).has_resource_properties(
        "AWS::CloudWatch::Alarm",
        {
            "Namespace": variables["POWERTOOLS_METRICS_NAMESPACE"],
            "MetricName": "QuarantinedRecords",
            "Dimensions": [{"Name": "service", "Value": variables["POWERTOOLS_SERVICE_NAME"]}],
        },
    )


def test_cloudwatch_may_publish_to_the_topic(dev: Deployment) -> None:
    (policy,) = dev.table.find_resources("AWS::SNS::TopicPolicy").values()
    allowed = [one for one in policy["Properties"]["PolicyDocument"]["Statement"] if one["Effect"] == "Allow"]
    assert [(one["Principal"], one["Action"]) for one in allowed] == [
        ({"Service": "cloudwatch.amazonaws.com"}, "sns:Publish")
    ]
