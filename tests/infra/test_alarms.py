"""What wakes somebody, and that it reaches the topic."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from functions.routes import ROUTES
from tests.infra.conftest import CHECKED, Deployment

SILENCE = "InvokedEventCount"
# Namespace, metric, statistic, threshold.
Fact = tuple[str, str, str, int]
FUNCTION_ALARMS = {("AWS/Lambda", "Errors", "Sum", 1), ("AWS/Lambda", "Throttles", "Sum", 1)}
READER_ALARMS = FUNCTION_ALARMS | {
    *(("AWS/Lambda", "IteratorAge", "Maximum", minutes * 60 * 1000) for minutes in (15, 6 * 60, 12 * 60)),
    ("AWS/Lambda", "FailedInvokeEventCount", "Sum", 1),
    ("AWS/Lambda", "InvokedEventCount", "Sum", 1),
    ("AWS/Lambda", "DroppedEventCount", "Sum", 1),
    ("AWS/Lambda", "OnFailureDestinationDeliveredEventCount", "Sum", 1),
    ("AWS/Lambda", "DestinationDeliveryFailures", "Sum", 1),
    ("Edgewise/prod", "QuarantinedRecords", "Sum", 1),
}
ALARMS = {
    "table": {("AWS/DynamoDB", f"{kind}ThrottleEvents", "Sum", 100) for kind in ("Read", "Write")},
    "edge_stream": READER_ALARMS
    | {
        ("Edgewise/prod", "IncompleteAggregates", "Sum", 1),
        ("Edgewise/prod", "RequestsFailed", "Sum", 100),
        ("Edgewise/prod", "QuarantineLevel", "Maximum", 1),
    },
    "cascade": READER_ALARMS,
    "api": FUNCTION_ALARMS
    | {
        ("AWS/ApiGateway", "5xx", "Sum", 1),
        ("AWS/ApiGateway", "Latency", "p99", 5000),
        ("AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", 600),
        ("Edgewise/prod", "Unauthorized", "Sum", 100),
        ("Edgewise/prod", "Forbidden", "Sum", 100),
        ("Edgewise/prod", "ItemsLeftOut", "Sum", 1),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", 1),
    },
}
CHECKS = FUNCTION_ALARMS | {
    ("Edgewise/prod", "Differences", "Sum", 1),
    ("Edgewise/prod", "UnreadableSources", "Sum", 1),
    ("Edgewise/prod", "RunsFailed", "Sum", 1),
    ("Edgewise/prod", "ReconcilesDone", "Sum", 1),
}
# Those that every stage has.
FEW_OF_READERS = {
    ("AWS/Lambda", "InvokedEventCount", "Sum", 1),
    ("AWS/Lambda", "IteratorAge", "Maximum", 15 * 60 * 1000),
    ("AWS/Lambda", "DroppedEventCount", "Sum", 1),
    ("AWS/Lambda", "OnFailureDestinationDeliveredEventCount", "Sum", 1),
    ("AWS/Lambda", "DestinationDeliveryFailures", "Sum", 1),
}
FEW: dict[str, set[Fact]] = {
    "table": set(),
    "edge_stream": FEW_OF_READERS
    | {("Edgewise/dev", "IncompleteAggregates", "Sum", 1), ("Edgewise/dev", "QuarantineLevel", "Maximum", 1)},
    "cascade": FEW_OF_READERS,
    "api": {("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", 1)},
}


def alarms_of(deployment: Deployment, stack: str) -> list[dict[str, Any]]:
    found = getattr(deployment, stack).find_resources("AWS::CloudWatch::Alarm").values()
    return [one["Properties"] for one in found]


def facts(alarms: list[dict[str, Any]]) -> list[Fact]:
    """What each alarm watches."""
    return [
        (a["Namespace"], a["MetricName"], a.get("Statistic") or a["ExtendedStatistic"], a["Threshold"]) for a in alarms
    ]


def test_production_has_every_alarm(prod: Deployment) -> None:
    for stack, expected in ALARMS.items():
        alarms = alarms_of(prod, stack)
        assert set(facts(alarms)) == expected
        for alarm in (each for each in alarms if each["MetricName"] != SILENCE):
            assert alarm["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"
            assert alarm["TreatMissingData"] == "notBreaching"
            (action,) = alarm["AlarmActions"]
            assert "alarms" in (action["Ref"] if stack == "table" else action["Fn::ImportValue"])


def test_a_developers_stage_has_those_of_wrong_late_or_lost_numbers(dev: Deployment) -> None:
    for stack, expected in FEW.items():
        assert sorted(facts(alarms_of(dev, stack))) == sorted(expected)


def test_checks_have_alarms_of_their_own(checked: Deployment, deployment: Callable[..., Deployment]) -> None:
    """A developer's stage has all but those of failures that the missing check tells of, too."""
    alarms = alarms_of(checked, "batch")
    assert set(facts(alarms)) == CHECKS
    few = {(metric, *rest) for _, metric, *rest in facts(alarms_of(deployment("dev", CHECKED), "batch"))}
    assert few == {(metric, *rest) for _, metric, *rest in CHECKS - FUNCTION_ALARMS}
    assert all("alarms" in action["Fn::ImportValue"] for one in alarms for action in one["AlarmActions"])


def test_push_has_alarms_of_its_own(checked: Deployment) -> None:
    """Of each of its functions, and of what subscribers were not sent."""
    found = facts(alarms_of(checked, "push"))
    assert set(found) == FUNCTION_ALARMS | {("Edgewise/prod", "PushesMissed", "Sum", 1)}
    assert [found.count(each) for each in FUNCTION_ALARMS] == [4, 4]
    dead = ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", 1)
    assert set(facts(alarms_of(checked, "cascade"))) == READER_ALARMS | {dead}


def test_search_has_alarms_of_its_own(checked: Deployment) -> None:
    """Of its writer: what it can't understand, what it has given up, and what waits for it."""
    assert set(facts(alarms_of(checked, "search"))) == FUNCTION_ALARMS | {
        ("Edgewise/prod", "NotIndexed", "Sum", 1),
        ("AWS/SQS", "ApproximateNumberOfMessagesVisible", "Maximum", 1),
        ("AWS/SQS", "ApproximateAgeOfOldestMessage", "Maximum", 900),
    }


def test_it_rings_when_no_check_has_succeeded_in_two_intervals(checked: Deployment) -> None:
    """Each hour counts its own checks, those without any count as none; CloudWatch allows seven days of hours."""
    (missing,) = [one for one in alarms_of(checked, "batch") if one["MetricName"] == "ReconcilesDone"]
    assert missing["ComparisonOperator"] == "LessThanThreshold"
    assert missing["TreatMissingData"] == "breaching"
    assert missing["Period"] * missing["EvaluationPeriods"] == 2 * CHECKED.interval_hours * 3600 <= 7 * 86_400
    assert missing["Period"] >= 3600


def rings(alarm: Any, minutes: list[int | None]) -> bool:
    """Whether an alarm on a sum rings at the end of these minutes, as CloudWatch documents it; None: no data."""
    assert alarm["Period"] == 60
    last = minutes[-alarm["EvaluationPeriods"] :]
    breaching = {"breaching": True, "notBreaching": False}[alarm["TreatMissingData"]]
    compared = [breaching if each is None else each < alarm["Threshold"] for each in last]
    return len(last) == alarm["EvaluationPeriods"] and all(compared)


def test_a_reader_that_gets_nothing_rings_within_five_minutes_on_every_stage(prod: Deployment, dev: Deployment) -> None:
    """A mapping that is switched off has no iterator age, no failure and no lost record: the stream drops them."""
    for stage in (prod, dev):
        for template in (stage.edge_stream, stage.cascade):
            (alarm,) = (
                each["Properties"]
                for each in template.find_resources("AWS::CloudWatch::Alarm").values()
                if each["Properties"]["MetricName"] == SILENCE
            )
            mappings = template.find_resources("AWS::Lambda::EventSourceMapping").items()
            (mapping,) = (key for key, each in mappings if "FilterCriteria" in each["Properties"])
            assert alarm["Dimensions"] == [{"Name": "EventSourceMappingUUID", "Value": {"Ref": mapping}}]
            assert alarm["ComparisonOperator"] == "LessThanThreshold"
            # Six heartbeats a minute and shard, of which some may come in the next one.
            assert not rings(alarm, [6, 24, 1, 7, 6, 5])
            assert not rings(alarm, [6, None, None, None, None, 1])
            assert rings(alarm, [6, None, None, None, None, None])
            assert rings(alarm, [6, 0, 0, 0, 0, 0])


def test_the_table_and_each_index_are_watched_for_throttles(prod: Deployment) -> None:
    (table,) = prod.table.find_resources("AWS::DynamoDB::GlobalTable")
    alarms = [one["Properties"] for one in prod.table.find_resources("AWS::CloudWatch::Alarm").values()]
    for metric in ("ReadThrottleEvents", "WriteThrottleEvents"):
        watched = [
            {each["Name"]: each["Value"] for each in one["Dimensions"]} for one in alarms if one["MetricName"] == metric
        ]
        assert [one["TableName"] for one in watched] == [{"Ref": table}] * 4
        assert {one.get("GlobalSecondaryIndexName") for one in watched} == {None, "GSI1", "GSI2", "GSI3"}


def test_refusals_are_counted_from_the_status_of_the_access_log(prod: Deployment) -> None:
    (stage,) = prod.api.find_resources("AWS::ApiGatewayV2::Stage").values()
    access_log = stage["Properties"]["AccessLogSettings"]
    assert json.loads(access_log["Format"])["status"] == "$context.status"
    filters = [one["Properties"] for one in prod.api.find_resources("AWS::Logs::MetricFilter").values()]
    counted = {one["FilterPattern"]: one["MetricTransformations"][0] for one in filters}
    assert {to["MetricNamespace"] for to in counted.values()} == {"Edgewise/prod"}
    assert {pattern: (to["MetricName"], to["MetricValue"]) for pattern, to in counted.items()} == {
        '{ $.status = "401" }': ("Unauthorized", "1"),
        '{ $.status = "403" }': ("Forbidden", "1"),
        '{ $.status = "429" }': ("TooManyRequests", "1"),
    }
    for one in filters:
        assert one["LogGroupName"]["Ref"] in json.dumps(access_log["DestinationArn"])


def test_the_level_of_the_quarantine_is_that_of_two_sweeps(prod: Deployment) -> None:
    """An alarm whose period had no sweep in it would be over while records are still there."""
    (rule,) = prod.edge_stream.find_resources(
        "AWS::Events::Rule", {"Properties": {"ScheduleExpression": "rate(1 hour)"}}
    )
    assert rule
    prod.edge_stream.has_resource_properties(
        "AWS::CloudWatch::Alarm",
        {"MetricName": "QuarantineLevel", "Period": 7200, "Dimensions": [{"Name": "service", "Value": "sweeper"}]},
    )


def test_every_system_is_watched_for_items_that_it_leaves_out(prod: Deployment) -> None:
    """By one alarm, on the name under which all of them count."""
    (alarm,) = prod.api.find_resources(
        "AWS::CloudWatch::Alarm", {"Properties": {"MetricName": "ItemsLeftOut"}}
    ).values()
    functions = (one["Environment"]["Variables"] for name, one in prod.functions().items() if name in ROUTES)
    (counting,) = {each["POWERTOOLS_SERVICE_NAME"] for each in functions}
    assert alarm["Properties"]["Dimensions"] == [{"Name": "service", "Value": counting}]


def test_lost_events_are_those_of_the_readers_mapping(prod: Deployment) -> None:
    for template in (prod.edge_stream, prod.cascade):
        mappings = template.find_resources("AWS::Lambda::EventSourceMapping").items()
        (mapping,) = [key for key, each in mappings if "FilterCriteria" in each["Properties"]]
        dropped = {"MetricName": "DroppedEventCount"}
        (alarm,) = template.find_resources("AWS::CloudWatch::Alarm", {"Properties": dropped}).values()
        assert alarm["Properties"]["Dimensions"] == [{"Name": "EventSourceMappingUUID", "Value": {"Ref": mapping}}]


def test_who_is_behind_or_loses_records_is_told_what_to_do(prod: Deployment) -> None:
    for one in prod.resources("AWS::CloudWatch::Alarm").values():
        alarm = one["Properties"]
        if alarm["MetricName"] == "IteratorAge" or alarm["MetricName"].endswith("EventCount"):
            assert "docs/operations.md" in alarm["AlarmDescription"]


def test_every_function_is_watched(prod: Deployment) -> None:
    alarms = [one["Properties"] for one in prod.resources("AWS::CloudWatch::Alarm").values()]
    for metric in ("Errors", "Throttles"):
        watched = {a["Dimensions"][0]["Value"]["Ref"] for a in alarms if a["MetricName"] == metric}
        assert watched == set(prod.resources("AWS::Lambda::Function"))


@pytest.mark.parametrize(("stack", "reader"), [("edge_stream", "edge_aggregator"), ("cascade", "cascade")])
def test_quarantine_is_counted_where_the_readers_count_it(prod: Deployment, stack: str, reader: str) -> None:
    variables = prod.functions()[reader]["Environment"]["Variables"]
    getattr(prod, stack).has_resource_properties(
        "AWS::CloudWatch::Alarm",
        {
            "Namespace": variables["POWERTOOLS_METRICS_NAMESPACE"],
            "MetricName": "QuarantinedRecords",
            "Dimensions": [{"Name": "service", "Value": variables["POWERTOOLS_SERVICE_NAME"]}],
        },
    )


def test_cloudwatch_may_publish_to_the_topic(prod: Deployment) -> None:
    (policy,) = prod.table.find_resources("AWS::SNS::TopicPolicy").values()
    allowed = [one for one in policy["Properties"]["PolicyDocument"]["Statement"] if one["Effect"] == "Allow"]
    assert [(one["Principal"], one["Action"]) for one in allowed] == [
        ({"Service": "cloudwatch.amazonaws.com"}, "sns:Publish")
    ]
